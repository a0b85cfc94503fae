/** Where a meter's window begins and ends, beside the words that name it. */
import type { Meter, PeriodLength } from '#contracts/public/values';

/** Hours follow the clock; days and months the calendar, in UTC. */
const ALIGNED: Readonly<Record<PeriodLength, string>> = {
  hour: 'clock',
  day: 'calendar',
  month: 'calendar',
};

/** 'a trailing month', 'a calendar month', 'a billing month', '30 trailing days'; null for a lifetime. A missing or zero count is 1. */
export function windowKind({
  periodType,
  periodCount,
  periodLength = 'month',
}: Pick<Meter, 'periodType' | 'periodLength'> & {
  readonly periodCount?: number | null | undefined;
}): string | null {
  if (periodType === 'lifetime') return null;
  const count = periodCount || 1;
  const kinds = { fixed: 'trailing', rolling: ALIGNED[periodLength], billing: 'billing' };
  const kind = kinds[periodType];
  return count === 1 ? `a ${kind} ${periodLength}` : `${count} ${kind} ${periodLength}s`;
}
