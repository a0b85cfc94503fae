/**
 * Windows of a customer's billing period, which follow each other from an anchor: the instant at which the customer's payment provider
 * begins a cycle, such as Stripe's `billing_cycle_anchor`. All arithmetic is in UTC.
 */
import { DAY_MS } from '#engine/durations';

/**
 * The anniversary of `anchor` a number of months later, or earlier if negative. Always counted from the anchor itself, so that a month
 * without its day does not move those after it: the 31st, the last of February, the 31st. It keeps the time of day.
 * @param anchor epoch milliseconds, as the result
 */
export function anniversaryOf(anchor: number, months: number): number {
  const date = new Date(anchor);
  const month = monthOf(date) + months;
  const first = firstOf(month);
  const intoMonth = anchor - firstOf(monthOf(date));
  const days = Math.min(Math.floor(intoMonth / DAY_MS), (firstOf(month + 1) - first) / DAY_MS - 1);
  return first + days * DAY_MS + (intoMonth % DAY_MS);
}

/** How many months after the anchor its latest anniversary is, as of `now`. Negative before the anchor. */
export function monthsSince(anchor: number, now: number): number {
  const months = monthOf(new Date(now)) - monthOf(new Date(anchor));
  return anniversaryOf(anchor, months) > now ? months - 1 : months;
}

/**
 * The window of `count` months that contains `now`. The windows begin at the anchor and at every `count`-th anniversary, also before it.
 * `startsAt` belongs to the window, `resetsAt` to the next one. Epoch milliseconds.
 */
export function billingWindow(
  anchor: number,
  count: number,
  now: number,
): { readonly startsAt: number; readonly resetsAt: number } {
  const start = Math.floor(monthsSince(anchor, now) / count) * count;
  return { startsAt: anniversaryOf(anchor, start), resetsAt: anniversaryOf(anchor, start + count) };
}

/** Months since the year 0. */
function monthOf(date: Date): number {
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function firstOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1);
}
