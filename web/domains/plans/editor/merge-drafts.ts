/**
 * Merges two edits of the same version of a plan, by property. A difference keeps both values until one is chosen, so
 * nothing is lost.
 */
import { rowKey } from './check-draft.ts';
import { type DraftValue, differencesOf, isSameValue, type PlanDraft } from './plan-draft.ts';

export type Side = 'mine' | 'theirs';

export interface MergeRow {
  readonly featureId: string;
  readonly propertyId: string;
  /** Undefined if not configured. */
  readonly base: DraftValue | undefined;
  readonly mine: DraftValue | undefined;
  readonly theirs: DraftValue | undefined;
  /** The only side that changed the value. Null if both changed it to different values. */
  readonly changedBy: Side | null;
}

/** By rowKey. */
export type Choices = ReadonlyMap<string, Side>;

/** All differences between the two edits. */
export function mergeRows(base: PlanDraft, mine: PlanDraft, theirs: PlanDraft): MergeRow[] {
  return differencesOf(theirs, mine).map(({ featureId, propertyId, before, after }) => {
    const original = base.get(featureId)?.get(propertyId);
    const changedBy = isSameValue(original, before) ? 'mine' : isSameValue(original, after) ? 'theirs' : null;
    return { featureId, propertyId, base: original, mine: after, theirs: before, changedBy };
  });
}

/** Preselects values that only one side changed. Values that both changed stay undecided. */
export function suggestedChoices(rows: readonly MergeRow[]): Choices {
  return new Map(
    rows.flatMap(({ featureId, propertyId, changedBy }) =>
      changedBy === null ? [] : [[rowKey(featureId, propertyId), changedBy] as const],
    ),
  );
}

/** Their edit, with my values where they were chosen. A row without a choice keeps mine. */
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
