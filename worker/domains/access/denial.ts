/** Whether an access check counts as denied, and which of its features do. See outcomeSchema in contracts/console/events.ts. */
export interface Denial {
  readonly isDenied: boolean;
  readonly deniedFeatures: readonly string[];
}

interface CheckedFeatures {
  /** How many features the answer has. */
  readonly count: number;
  /** Slugs of those that are denied. */
  readonly denied: readonly string[];
  /** Whether the request names its features. */
  readonly areNamed: boolean;
  /** The feature that the check consumed, if any: whether its usage was accepted decides, not what is left of it. */
  readonly consumed: { readonly feature: string; readonly accepted: boolean } | null;
}

export function denialOf({ count, denied, areNamed, consumed }: CheckedFeatures): Denial {
  if (consumed === null) {
    const isDenied = denied.length > 0 && (areNamed || denied.length === count);
    return { isDenied, deniedFeatures: denied };
  }
  const others = denied.filter((slug) => slug !== consumed.feature);
  return {
    isDenied: !consumed.accepted || (areNamed && others.length > 0),
    deniedFeatures: consumed.accepted ? others : [...others, consumed.feature],
  };
}
