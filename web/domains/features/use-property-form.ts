/**
 * The state of the property dialog: draft, errors, and conflicts with a concurrent edit. It resets when `opening`
 * changes, and keeps the last property while the dialog closes.
 */
import { useState } from 'react';
import type { FeatureProperty } from '#contracts/console/features';
import { ApiError } from '#web/api/api-error.ts';
import { errorsOf, type FormErrors } from '#web/api/check-form.ts';
import { isSame, type MergedEdits, mergeEdits } from '#web/api/merge-edits.ts';
import { useKeptDraft } from '#web/forms/use-kept-draft.ts';
import {
  checkPropertyForm,
  formValuesOf,
  NEW_PROPERTY,
  type PropertyFormValues,
  type PropertyKind,
} from './property-form.ts';

export type PropertyOpening =
  | { readonly kind: 'new' }
  | { readonly kind: 'existing' | 'system'; readonly property: FeatureProperty };

interface State {
  readonly opening: PropertyOpening;
  readonly base: PropertyFormValues;
  /** The `updatedAt` that the edit is based on. */
  readonly updatedAt: number | undefined;
  readonly values: PropertyFormValues;
  /** True after the first attempt to save: errors are then shown while typing. */
  readonly isTried: boolean;
  readonly refused: FormErrors;
  /** `base` is the other person's version. */
  readonly conflict: (MergedEdits<PropertyFormValues> & Pick<ApiError, 'changedBy'>) | null;
}

/** An edit that the end of a session interrupted. It continues when its property is opened again. */
interface Interrupted {
  /** Null: a new property. */
  readonly propertyId: string | null;
  readonly edit: Pick<State, 'base' | 'updatedAt' | 'values'>;
}

export function usePropertyForm(opening: PropertyOpening | null) {
  const [state, setState] = useState<State>(() => startOf(opening ?? { kind: 'new' }));
  const [interrupted, setInterrupted] = useState<Interrupted | null>(null);
  const { base, values, refused, isTried, conflict, updatedAt } = state;
  const isDirty = opening !== null && !isSame(base, values);
  useKeptDraft<Interrupted>({
    name: 'property',
    read: () =>
      isDirty ? { propertyId: propertyIdOf(state.opening), edit: { base, updatedAt, values } } : null,
    restore: ({ propertyId = null, edit }) => {
      if (edit !== undefined) setInterrupted({ propertyId, edit });
    },
  });
  if (opening !== null && state.opening !== opening) {
    const isContinued = interrupted !== null && interrupted.propertyId === propertyIdOf(opening);
    setState({ ...startOf(opening), ...(isContinued && interrupted.edit) });
    if (isContinued) setInterrupted(null);
  }
  const { kind } = state.opening;
  return {
    opening: state.opening,
    kind: kind as PropertyKind,
    base,
    values,
    updatedAt,
    conflict,
    isDirty,
    errors: { ...(isTried && checkPropertyForm(values, kind)), ...refused },
    set: (changes: Partial<PropertyFormValues>) => {
      setState((before) => ({
        ...before,
        values: { ...before.values, ...changes },
        refused: without(before.refused, Object.keys(changes)),
      }));
    },
    /** Returns whether the form is valid, and shows the errors if it is not. */
    check: () => {
      setState((before) => ({ ...before, isTried: true, refused: {} }));
      return Object.keys(checkPropertyForm(values, kind)).length === 0;
    },
    /** False if the error belongs to no field of the form. The caller then reports it elsewhere. */
    showFormError: (error: unknown): boolean => {
      if (error instanceof ApiError && error.current !== undefined) {
        setState((before) => rebase(before, error.current as FeatureProperty, error.changedBy));
        return true;
      }
      const issues = errorsOf(error);
      if (Object.keys(issues).length === 0) return false;
      setState((before) => ({ ...before, refused: refusedFields(error, issues) }));
      return true;
    },
  };
}

export type PropertyForm = ReturnType<typeof usePropertyForm>;

function propertyIdOf(opening: PropertyOpening): string | null {
  return opening.kind === 'new' ? null : opening.property.id;
}

function startOf(opening: PropertyOpening): State {
  const base = opening.kind === 'new' ? NEW_PROPERTY : formValuesOf(opening.property);
  const updatedAt = opening.kind === 'new' ? undefined : opening.property.updatedAt;
  return { opening, base, updatedAt, values: base, isTried: false, refused: {}, conflict: null };
}

function rebase(before: State, current: FeatureProperty, changedBy: string | undefined): State {
  const theirs = formValuesOf(current);
  const merged = mergeEdits(before.base, before.values, theirs);
  return {
    ...before,
    base: theirs,
    updatedAt: current.updatedAt,
    values: merged.values,
    refused: {},
    conflict: { ...merged, changedBy },
  };
}

/** Errors by form field. An error about bounds lists every plan that violates them. */
function refusedFields(error: unknown, issues: FormErrors): FormErrors {
  const fields = Object.entries(issues).map(([path, message]) => [path.replace(/^bounds\./, ''), message]);
  const refused: FormErrors = Object.fromEntries(fields);
  if (refused.bounds !== undefined && error instanceof ApiError) {
    refused.bounds = error.issues
      .filter(({ path }) => path === 'bounds')
      .map(({ message }) => message)
      .join('\n');
  }
  return refused;
}

/** A field's server error disappears when the field changes. The bounds count as three fields. */
function without(refused: FormErrors, changed: readonly string[]): FormErrors {
  const isBounds = changed.some((field) => field === 'min' || field === 'max' || field === 'allowDecimal');
  return Object.fromEntries(
    Object.entries(refused).filter(
      ([path]) =>
        !(isBounds && path === 'bounds') &&
        !changed.some((field) => path === field || path.startsWith(`${field}.`)),
    ),
  );
}
