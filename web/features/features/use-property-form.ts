/**
 * The state of the property dialog: what was entered, what is wrong with it, and what somebody else made of the same
 * property meanwhile. Starts anew whenever `opening` is another one; keeps the last one while the dialog closes.
 */
import { useState } from 'react';
import type { FeatureProperty } from '#contracts/features';
import { ApiError } from '../../api/api-error.ts';
import { errorsOf, type FormErrors } from '../../api/check-form.ts';
import { isSame, type MergedEdits, mergeEdits } from '../../api/merge-edits.ts';
import {
  checkPropertyForm,
  formValuesOf,
  NEW_PROPERTY,
  type PropertyFormValues,
  type PropertyKind,
} from './property-form.ts';

export type PropertyOpening =
  | { readonly kind: 'new' }
  | { readonly kind: 'standing' | 'system'; readonly property: FeatureProperty };

interface State {
  readonly opening: PropertyOpening;
  readonly base: PropertyFormValues;
  /** Of the state that the edit is made on. */
  readonly updatedAt: number | undefined;
  readonly values: PropertyFormValues;
  /** From the first try to save on, mistakes are shown while typing. */
  readonly isTried: boolean;
  readonly refused: FormErrors;
  /** `base` is what the other one made of it. */
  readonly conflict: MergedEdits<PropertyFormValues> | null;
}

export function usePropertyForm(opening: PropertyOpening | null) {
  const [state, setState] = useState<State>(() => startOf(opening ?? { kind: 'new' }));
  if (opening !== null && state.opening !== opening) setState(startOf(opening));
  const { base, values, refused, isTried, conflict, updatedAt } = state;
  const { kind } = state.opening;
  return {
    opening: state.opening,
    kind: kind as PropertyKind,
    base,
    values,
    updatedAt,
    conflict,
    isDirty: opening !== null && !isSame(base, values),
    errors: { ...(isTried && checkPropertyForm(values, kind)), ...refused },
    set: (changes: Partial<PropertyFormValues>) => {
      setState((standing) => ({
        ...standing,
        values: { ...standing.values, ...changes },
        refused: without(standing.refused, Object.keys(changes)),
      }));
    },
    /** Whether it can be sent; shows what is wrong where it cannot. */
    check: () => {
      setState((standing) => ({ ...standing, isTried: true, refused: {} }));
      return Object.keys(checkPropertyForm(values, kind)).length === 0;
    },
    /** False where the refusal has no place in the form: then it is told elsewhere. */
    showRefusal: (error: unknown): boolean => {
      if (error instanceof ApiError && error.current !== undefined) {
        setState((standing) => rebase(standing, error.current as FeatureProperty));
        return true;
      }
      const issues = errorsOf(error);
      if (Object.keys(issues).length === 0) return false;
      setState((standing) => ({ ...standing, refused: refusedFields(error, issues) }));
      return true;
    },
  };
}

export type PropertyForm = ReturnType<typeof usePropertyForm>;

function startOf(opening: PropertyOpening): State {
  const base = opening.kind === 'new' ? NEW_PROPERTY : formValuesOf(opening.property);
  const updatedAt = opening.kind === 'new' ? undefined : opening.property.updatedAt;
  return { opening, base, updatedAt, values: base, isTried: false, refused: {}, conflict: null };
}

function rebase(standing: State, current: FeatureProperty): State {
  const theirs = formValuesOf(current);
  const merged = mergeEdits(standing.base, standing.values, theirs);
  return {
    ...standing,
    base: theirs,
    updatedAt: current.updatedAt,
    values: merged.values,
    refused: {},
    conflict: merged,
  };
}

/** By the form's names of the fields. Of bounds that plans do not allow, every plan is named. */
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

/** What was refused of a field stands no longer once it is changed; bounds are three fields. */
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
