/** The public answer for a meterable property, from the customer's value and the ledger's reading. */
import type { BalanceFacts } from '#contracts/internal/customer-facts';
import type { ReadDraws } from '#contracts/internal/ledger';
import type { MeterableValue, PeriodLength, PeriodType } from '#contracts/public/values';
import { sourcesOf } from '../balances/drawing-order.ts';
import { readBalances } from '../balances/read-balances.ts';
import { type MeterPeriod, windowOf } from './window-of.ts';

/**
 * `on` and `off` have `allowed`, and `used` if usage was read. `metered` always has all nine fields. Fields that do not apply are null: count and
 * length of a lifetime meter, `resetsAt` of a lifetime meter and of a trailing window without usage.
 */
export type MeterAnswer =
  | { state: 'on'; allowed: true; used?: number }
  | { state: 'off'; allowed: false; used?: number }
  | MeteredAnswer;

export interface MeteredAnswer {
  state: 'metered';
  /** used < limit */
  allowed: boolean;
  limit: number;
  used: number;
  remaining: number;
  periodType: PeriodType;
  periodCount: number | null;
  periodLength: PeriodLength | null;
  resetsAt: number | null;
  /** Usage above the limit and all balances; absent if there is none, and without balances. */
  overage?: number;
}

/** A ledger's count for one property in the current window. */
export interface MeterReading {
  used: number;
  /** Trailing windows: when the oldest usage leaves the window, if the ledger knows. Billing windows: the end of the one that was read. */
  resetsAt?: number | null | undefined;
  draws?: ReadDraws | undefined;
}

/**
 * Of a metered value, a missing reading counts as no usage. A negative one counts as zero.
 * @param balances the customer's, of the property: limit, usage and what remains include them
 * @param anchorAt what a billing window is counted from; without it and without a reading, the first of the month
 */
export function readMeter(
  value: MeterableValue,
  reading: MeterReading | undefined,
  now: number,
  anchorAt?: number,
  balances?: readonly BalanceFacts[],
): MeterAnswer {
  const usage = reading === undefined ? {} : { used: usedOf(reading) };
  if (value.state === 'on') return { state: 'on', allowed: true, ...usage };
  if (value.state === 'off') return { state: 'off', allowed: false, ...usage };
  const { meter } = value;
  const isLifetime = meter.periodType === 'lifetime';
  const window = anchorAt === undefined ? meter : { ...meter, anchorAt };
  return {
    state: 'metered',
    ...(balances === undefined
      ? readQuota(meter.limit, usedOf(reading))
      : readWithBalances(window, meter.limit, reading, now, balances)),
    periodType: meter.periodType,
    periodCount: isLifetime ? null : meter.periodCount || 1,
    periodLength: isLifetime ? null : (meter.periodLength ?? null),
    resetsAt: resetOf(window, reading, now),
  };
}

type Left = Pick<MeteredAnswer, 'allowed' | 'limit' | 'used' | 'remaining' | 'overage'>;

function readQuota(limit: number, used: number): Left {
  return { allowed: used < limit, limit, used, remaining: Math.max(0, limit - used) };
}

/** What is left of a meter with balances. @param quota the meter's own limit */
function readWithBalances(
  window: MeterPeriod,
  quota: number,
  reading: MeterReading | undefined,
  now: number,
  balances: readonly BalanceFacts[],
): Left {
  const sources = sourcesOf(balances, windowOf(window, now).resetsAt, now);
  const counted = { used: usedOf(reading), draws: reading?.draws };
  const { limit, used, remaining, overage } = readBalances(sources, quota, counted);
  return { allowed: remaining > 0, limit, used, remaining, ...(overage > 0 && { overage }) };
}

function resetOf(meter: MeterPeriod, reading: MeterReading | undefined, now: number): number | null {
  if (meter.periodType === 'fixed') return trailingReset(reading, now);
  return meter.periodType === 'billing' ? billingReset(meter, reading, now) : windowOf(meter, now).resetsAt;
}

/** The ledger's word comes first: a decision that is replayed was made under the anchor of then. */
export function billingReset(
  meter: MeterPeriod,
  reading: MeterReading | undefined,
  now: number,
): number | null {
  const resetsAt = reading?.resetsAt ?? null;
  return resetsAt !== null && resetsAt > now ? resetsAt : windowOf(meter, now).resetsAt;
}

/** The reading's count; 0 if it is missing, negative or not a number. */
export function usedOf(reading: MeterReading | undefined): number {
  return reading !== undefined && reading.used > 0 ? reading.used : 0;
}

/** Null once the reset has passed: it does not tell when the next usage leaves. */
export function trailingReset(reading: MeterReading | undefined, now: number): number | null {
  if (reading === undefined || reading.used <= 0) return null;
  const resetsAt = reading.resetsAt ?? null;
  return resetsAt !== null && resetsAt > now ? resetsAt : null;
}
