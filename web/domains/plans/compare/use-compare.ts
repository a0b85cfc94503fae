/**
 * Edits of several plans and 'Save changes': one change per plan, one after the other, because each creates a version of the
 * workspace. A plan that somebody else saved meanwhile is kept for a decision; the others are saved.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useReducer, useRef, useState } from 'react';
import type { Feature } from '#contracts/console/features';
import { featureEndpoints } from '#contracts/console/features';
import { type Plan, type PlanVersion, planVersionSchema } from '#contracts/console/plans';
import { ApiError } from '#web/api/api-error.ts';
import { endpointKey } from '#web/api/endpoint-query.ts';
import { errorNotice } from '#web/api/error-notice.ts';
import { useKeptDraft } from '#web/forms/use-kept-draft.ts';
import { toast } from '#web/toast.ts';
import { counted, sentence } from '#web/ui/format.ts';
import { findProblems, type Problem, refusalsOf, rowKey } from '../editor/check-draft.ts';
import { changesOf, type PackedEdit, packEdit, unpackEdit } from '../editor/editor-state.ts';
import { type DraftValue, type PlanDraft, writeDraft } from '../editor/plan-draft.ts';
import type { Refusals } from '../editor/properties-table.tsx';
import { useUpdatePlanValues } from '../mutations.ts';
import { compareReducer, NO_EDITS } from './compare-state.ts';

/** A cell of the comparison. */
export interface Place {
  readonly planId: string;
  readonly featureId: string;
  readonly propertyId: string;
}

export interface CompareOptions {
  readonly orgId: string;
  readonly plans: readonly Plan[];
  readonly features: readonly Feature[];
  /** Shows the cell of the first value that does not fit. */
  readonly onReveal: (place: Place) => void;
}

export type Compare = ReturnType<typeof useCompare>;

const NO_REFUSALS: Refusals = new Map();

export function useCompare({ orgId, plans, features, onReveal }: CompareOptions) {
  const [edits, dispatch] = useReducer(compareReducer, NO_EDITS);
  const [isChecked, setIsChecked] = useState(false);
  /** By plan and rowKey: the server's errors. */
  const [refusals, setRefusals] = useState<ReadonlyMap<string, Refusals>>(new Map());
  /** The current versions of plans that somebody else saved after the edit began. */
  const [conflicts, setConflicts] = useState<readonly PlanVersion[]>([]);
  const [isSaving, setIsSaving] = useState(false);
  /** Set synchronously, for the second click of a double click. */
  const isSending = useRef(false);
  const update = useUpdatePlanValues(orgId);
  const client = useQueryClient();
  useKeptDraft<{ edits: readonly (readonly [planId: string, edit: PackedEdit])[] }>({
    name: 'edits',
    read: () =>
      edits.size === 0 ? null : { edits: [...edits].map(([planId, state]) => [planId, packEdit(state)]) },
    restore: ({ edits: kept = [] }) => {
      for (const [planId, edit] of kept) dispatch({ type: 'restore', planId, state: unpackEdit(edit) });
    },
  });
  const nameOf = (planId: string) => plans.find((plan) => plan.planId === planId)?.name ?? planId;

  const point = (planId: string, problem: Problem) => {
    setIsChecked(true);
    if (problem.kind === 'value') {
      toast.error('Validation Error', {
        description: 'Some properties have errors. Please fix them before saving.',
      });
      onReveal({ planId, ...problem });
      return;
    }
    toast.error('Validation Error', {
      description: sentence`${nameOf(planId)} references features or properties that were removed. Remove them in its editor first.`,
    });
  };

  /** @returns whether the plan is saved */
  const send = async (planId: string, draft: PlanDraft, version: number): Promise<boolean> => {
    try {
      const saved = await update.mutateAsync({ planId, version, properties: writeDraft(draft, features) });
      dispatch({ type: 'saved', saved, draft });
      return true;
    } catch (error) {
      const current = planVersionSchema.safeParse(error instanceof ApiError ? error.current : undefined);
      if (current.success) setConflicts((before) => [...before, current.data]);
      else if (error instanceof ApiError && error.errorType === 'invalid-request')
        refuse(planId, draft, error);
      else {
        const { title, description } = errorNotice(error);
        toast.error(title, { description: sentence`${nameOf(planId)}: ${description}` });
      }
      return false;
    }
  };

  /** The features changed, and this page has not loaded the change. */
  const refuse = (planId: string, draft: PlanDraft, error: ApiError) => {
    const refused = refusalsOf(error.issues, writeDraft(draft, features));
    const own = refused.flatMap(({ featureId, propertyId, errors }) => {
      const entry: DraftValue | undefined = draft.get(featureId)?.get(propertyId);
      return entry === undefined ? [] : [[rowKey(featureId, propertyId), { entry, errors }] as const];
    });
    setRefusals((before) => new Map(before).set(planId, new Map(own)));
    void client.invalidateQueries({ queryKey: endpointKey(featureEndpoints.list, { orgId }) });
    const [first] = refused;
    point(
      planId,
      first === undefined ? { kind: 'missing-feature', featureId: '' } : { kind: 'value', ...first },
    );
  };

  const run = async (work: () => Promise<number>) => {
    if (isSending.current) return;
    isSending.current = true;
    setIsSaving(true);
    try {
      const count = await work();
      if (count > 0) toast.success(count === 1 ? 'Plan updated' : `${counted(count, 'plan')} updated`);
    } finally {
      isSending.current = false;
      setIsSaving(false);
    }
  };

  return {
    edits,
    dispatch,
    isChecked,
    refusalOf: (planId: string) => refusals.get(planId) ?? NO_REFUSALS,
    isSaving,
    changes: [...edits.values()].reduce((sum, state) => sum + changesOf(state).length, 0),
    /** The first plan to decide about; null if there is none, and while others are saved: nothing else can be saved then. */
    conflict: isSaving ? null : (conflicts[0] ?? null),
    save: () =>
      run(async () => {
        for (const [planId, { draft }] of edits) {
          const [problem] = findProblems(draft, features);
          if (problem === undefined) continue;
          point(planId, problem);
          return 0;
        }
        let saved = 0;
        for (const [planId, { draft, version }] of edits) if (await send(planId, draft, version)) saved += 1;
        return saved;
      }),
    closeConflict: () => setConflicts(([, ...others]) => others),
    /** Saves `draft` on the version of the other person. */
    saveOver: (current: PlanVersion, draft: PlanDraft) => {
      dispatch({ type: 'edit', version: current, steps: [{ type: 'rebase', current, draft }] });
      setConflicts(([, ...others]) => others);
      void run(async () => ((await send(current.planId, draft, current.version)) ? 1 : 0));
    },
  };
}
