/** The plans that hold for a subject, as places in the artifact's list of plans. */
export interface PlanSet {
  /** Ascending, without repetition. */
  readonly indexes: readonly number[];
  /** Equal for equal sets, within one artifact. */
  readonly key: string;
  /** Slugs that a workflow named and the artifact does not know; for a warning. */
  readonly unknownPlanSlugs: readonly string[];
}

const NONE: readonly string[] = [];

/** Takes the list over; it must ascend without repetition. */
export function planSetOf(indexes: readonly number[], unknownPlanSlugs: readonly string[] = NONE): PlanSet {
  return { indexes, key: indexes.join(), unknownPlanSlugs };
}
