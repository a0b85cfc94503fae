/** Whether a limit's rollover fits it, and which of two is more. */
import type { Rollover } from '#contracts/public/rollover';
import type { Meter } from '#contracts/public/values';
import { type Issue, issue } from '../issue.ts';
import { checkCount, isRecord } from './limited-window.ts';

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
  const { max, share = 1, lasts, times = 1 } = rollover;
  const check = (field: string, value: unknown, most: number) =>
    checkCount(`${path}.${field}`, value, most, 1);
  const issues = [
    ...(max === 'all' ? [] : check('max', max, Number.MAX_SAFE_INTEGER)),
    ...check('share', share, WHOLE_SHARE),
    ...check('times', times, MAX_TIMES),
  ];
  if (isRecord(lasts)) return [...issues, ...check('lasts.months', lasts.months, MAX_MONTHS)];
  if (lasts !== 'forever') return [...issues, ...issue(`${path}.lasts`, 'Must be months or forever')];
  const repeats = typeof times === 'number' && times > 1;
  return repeats ? [...issues, ...issue(`${path}.times`, 'What never ends rolls over once')] : issues;
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
