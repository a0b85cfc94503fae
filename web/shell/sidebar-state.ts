/** Open or collapsed state of the sidebar, stored in a cookie for seven days. Open by default. */
import { useCallback, useState } from 'react';
import { useShortcut } from '#web/ui/keyboard/keys.ts';

export const SIDEBAR_COOKIE = 'sidebar_state';
const MAX_AGE_S = 7 * 24 * 60 * 60;
export const MOBILE_QUERY = '(max-width: 767.98px)';

/** Reads the state from `document.cookie`. */
export function readSidebarState(cookies: string): boolean {
  const entry = cookies.split('; ').find((text) => text.startsWith(`${SIDEBAR_COOKIE}=`));
  return entry !== `${SIDEBAR_COOKIE}=false`;
}

export function sidebarCookie(isOpen: boolean): string {
  return `${SIDEBAR_COOKIE}=${isOpen}; path=/; max-age=${MAX_AGE_S}; SameSite=Lax`;
}

export interface SidebarState {
  readonly isOpen: boolean;
  /** State of the sheet on small screens. Not stored. */
  readonly isSheetOpen: boolean;
  readonly closeSheet: () => void;
  readonly toggle: () => void;
}

/**
 * Ctrl/Cmd+B also toggles it.
 * @param canToggle false while a page decides the state
 */
export function useSidebarState(isMobile: boolean, canToggle: boolean): SidebarState {
  const [isOpen, setIsOpen] = useState(() => readSidebarState(document.cookie));
  const [isSheetOpen, setIsSheetOpen] = useState(false);

  const toggle = useCallback(() => {
    if (!canToggle) return;
    if (isMobile) {
      setIsSheetOpen((is) => !is);
      return;
    }
    const next = !isOpen;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet.
    document.cookie = sidebarCookie(next);
    setIsOpen(next);
  }, [canToggle, isMobile, isOpen]);

  useShortcut('b', toggle);

  const closeSheet = useCallback(() => setIsSheetOpen(false), []);
  return { isOpen, isSheetOpen: isSheetOpen && isMobile, closeSheet, toggle };
}
