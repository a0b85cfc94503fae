/** Whether a page's create dialog is open. A link with the state `CREATING` opens it, from any page. */
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Router state of such a link. */
export const CREATING = { isCreating: true } as const;

export function useCreating(): readonly [boolean, { readonly open: () => void; readonly close: () => void }] {
  const { state, pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const isAsked = (state as { isCreating?: unknown } | null)?.isCreating === true;
  useEffect(() => {
    if (!isAsked) return;
    setOpen(true);
    // A reload must not open it again.
    void navigate(pathname + search + hash, { replace: true, state: null });
  }, [isAsked, navigate, pathname, search, hash]);
  return [isOpen, { open: () => setOpen(true), close: () => setOpen(false) }];
}
