/** What a check answers for a meterable property (DESIGN 4.4), from its value and what its ledger has counted. */
import type { MeterableValue, PeriodLength, PeriodType } from '#contracts/values';
import { windowOf } from './window-of.ts';

/**
 * `on` and `off` say no more than whether it is allowed. `metered` always has all nine fields; those that do not apply
 * are null: count and length of a lifetime, `resetsAt` of a lifetime and of a trailing window without usage.
 */
export type MeterAnswer = { state: 'on'; allowed: true } | { state: 'off'; allowed: false } | MeteredAnswer;

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

/** What a ledger has counted for one property in the window that holds now. */
export interface MeterReading {
  used: number;
  /** Of a trailing window only: when its oldest usage falls out of it, where the ledger knows. */
  resetsAt?: number | null | undefined;
}

/** Without a reading nothing is used. A reading below zero is zero. */
export function readMeter(
  value: MeterableValue,
  reading: MeterReading | undefined,
  now: number,
): MeterAnswer {
  if (value.state === 'on') return { state: 'on', allowed: true };
  if (value.state === 'off') return { state: 'off', allowed: false };
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
    resetsAt: meter.periodType === 'fixed' ? trailingReset(reading, now) : windowOf(meter, now).resetsAt,
  };
}

/** The count of a reading. None, one below zero and one that is no number are 0. */
export function usedOf(reading: MeterReading | undefined): number {
  return reading !== undefined && reading.used > 0 ? reading.used : 0;
}

/** A reset that is over says nothing about the next one. */
export function trailingReset(reading: MeterReading | undefined, now: number): number | null {
  if (reading === undefined || reading.used <= 0) return null;
  const resetsAt = reading.resetsAt ?? null;
  return resetsAt !== null && resetsAt > now ? resetsAt : null;
}
