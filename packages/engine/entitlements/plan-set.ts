/** The plans that apply to a subject, as indexes into the artifact's plans. */
export interface PlanSet {
  /** Ascending, without duplicates. */
  readonly indexes: readonly number[];
  /** Null if no plan comes times a quantity, as for most subjects. */
  readonly quantities: PlanQuantities | null;
  /** Indexes of the plans that the subject has in a trial only, and that limit something else then; null without any. */
  readonly trials: ReadonlySet<number> | null;
  /** Equal for equal sets, within one artifact. */
  readonly key: string;
  /** Slugs that a workflow returned and the artifact does not have; for a warning. */
  readonly unknownPlanSlugs: readonly string[];
}

/**
 * By the plan's index: what its numbers and limits are multiplied by, ascending. With several the plan counts once for each; two of the
 * same quantity are listed only if values add up. Plans that count once as they are have no entry.
 */
export type PlanQuantities = ReadonlyMap<number, readonly number[]>;

const NONE: readonly string[] = [];
export const ONCE: readonly number[] = [1];

/** Keeps a reference to the list, which must be ascending without duplicates. */
export function planSetOf(
  indexes: readonly number[],
  unknownPlanSlugs: readonly string[] = NONE,
  quantities: PlanQuantities | null = null,
  trials: ReadonlySet<number> | null = null,
): PlanSet {
  const keyOf = (index: number) =>
    [index, ...(quantities?.get(index) ?? NONE)].join('x') + (trials?.has(index) ? 't' : '');
  const key = quantities === null && trials === null ? indexes.join() : indexes.map(keyOf).join();
  return { indexes, quantities, trials, key, unknownPlanSlugs };
}

/** Add-ons count only beside a plan that is none. @param indexes of the artifact's plans @returns the same list if all of them count */
export function withoutLoneAddOns(
  indexes: readonly number[],
  addOns: ReadonlySet<number>,
): readonly number[] {
  if (addOns.size === 0 || indexes.some((index) => !addOns.has(index))) return indexes;
  return [];
}
