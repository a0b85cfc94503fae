/**
 * State of an edit form with optimistic concurrency. It sends changed fields only, with the `updatedAt` that the edit is
 * based on. After a conflict it merges the server's state into the form (api/merge-edits.ts), so no input is lost.
 */
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from '#web/api/api-error.ts';
import { checkForm } from '#web/api/check-form.ts';
import {
  changedFields,
  isSame,
  type KeptEdit,
  type MergedEdits,
  mergeEdits,
  resumeEdit,
} from '#web/api/merge-edits.ts';
import { toast } from '#web/toast.ts';
import type { ConflictingField } from '#web/ui/inputs/edit-conflict.tsx';
import { showFormError } from './show-form-error.ts';
import { useKeptDraft } from './use-kept-draft.ts';

interface Dated {
  readonly updatedAt: number;
}

/** `Known` is undefined, too, if the form is shown while the item loads. */
export interface EditFormOptions<
  Item extends Dated,
  Values extends object,
  Known extends Item | undefined = Item,
> {
  /** The item as last fetched. */
  readonly item: Known;
  /** Parses the current item in a conflict response. */
  readonly itemSchema: z.ZodType<Item>;
  /** Of the item, or without it those of an empty form. */
  readonly valuesOf: (item: Item | NoInfer<Known>) => Values;
  /** Validates the input. */
  readonly bodySchema: z.ZodType;
  readonly update: {
    readonly isPending: boolean;
    readonly mutate: (
      body: Partial<Values> & Dated,
      callbacks: { onSuccess: (saved: Item) => void; onError: (error: Error) => void },
    ) => void;
  };
  /** Title of the success toast. */
  readonly savedTitle: string;
  readonly labels: Readonly<Record<keyof Values & string, string>>;
  /** Whether the user is asked before these changes are saved: see `question`. */
  readonly mustAsk?: (before: Values, after: Values) => boolean;
  /** Renders a field's value in the conflict notice. Defaults to its text, or 'on' and 'off'. */
  readonly shown?: (values: Values, field: keyof Values & string) => ReactNode;
}

export function useEditForm<Item extends Dated, Values extends object, Known extends Item | undefined = Item>(
  options: EditFormOptions<Item, Values, Known>,
) {
  const { item, valuesOf, update, labels, shown = shownAsText } = options;
  /** The item that the edit is based on; undefined while it loads. */
  const [baseItem, setBaseItem] = useState<Item | Known>(item);
  const [merged, setMerged] = useState<MergedEdits<Values> | null>(null);
  const [asked, setAsked] = useState<Values | null>(null);
  const [changedBy, setChangedBy] = useState<string>();
  const base = valuesOf(baseItem);
  const form = useForm<Values>({ initialValues: base, validate: checkForm(options.bodySchema) });
  const isDirty = !isSame(form.values, base);

  useKeptDraft<KeptEdit<Values>>({
    name: `edit ${Object.keys(labels).join()}`,
    isReady: baseItem !== undefined,
    read: () => (isDirty ? { base, values: form.values } : null),
    restore: ({ base: keptBase = {}, values = {} }) => {
      const resumed = resumeEdit({ base: keptBase, values }, base);
      form.setValues(resumed.values);
      if (resumed.conflicts.length > 0 || resumed.taken.length > 0) setMerged(resumed);
    },
  });

  const restartFrom = (next: Item, values = valuesOf(next)) => {
    setBaseItem(next);
    form.setValues(values);
  };
  if (item !== undefined && item.updatedAt > (baseItem?.updatedAt ?? -1) && !update.isPending) {
    // A newer item replaces the values of an untouched form. If none of the form's fields changed, the edit continues on
    // the newer item.
    if (!isDirty) restartFrom(item);
    else if (isSame(valuesOf(item), base)) setBaseItem(item);
  }

  const send = (values: Values, on: Item) =>
    update.mutate(
      { ...changedFields(valuesOf(on), values), updatedAt: on.updatedAt },
      {
        onSuccess: (saved) => {
          // A busy page takes keys between the click and the render that disables the fields: they are kept.
          restartFrom(saved, mergeEdits(values, form.getValues(), valuesOf(saved)).values);
          setMerged(null);
          toast.success(options.savedTitle);
        },
        onError: (error) => {
          const current =
            error instanceof ApiError ? options.itemSchema.safeParse(error.current).data : undefined;
          if (current === undefined) {
            showFormError(form, error);
            return;
          }
          setChangedBy((error as ApiError).changedBy);
          const result = mergeEdits(valuesOf(on), form.getValues(), valuesOf(current));
          // Only fields outside this form changed: send the same edit again on the current item.
          if (result.conflicts.length === 0 && result.taken.length === 0) return send(values, current);
          restartFrom(current, result.values);
          setMerged(result);
        },
      },
    );

  const submit = (values: Values) => {
    if (options.mustAsk?.(base, values)) setAsked(values);
    else if (baseItem !== undefined) send(values, baseItem);
  };
  const fieldInConflict = (field: keyof Values & string): ConflictingField => ({
    name: labels[field],
    mine: shown(form.values, field),
    theirs: shown(base, field),
    onTake: () => form.setValues({ ...form.values, [field]: base[field] }),
  });
  return {
    form,
    isDirty,
    isSaving: update.isPending,
    isLoading: baseItem === undefined,
    submit: form.onSubmit(submit),
    /** The edit that waits for an answer, if there is one, and what it changes. */
    question: {
      before: base,
      after: asked,
      onConfirm: () => {
        setAsked(null);
        if (asked !== null && baseItem !== undefined) send(asked, baseItem);
      },
      onClose: () => setAsked(null),
    },
    /** Props of the EditConflict notice, or false. */
    conflict: merged !== null &&
      isDirty && {
        changedBy,
        taken: merged.taken.map((field) => labels[field]),
        fields: merged.conflicts
          .filter((field) => !isSame(form.values[field], base[field]))
          .map(fieldInConflict),
      },
  };
}

function shownAsText<Values extends object>(values: Values, field: keyof Values & string): string {
  const value = values[field];
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value) || 'Empty';
}
