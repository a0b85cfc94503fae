/** The plans that apply to a subject, as indexes into the artifact's plans. */
export interface PlanSet {
  /** Ascending, without duplicates. */
  readonly indexes: readonly number[];
  /** Equal for equal sets, within one artifact. */
  readonly key: string;
  /** Slugs that a workflow returned and the artifact does not have; for a warning. */
  readonly unknownPlanSlugs: readonly string[];
}

const NONE: readonly string[] = [];

/** Keeps a reference to the list, which must be ascending without duplicates. */
export function planSetOf(indexes: readonly number[], unknownPlanSlugs: readonly string[] = NONE): PlanSet {
  return { indexes, key: indexes.join(), unknownPlanSlugs };
}
