/** Whether billing windows of a new subscription go on with those of one that has ended, so that cancelling and subscribing again gives no quota anew. */
import type { EndedSubscription } from '#contracts/internal/customer-facts';
import { DAY_MS } from '../durations.ts';
import { billingWindow } from '../metering/billing-window.ts';

/** Of a subscription: the instant, epoch milliseconds, and its id. */
interface Counted {
  readonly at: number;
  readonly by: string;
}

/**
 * The first of the subscriptions whose windows it goes on with, each of which went on with the one before; itself without any. It goes on
 * if the window in which the earlier one ended contains it, and began less than so many days before.
 * @param ended each with the instant from which its windows were counted
 * @param months of a window
 */
export function continuedAnchor(
  own: Counted,
  ended: readonly (Counted & Pick<EndedSubscription, 'endedAt'>)[],
  months: number,
  minDays: number,
): Counted {
  if (minDays === 0) return own;
  const known: (Counted & { readonly endedAt: number })[] = [];
  const goesOn = (earlier: (typeof known)[number], at: number) => {
    const { startsAt, resetsAt } = billingWindow(earlier.at, months, Math.min(earlier.endedAt, at));
    return at > startsAt && at < resetsAt && at - startsAt < minDays * DAY_MS;
  };
  const before = ended.filter(({ at }) => at < own.at).sort((one, other) => one.at - other.at);
  for (const each of before) {
    const { at, by } = known.findLast((earlier) => goesOn(earlier, each.at)) ?? each;
    known.push({ at, by, endedAt: each.endedAt });
  }
  const { at, by } = known.findLast((earlier) => goesOn(earlier, own.at)) ?? own;
  return { at, by };
}
