/** Whether a limit's rollover fits it, and which of two is more. */
import type { Rollover } from '#contracts/public/rollover';
import type { Meter } from '#contracts/public/values';
import { formatNumber } from '../../text/format-number.ts';
import { type Issue, issue } from '../issue.ts';

const MAX_MONTHS = 12;
const MAX_TIMES = 12;
const WHOLE_SHARE = 100;

/** Only limits of recurring periods of months have a period's end at which something rolls over. */
export function canRollOver({
  periodType,
  periodLength,
  uniqueResourceIds,
}: Pick<Meter, 'periodType' | 'periodLength' | 'uniqueResourceIds'>): boolean {
  const isRecurring = periodType === 'billing' || periodType === 'rolling';
  return isRecurring && periodLength === 'month' && !uniqueResourceIds;
}

/** @param rollover of a meter, whatever it is */
export function checkRollover(path: string, rollover: unknown): Issue[] {
  if (!isRecord(rollover)) return issue(path, 'Must have max and lasts');
  const { max, share, lasts, times } = rollover;
  const issues = max === 'all' ? [] : checkCount(`${path}.max`, max, Number.MAX_SAFE_INTEGER);
  if (share !== undefined) issues.push(...checkCount(`${path}.share`, share, WHOLE_SHARE));
  if (times !== undefined) issues.push(...checkCount(`${path}.times`, times, MAX_TIMES));
  if (isRecord(lasts)) issues.push(...checkCount(`${path}.lasts.months`, lasts.months, MAX_MONTHS));
  else if (lasts !== 'forever') issues.push({ path: `${path}.lasts`, message: 'Must be months or forever' });
  else if (typeof times === 'number' && times > 1)
    issues.push({ path: `${path}.times`, message: 'What never ends rolls over once' });
  return issues;
}

function checkCount(path: string, value: unknown, most: number): Issue[] {
  if (typeof value !== 'number' || !Number.isInteger(value)) return issue(path, 'Must be a whole number');
  if (value < 1) return issue(path, 'Must be greater than or equal to 1');
  return value <= most ? [] : issue(path, `Must be less than or equal to ${formatNumber(most)}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without defaults, and unknown fields. */
export function normaliseRollover({ max, share = WHOLE_SHARE, lasts, times = 1 }: Rollover): Rollover {
  return {
    ...{ max, lasts: lasts === 'forever' ? lasts : { months: lasts.months } },
    ...(share !== WHOLE_SHARE && { share }),
    ...(times !== 1 && { times }),
  };
}

/** Positive if the first is the more generous one; none at all is the least. Zero only if they are equal. */
export function compareRollovers(one: Rollover | undefined, other: Rollover | undefined): number {
  if (one === undefined || other === undefined)
    return Number(one !== undefined) - Number(other !== undefined);
  return (
    compareCounts(countOf(one.max), countOf(other.max)) ||
    shareOf(one) - shareOf(other) ||
    compareCounts(monthsOf(one), monthsOf(other)) ||
    timesOf(one) - timesOf(other)
  );
}

const countOf = (max: Rollover['max']) => (max === 'all' ? Number.POSITIVE_INFINITY : max);
const shareOf = ({ share = WHOLE_SHARE }: Rollover) => share;
const timesOf = ({ times = 1 }: Rollover) => times;
const monthsOf = ({ lasts }: Rollover) => (lasts === 'forever' ? Number.POSITIVE_INFINITY : lasts.months);

function compareCounts(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

/** The largest of several; undefined without any. */
export function largestRollover(rollovers: readonly (Rollover | undefined)[]): Rollover | undefined {
  return rollovers.reduce(
    (largest, each) => (compareRollovers(each, largest) > 0 ? each : largest),
    undefined,
  );
}
