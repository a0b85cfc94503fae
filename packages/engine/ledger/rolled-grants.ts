/**
 * What is left of a limit when its period ends, and can be used after it: grants that are computed from what was used and from the limits
 * that periods had, so that every location comes to the same ones.
 */
import type { MeterWindow, RolledGrant } from '#contracts/internal/ledger';
import type { Rollover } from '#contracts/public/rollover';
import { rolledAmount } from '../balances/rolled-amount.ts';
import { anniversaryOf, monthsSince } from '../metering/billing-window.ts';
import type { Reach } from '../metering/bucket-widths.ts';
import { minuteOf } from '../metering/bucket-widths.ts';
import { windowOf } from '../metering/window-of.ts';
import { monthIn } from '../metering/zoned-window.ts';

/** A window in which something was decided against a limit. Instants are epoch milliseconds. */
export interface Period {
  readonly startsAt: number;
  /** As it was when it was last decided in: a customer's windows may begin anew meanwhile. */
  readonly endsAt: number;
  /** When it was first decided in: that of windows before it of which nothing is known. */
  readonly firstLimit: number;
  /** When it was last decided in. */
  readonly limit: number;
}

/** What was counted. */
export interface RolledUsage {
  /** In all, and of that what grants paid for. */
  taken(reach: Reach): { readonly used: number; readonly drawn: number };
  /** What was drawn from a grant before a minute. */
  drawnBefore(grant: string, minute: number): number;
}

/** A property id has no such character. */
const SEPARATOR = ':';
const NONE: readonly never[] = [];

export function rolledName(propertyId: string, startsAt: number): string {
  return ['roll', propertyId, startsAt].join(SEPARATOR);
}

interface Ended extends Pick<Period, 'startsAt' | 'endsAt' | 'limit'> {
  /** Nothing is known to have been decided in it. */
  readonly isUnseen: boolean;
}

/**
 * What can be used now of what was left earlier. Of a window that has its limit from a later one, nothing is left if anything was used in
 * it: it was counted while nothing rolled over.
 *
 * @param meter as it is now, with what rolls over and the limit
 * @param periods in order; nothing is left of the time before the first one
 * @returns the oldest first
 */
export function rolledGrants(
  propertyId: string,
  meter: MeterWindow,
  now: number,
  periods: readonly Period[],
  usage: RolledUsage,
): readonly RolledGrant[] {
  const { rollover } = meter;
  const [first] = periods;
  if (rollover === undefined || first === undefined) return NONE;
  const rolled: RolledGrant[] = [];
  for (const ended of endedWindows(meter, now, periods)) {
    const { startsAt: from, endsAt: startsAt, limit, isUnseen } = ended;
    const lasts = (times: number) => endOf(meter, startsAt, rollover, times);
    const { times = 1 } = rollover;
    // All earlier ones have ended too.
    if ((lasts(times) ?? Number.POSITIVE_INFINITY) <= now) break;
    const { used, drawn } = usage.taken({ from: minuteOf(from), to: minuteOf(startsAt) });
    if (isUnseen && used !== 0) continue;
    const grant = rolledName(propertyId, from);
    let amount = rolledAmount(rollover, Math.max(0, limit - Math.max(0, used - drawn)));
    let time = 1;
    for (; time < times && (lasts(time) ?? now + 1) <= now; time++) {
      const before = usage.drawnBefore(grant, minuteOf(lasts(time) ?? now));
      amount = before + rolledAmount(rollover, Math.max(0, amount - before));
    }
    if (amount > 0) rolled.unshift({ grant, amount, from, startsAt, endsAt: lasts(time) });
  }
  return rolled;
}

/**
 * The instants that `rolledGrants` reads usage from or to, for good or until their periods are known no longer: where windows begin and end,
 * and where what is left of one rolls over again.
 *
 * @param meter null: not known, or nothing rolls over now
 * @returns epoch milliseconds, in any order
 */
export function rolledEdges(meter: MeterWindow | null, now: number, periods: readonly Period[]): number[] {
  const edges = periods.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]);
  if (meter?.rollover === undefined) return edges;
  for (const { startsAt, endsAt } of endedWindows(meter, now, periods)) {
    edges.push(startsAt, endsAt);
    for (let time = 1; time < (meter.rollover.times ?? 1); time++)
      edges.push(endOf(meter, endsAt, meter.rollover, time) ?? endsAt);
  }
  return edges;
}

/** The windows before the current one, the latest first. A window ends early where the next one begins. */
function* endedWindows(meter: MeterWindow, now: number, periods: readonly Period[]): Generator<Ended> {
  const { startsAt: current } = windowOf(meter, now);
  const known = periods.find(({ startsAt }) => startsAt === current);
  let next = { startsAt: current, firstLimit: known?.firstLimit ?? meter.limit ?? 0 };
  for (const period of periods.toReversed()) {
    const { startsAt, limit } = period;
    if (startsAt >= current) continue;
    const endsAt = Math.min(period.endsAt, next.startsAt);
    let end = next.startsAt;
    while (end > endsAt) {
      const unseen = windowOf(meter, end - 1);
      if (unseen.resetsAt !== end || unseen.startsAt < endsAt) break;
      yield { startsAt: unseen.startsAt, endsAt: end, limit: next.firstLimit, isUnseen: true };
      end = unseen.startsAt;
    }
    yield { startsAt, endsAt, limit, isUnseen: false };
    next = period;
  }
}

/** When what rolled over at an instant ends after some times; null: never. Months are counted as those of the windows. */
function endOf(meter: MeterWindow, at: number, { lasts }: Rollover, times: number): number | null {
  if (lasts === 'forever') return null;
  const { periodType, anchorAt = 0, trialEndAt, zone } = meter;
  if (periodType === 'rolling' && zone !== undefined) return monthIn(zone, at, lasts.months * times);
  const anchors = periodType === 'billing' ? [trialEndAt ?? anchorAt, anchorAt] : [0];
  const anchor = anchors.find((each) => anniversaryOf(each, monthsSince(each, at)) === at) ?? at;
  return anniversaryOf(anchor, monthsSince(anchor, at) + lasts.months * times);
}
