/** What rolls over, as people read it. */
import type { Rollover } from '#contracts/public/rollover';
import { formatNumber } from '../text/format-number.ts';

/** 'up to 2,000 roll over for 1 month', '50% rolls over for 3 months, up to 2 times', 'all that is left rolls over for good'. */
export function rolloverWords({ max, share = 100, lasts, times = 1 }: Rollover): string {
  const part = share === 100 ? null : `${share}%`;
  const most = max === 'all' ? null : `up to ${formatNumber(max)}`;
  const amount = [part, most].filter((each) => each !== null).join(', ') || 'all that is left';
  const verb = part === null && max !== 'all' && max !== 1 ? 'roll' : 'rolls';
  const time = lasts === 'forever' ? 'for good' : `for ${lasts.months} month${lasts.months === 1 ? '' : 's'}`;
  return `${amount} ${verb} over ${time}${times === 1 ? '' : `, up to ${times} times`}`;
}
