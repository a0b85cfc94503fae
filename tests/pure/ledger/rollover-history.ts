/** What rolls over in a random history, by the plain list of its decisions. */
import type { CounterUpdate, LedgerReading } from '#contracts/internal/ledger';
import { windowIn } from '#engine/ledger/usage-change';
import { minuteOf } from '#engine/metering/bucket-widths';
import { windowOf } from '#engine/metering/window-of';
import { ANCHORS, type Decision, type WindowedMeter } from './usage-account.ts';

const MOST = 8;
export const ROLLOVER = { max: MOST, lasts: { months: 1 } } as const;

/** Rolls over, if the window is a calendar month, or a billing month of one anchor: what another begins anew ends the windows of both. */
export function rolling<Window extends WindowedMeter>(window: Window): Window {
  const { periodType, periodCount, periodLength, uniqueResourceIds, anchorAt, trialEndAt } = window;
  const isMonth = periodCount === 1 && periodLength === 'month' && !uniqueResourceIds;
  const isOfAnchor = periodType === 'billing' && anchorAt === ANCHORS[0] && trialEndAt === undefined;
  const rolls = isMonth && (periodType === 'rolling' || isOfAnchor);
  return rolls ? { ...window, rollover: ROLLOVER } : window;
}

/** Whether an update notes the limit of its window for the meter. */
function isOf({ value, anchorAt, trialEndAt }: CounterUpdate, meter: WindowedMeter): boolean {
  if (value.state !== 'metered' || value.meter.rollover === undefined) return false;
  return (
    value.meter.periodType === meter.periodType &&
    anchorAt === meter.anchorAt &&
    trialEndAt === meter.trialEndAt
  );
}

/**
 * What can have rolled over from the window before the current one: with each of the limits that it was decided against, since which of
 * them was the last depends on which location knew of which. Null: nobody decided in it, so that it has the limit of a later one.
 *
 * @param decided all decisions of the property, also those that were refused or reverted @param counted those that count
 */
export function couldRollOver(
  decided: readonly Decision[],
  counted: readonly Decision[],
  meter: WindowedMeter,
  now: number,
): readonly number[] | null {
  const { startsAt: end } = windowOf(windowIn(meter, meter), now);
  const { startsAt } = windowOf(windowIn(meter, meter), end - 1);
  const limits = decided.flatMap(({ update, outcome: { at, replayed } }) =>
    !replayed && isOf(update, meter) && at >= startsAt && at < end && update.value.state === 'metered'
      ? [update.value.meter.limit]
      : [],
  );
  if (limits.length === 0) return null;
  const [from, to] = [minuteOf(startsAt), minuteOf(end)];
  const isIn = (minute: number) => minute >= from && minute < to;
  let onQuota = 0;
  for (const { outcome, givenBack } of counted) {
    const uses = givenBack?.map(({ minute, amount }) => ({ minute, amount: -amount })) ?? [
      { minute: minuteOf(outcome.at), amount: outcome.applied },
    ];
    for (const { minute, amount } of uses) if (isIn(minute)) onQuota += amount;
    for (const { minute, amount } of outcome.draws ?? []) if (isIn(minute)) onQuota -= amount;
  }
  return limits.map((limit) => Math.min(MOST, Math.max(0, limit - Math.max(0, onQuota))));
}

/** Of a reading: what rolled over from the window before the current one; 0 without any. */
export function rolledIn({ rolled = [] }: LedgerReading, meter: WindowedMeter, now: number): number {
  const { startsAt: end } = windowOf(windowIn(meter, meter), now);
  return rolled.find(({ startsAt }) => startsAt === end)?.amount ?? 0;
}
