/** Restores what was typed into a form before the session ended. See session/kept-drafts.ts. */
import { useEffect, useRef, useState } from 'react';
import { findDraft, forgetDraft, registerDraft } from '#web/session/kept-drafts.ts';
import { useSession } from '#web/session/session.ts';

export interface KeptDraft<Values extends object> {
  /** Names the form on its page and contains the names of its fields, so that kept values always fit it. */
  readonly name: string;
  readonly isDirty: boolean;
  /** What is kept. */
  readonly values: Partial<Values>;
  /** Called once, with the kept values. */
  readonly restore: (values: Partial<Values>) => void;
}

export function useKeptDraft<Values extends object>(form: KeptDraft<Values>): void {
  const { user } = useSession();
  const [key] = useState(() => `${window.location.pathname} ${form.name}`);
  const [draft] = useState(() => findDraft(key, user?.id));
  const current = useRef(form);
  useEffect(() => {
    current.current = form;
  });
  useEffect(() => {
    if (draft !== null) {
      current.current.restore(draft as Partial<Values>);
      forgetDraft(key);
    }
    return registerDraft(key, () => (current.current.isDirty ? current.current.values : null));
  }, [key, draft]);
}
