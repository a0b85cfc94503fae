// One billing period later.
import type Stripe from 'stripe';

/**
 * One period later, in Unix seconds.
 *
 * @param anchor gives the day of the month; a shorter month uses its last day, the next month the anchor's day again
 */
export function addInterval(
  at: number,
  recurring: Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'> | null | undefined,
  anchor = at,
): number {
  const { interval, interval_count: count } = recurring ?? { interval: 'month', interval_count: 1 };
  if (interval === 'day') return at + count * 86_400;
  if (interval === 'week') return at + count * 7 * 86_400;
  const months = interval === 'year' ? count * 12 : count;
  const date = new Date(at * 1000);
  const day = new Date(anchor * 1000).getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return Math.floor(date.getTime() / 1000);
}
