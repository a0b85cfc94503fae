/** Whether an access check counts as denied, and which of its features do. See outcomeSchema in contracts/console/events.ts. */
import type { Denial } from '#contracts/public/verdict';

interface OutcomeOfCheck {
  readonly isDenied: boolean;
  readonly denials: readonly Denial[];
}

interface CheckedFeatures {
  /** How many features the answer has. */
  readonly count: number;
  /** Those that are not allowed. */
  readonly denied: readonly Denial[];
  /** Whether the request names its features. */
  readonly areNamed: boolean;
  /** The slug of the feature that the check counted on; null if it counted nothing. */
  readonly counted: string | null;
}

export function denialOf({ count, denied, areNamed, counted }: CheckedFeatures): OutcomeOfCheck {
  const isDenied =
    counted === null || areNamed
      ? denied.length > 0 && (areNamed || denied.length === count)
      : denied.some(({ feature }) => feature === counted);
  return { isDenied, denials: denied };
}
