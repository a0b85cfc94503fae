/** The public answer for a meterable property, from the customer's value and the ledger's reading. */
import type { MeterableValue, PeriodLength, PeriodType } from '#contracts/public/values';
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
}

/** A ledger's count for one property in the current window. */
export interface MeterReading {
  used: number;
  /** Trailing windows: when the oldest usage leaves the window, if the ledger knows. Billing windows: the end of the one that was read. */
  resetsAt?: number | null | undefined;
}

/**
 * Of a metered value, a missing reading counts as no usage. A negative one counts as zero.
 * @param anchorAt what a billing window is counted from; without it and without a reading, the first of the month
 */
export function readMeter(
  value: MeterableValue,
  reading: MeterReading | undefined,
  now: number,
  anchorAt?: number,
): MeterAnswer {
  const usage = reading === undefined ? {} : { used: usedOf(reading) };
  if (value.state === 'on') return { state: 'on', allowed: true, ...usage };
  if (value.state === 'off') return { state: 'off', allowed: false, ...usage };
  const { meter } = value;
  const used = usedOf(reading);
  const isLifetime = meter.periodType === 'lifetime';
  return {
    state: 'metered',
    allowed: used < meter.limit,
    limit: meter.limit,
    used,
    remaining: Math.max(0, meter.limit - used),
    periodType: meter.periodType,
    periodCount: isLifetime ? null : meter.periodCount || 1,
    periodLength: isLifetime ? null : (meter.periodLength ?? null),
    resetsAt: resetOf(anchorAt === undefined ? meter : { ...meter, anchorAt }, reading, now),
  };
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
