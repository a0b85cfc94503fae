/** Tracks which of a page's forms have unsaved entries. Returns a stable callback per form. */
import { useMemo } from 'react';

export interface DirtyForms<Form extends string> {
  readonly isAnyDirty: () => boolean;
  readonly onDirtyChange: Readonly<Record<Form, (isDirty: boolean) => void>>;
}

/** @param forms constant over the component's lifetime */
export function useDirtyForms<Form extends string>(forms: readonly Form[]): DirtyForms<Form> {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the forms of a page never change.
  return useMemo(() => {
    const dirty = new Set<Form>();
    const handlerOf = (form: Form) => (isDirty: boolean) => {
      if (isDirty) dirty.add(form);
      else dirty.delete(form);
    };
    return {
      isAnyDirty: () => dirty.size > 0,
      onDirtyChange: Object.fromEntries(forms.map((form) => [form, handlerOf(form)])) as Record<
        Form,
        (isDirty: boolean) => void
      >,
    };
  }, []);
}
