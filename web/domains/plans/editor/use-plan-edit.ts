/**
 * The feature editor's state, and 'Update Plan': validates everything, points to the first problem, and returns a
 * conflict if somebody else saved first.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useReducer, useRef, useState } from 'react';
import type { Feature } from '#contracts/console/features';
import { featureEndpoints } from '#contracts/console/features';
import { type PlanVersion, planVersionSchema } from '#contracts/console/plans';
import { ApiError } from '#web/api/api-error.ts';
import { endpointKey } from '#web/api/endpoint-query.ts';
import { toastError } from '#web/api/error-notice.ts';
import { useKeptDraft } from '#web/forms/use-kept-draft.ts';
import { toast } from '#web/toast.ts';
import { useUpdatePlanValues } from '../mutations.ts';
import { findProblems, type Problem, refusalsOf, rowKey } from './check-draft.ts';
import { editPlan, type PackedEdit, packEdit, startEditing, unpackEdit } from './editor-state.ts';
import type { Reveal } from './feature-section.tsx';
import { differencesOf, type PlanDraft, writeDraft } from './plan-draft.ts';
import type { Refusals } from './properties-table.tsx';

const NO_REFUSALS: Refusals = new Map();

export interface PlanEditOptions {
  readonly orgId: string;
  readonly start: PlanVersion;
  readonly features: readonly Feature[];
  readonly onReveal: (reveal: Reveal) => void;
  readonly onSaved: () => void;
}

export type PlanEdit = ReturnType<typeof usePlanEdit>;

export function usePlanEdit({ orgId, start, features, onReveal, onSaved }: PlanEditOptions) {
  const [state, dispatch] = useReducer(editPlan, start, startEditing);
  const [isChecked, setIsChecked] = useState(false);
  const [refusals, setRefusals] = useState(NO_REFUSALS);
  /** The current version, if somebody else saved after this edit began. */
  const [latest, setLatest] = useState<PlanVersion | null>(null);
  const update = useUpdatePlanValues(orgId);
  const client = useQueryClient();
  const isSaved = useRef(false);
  /**
   * Set synchronously. `isPending` changes with the next render, which for a long plan can be after a double click's
   * second click.
   */
  const isSending = useRef(false);
  const hasUnsaved = () => !isSaved.current && differencesOf(state.base, state.draft).length > 0;
  useKeptDraft<{ edit: PackedEdit }>({
    name: 'values',
    read: () => (hasUnsaved() ? { edit: packEdit(state) } : null),
    restore: ({ edit }) => {
      if (edit !== undefined) dispatch({ type: 'continue', state: unpackEdit(edit) });
    },
  });

  const point = (problem: Problem | undefined) => {
    setIsChecked(true);
    toast.error('Validation Error', {
      description: 'Some properties have errors. Please fix them before saving.',
    });
    if (problem === undefined) return;
    onReveal({
      featureId: problem.featureId,
      propertyId: problem.kind === 'value' ? problem.propertyId : null,
    });
  };

  const refuse = (error: ApiError, draft: PlanDraft) => {
    const refused = refusalsOf(error.issues, writeDraft(draft, features));
    setRefusals(
      new Map(
        refused.flatMap(({ featureId, propertyId, errors }) => {
          const entry = draft.get(featureId)?.get(propertyId);
          return entry === undefined ? [] : [[rowKey(featureId, propertyId), { entry, errors }] as const];
        }),
      ),
    );
    // The features changed, and this page has not loaded the change.
    void client.invalidateQueries({ queryKey: endpointKey(featureEndpoints.list, { orgId }) });
    point(refused[0] === undefined ? undefined : { kind: 'value', ...refused[0] });
  };

  const send = (draft: PlanDraft, version: number) => {
    const [problem] = findProblems(draft, features);
    if (problem !== undefined) return point(problem);
    isSending.current = true;
    update.mutate(
      { planId: start.planId, version, properties: writeDraft(draft, features) },
      {
        onSuccess: () => {
          isSaved.current = true;
          toast.success('Feature Properties Updated');
          onSaved();
        },
        onError: (error) => {
          isSending.current = false;
          const current = planVersionSchema.safeParse(error instanceof ApiError ? error.current : undefined);
          if (current.success) return setLatest(current.data);
          if (error instanceof ApiError && error.errorType === 'invalid-request') return refuse(error, draft);
          toastError(error);
        },
      },
    );
  };

  const save = () => {
    if (!isSending.current) send(state.draft, state.version);
  };
  /** What would be saved; null, with the first problem in sight, if it is not valid. */
  const valuesToSave = () => {
    const [problem] = findProblems(state.draft, features);
    if (problem === undefined) return writeDraft(state.draft, features);
    point(problem);
    return null;
  };
  /** Rebases on the current version with `draft` as the new values, and saves them. */
  const saveOver = (current: PlanVersion, draft: PlanDraft) => {
    dispatch({ type: 'rebase', current, draft });
    setLatest(null);
    send(draft, current.version);
  };
  return {
    state,
    dispatch,
    isChecked,
    refusals,
    isSaving: update.isPending,
    save,
    valuesToSave,
    latest,
    saveOver,
    closeConflict: useCallback(() => setLatest(null), []),
    hasUnsaved,
  };
}
