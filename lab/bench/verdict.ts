// Whether a ratio reaches its aim, and whether the machine was quiet enough to say so.

export type Verdict = 'met' | 'missed' | 'too close to tell' | 'machine too busy' | '';

/** What one operation of both cost in one round. */
export type Costs = readonly [one: number, other: number];

export interface Estimate {
  /** Cost of the other, divided by that of the one. */
  readonly ratio: number;
  /** It is within this of the ratio with a confidence of 95%. */
  readonly margin: number;
}

/** A baseline that differs from another process of itself by more says that the machine disturbs all ratios. */
const CONTROL_TOLERANCE = 0.05;
/** Widest margin from which anything is concluded, as a share of the ratio. */
const WIDEST = 0.1;
/** Of Student's distribution, for about ten rounds. */
const QUANTILE = 2.2;

/**
 * All rounds together, and not their median: the runtime frees what 10,000 requests left at once, which takes a tenth of a second, and is
 * part of what each costs.
 */
export function estimate(rounds: readonly Costs[]): Estimate {
  const sum = (of: (costs: Costs) => number) => rounds.reduce((total, costs) => total + of(costs), 0);
  const cost = sum(([one]) => one);
  const ratio = sum(([, other]) => other) / cost;
  const squares = sum(([one, other]) => (other - ratio * one) ** 2);
  const { length } = rounds;
  return { ratio, margin: (QUANTILE * Math.sqrt((squares * length) / (length - 1))) / cost };
}

/**
 * @param control a baseline beside another process of itself in the same rounds: by how much processes differ adds to the margin
 * @param aim at least; without one there is nothing to conclude
 */
export function verdictOf({ ratio, margin: own }: Estimate, control: Estimate, aim?: number): Verdict {
  const margin = own + ratio * Math.abs(control.ratio - 1);
  if (!isQuiet(control) || !(own <= ratio * WIDEST)) return 'machine too busy';
  if (aim === undefined) return '';
  if (ratio - margin >= aim) return 'met';
  return ratio + margin < aim ? 'missed' : 'too close to tell';
}

/** Whether the baseline equals itself. */
export function isQuiet({ ratio, margin }: Estimate): boolean {
  return Math.abs(ratio - 1) <= CONTROL_TOLERANCE && margin <= WIDEST;
}
