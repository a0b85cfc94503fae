// Whether a series of ratios reaches its aim, and whether the machine was quiet enough to say so.
import { median, quantile } from './table.ts';

export type Verdict = 'met' | 'missed' | 'too close to tell' | 'machine too busy' | '';

/** A baseline that differs from itself by more says that the machine disturbs all ratios. */
const CONTROL_TOLERANCE = 0.05;
/** Widest confidence interval from which anything is concluded: its distance from the median, as a share of the median. */
const WIDEST = 0.1;

/**
 * @param quotients one per round
 * @param control the quotients of a baseline with itself in the same rounds
 * @param aim at least; without one there is nothing to conclude
 */
export function verdictOf(quotients: readonly number[], control: readonly number[], aim?: number): Verdict {
  const middle = median(quotients);
  // The notch of a box plot: about 95 % confidence (McGill, Tukey and Larsen, 1978).
  const notch =
    (1.57 * (quantile(quotients, 0.75) - quantile(quotients, 0.25))) / Math.sqrt(quotients.length);
  if (!isQuiet(control) || !(notch <= middle * WIDEST)) return 'machine too busy';
  if (aim === undefined) return '';
  if (middle - notch >= aim) return 'met';
  return middle + notch < aim ? 'missed' : 'too close to tell';
}

/** Whether the baseline equals itself. */
export function isQuiet(control: readonly number[]): boolean {
  return Math.abs(median(control) - 1) <= CONTROL_TOLERANCE;
}
