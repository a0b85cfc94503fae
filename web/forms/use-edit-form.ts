/**
 * The form of a thing that stands already. Only what was changed is sent, with the state that it was changed on; what
 * somebody else saved meanwhile is taken over or shown beside it, and nothing that was entered is lost.
 */
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import type { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import { checkForm } from '../api/check-form.ts';
import { changedFields, isSame, type MergedEdits, mergeEdits } from '../api/merge-edits.ts';
import type { ConflictingField } from '../ui/edit-conflict.tsx';
import { showRefusal } from './show-refusal.ts';

interface Dated {
  readonly updatedAt: number;
}

export interface EditFormOptions<Thing extends Dated, Values extends object> {
  /** As it was read last. */
  readonly thing: Thing;
  /** Knows the thing in the answer to a conflict. */
  readonly thingSchema: z.ZodType<Thing>;
  readonly valuesOf: (thing: Thing) => Values;
  /** Checks what is entered. */
  readonly bodySchema: z.ZodType;
  readonly update: {
    readonly isPending: boolean;
    readonly mutate: (
      body: Partial<Values> & Dated,
      answer: { onSuccess: (saved: Thing) => void; onError: (error: Error) => void },
    ) => void;
  };
  /** The toast of success. */
  readonly savedTitle: string;
  readonly labels: Readonly<Record<keyof Values & string, string>>;
  /** How a field is shown where both changed it; as its text unless told. */
  readonly shown?: (values: Values, field: keyof Values & string) => ReactNode;
  readonly isRefusalAlwaysToasted?: boolean;
}

export function useEditForm<Thing extends Dated, Values extends object>(
  options: EditFormOptions<Thing, Values>,
) {
  const { thing, valuesOf, update, labels, shown = shownAsText } = options;
  /** The state that the edit is made on. */
  const [standing, setStanding] = useState(thing);
  const [merged, setMerged] = useState<MergedEdits<Values> | null>(null);
  const base = valuesOf(standing);
  const form = useForm<Values>({ initialValues: base, validate: checkForm(options.bodySchema) });
  const isDirty = !isSame(form.values, base);

  const restartFrom = (next: Thing, values = valuesOf(next)) => {
    setStanding(next);
    form.setValues(values);
  };
  if (thing.updatedAt > standing.updatedAt && !update.isPending) {
    // What was read anew meanwhile goes into a form in which nothing was entered. Where it changes none of the fields, the
    // edit goes on from there.
    if (!isDirty) restartFrom(thing);
    else if (isSame(valuesOf(thing), base)) setStanding(thing);
  }

  const send = (values: Values, on: Thing) =>
    update.mutate(
      { ...changedFields(valuesOf(on), values), updatedAt: on.updatedAt },
      {
        onSuccess: (saved) => {
          restartFrom(saved);
          setMerged(null);
          toast.success(options.savedTitle);
        },
        onError: (error) => {
          const current =
            error instanceof ApiError ? options.thingSchema.safeParse(error.current).data : undefined;
          if (current === undefined) {
            showRefusal(form, error, { isAlwaysToasted: options.isRefusalAlwaysToasted });
            return;
          }
          const result = mergeEdits(valuesOf(on), values, valuesOf(current));
          // What changed is not in this form: the edit stands as it is.
          if (result.conflicts.length === 0 && result.taken.length === 0) return send(values, current);
          restartFrom(current, result.values);
          setMerged(result);
        },
      },
    );

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
    submit: form.onSubmit((values) => send(values, standing)),
    /** For the EditConflict that the form shows: what the two made of the same thing. */
    conflict: merged !== null &&
      isDirty && {
        taken: merged.taken.map((field) => labels[field]),
        fields: merged.conflicts
          .filter((field) => !isSame(form.values[field], base[field]))
          .map(fieldInConflict),
      },
  };
}

function shownAsText<Values extends object>(values: Values, field: keyof Values & string): string {
  return String(values[field]) || 'Empty';
}
