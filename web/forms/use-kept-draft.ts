/** Restores what was typed into a form before the session ended. See session/kept-drafts.ts. */
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent, useState } from 'react';
import { findDraft, forgetDraft, registerDraft } from '#web/session/kept-drafts.ts';
import { useSession } from '#web/session/session.ts';

export interface KeptDraft<Values extends object> {
  /** Names the form on its page and contains the names of its fields, so that kept values always fit it. */
  readonly name: string;
  /** False while what the form edits loads. */
  readonly isReady?: boolean;
  /** What is kept, as JSON can hold it; null if nothing is unsaved. Called when the session ends. */
  readonly read: () => Partial<Values> | null;
  /** Called once, with the kept values. */
  readonly restore: (values: Partial<Values>) => void;
}

export function useKeptDraft<Values extends object>(form: KeptDraft<Values>): void {
  const { isReady = true } = form;
  const { user } = useSession();
  const [key] = useState(() => `${window.location.pathname} ${form.name}`);
  const [draft] = useState(() => findDraft(key, user?.id));
  const read = useEffectEvent(() => form.read());
  const restore = useEffectEvent((values: Partial<Values>) => form.restore(values));
  useEffect(() => {
    if (!isReady) return;
    if (draft !== null) {
      restore(draft as Partial<Values>);
      forgetDraft(key);
    }
    return registerDraft(key, () => read());
  }, [key, draft, isReady]);
}

/** The same for all values of a form. @param name names the form on its page */
export function useKeptForm<Values extends object>(name: string, form: UseFormReturnType<Values>): void {
  useKeptDraft<Values>({
    name: `${name} ${Object.keys(form.values).join()}`,
    read: () => (form.isDirty() ? form.values : null),
    restore: (typed) => form.setValues({ ...form.values, ...typed }),
  });
}
