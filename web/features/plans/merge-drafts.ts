/**
 * Brings together what two people made of the same version of a plan, property by property. Every value of both is in a
 * difference until somebody has chosen, so nothing is lost.
 */
import { rowKey } from './check-draft.ts';
import { type DraftValue, differencesOf, isSameValue, type PlanDraft } from './plan-draft.ts';

export type Side = 'mine' | 'theirs';

export interface MergeRow {
  readonly featureId: string;
  readonly propertyId: string;
  /** Undefined: not configured. */
  readonly base: DraftValue | undefined;
  readonly mine: DraftValue | undefined;
  readonly theirs: DraftValue | undefined;
  /** The side that changed it, where only one did; null: both changed it, each to something else. */
  readonly changedBy: Side | null;
}

/** By rowKey. */
export type Choices = ReadonlyMap<string, Side>;

/** All in which the two differ. */
export function mergeRows(base: PlanDraft, mine: PlanDraft, theirs: PlanDraft): MergeRow[] {
  return differencesOf(theirs, mine).map(({ featureId, propertyId, before, after }) => {
    const original = base.get(featureId)?.get(propertyId);
    const changedBy = isSameValue(original, before) ? 'mine' : isSameValue(original, after) ? 'theirs' : null;
    return { featureId, propertyId, base: original, mine: after, theirs: before, changedBy };
  });
}

/** Where only one of the two changed a value, that change; what both changed is left for somebody to choose. */
export function suggestedChoices(rows: readonly MergeRow[]): Choices {
  return new Map(
    rows.flatMap(({ featureId, propertyId, changedBy }) =>
      changedBy === null ? [] : [[rowKey(featureId, propertyId), changedBy] as const],
    ),
  );
}

/** Theirs, with mine wherever it was chosen. A row without a choice keeps mine. */
export function mergeDrafts(theirs: PlanDraft, rows: readonly MergeRow[], choices: Choices): PlanDraft {
  const merged = new Map([...theirs].map(([featureId, values]) => [featureId, new Map(values)]));
  for (const { featureId, propertyId, mine } of rows) {
    if (choices.get(rowKey(featureId, propertyId)) === 'theirs') continue;
    const values = merged.get(featureId) ?? new Map<string, DraftValue>();
    if (mine === undefined) values.delete(propertyId);
    else values.set(propertyId, mine);
    if (values.size === 0) merged.delete(featureId);
    else merged.set(featureId, values);
  }
  return merged;
}
