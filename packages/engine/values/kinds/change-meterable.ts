/** The fields of a meterable value that change when its state or period is edited. */
import type { Meter, MeterableValue, PeriodType } from '#contracts/public/values';
import { MAX_BILLING_MONTHS } from './limited-window.ts';
import { perEntityOf } from './per-entity.ts';
import { planCostsOf } from './plan-costs.ts';
import { canRollOver } from './rollover.ts';

/** The meter of a value that becomes metered. */
export const DEFAULT_METER: Meter = { limit: 1, periodType: 'lifetime', uniqueResourceIds: false };

/** Choosing metered sets the default meter. A value that is already metered keeps its meter, and one that is not off the limit of entities and the cost. */
export function withState(value: MeterableValue, state: MeterableValue['state']): MeterableValue {
  if (value.state === state) return value;
  if (state === 'off') return { state };
  const [perEntity, costs] = [perEntityOf(value), planCostsOf(value)];
  const more = { ...(perEntity && { perEntity }), ...(costs && { costs }) };
  return state === 'on' ? { state, ...more } : { state, meter: { ...DEFAULT_METER }, ...more };
}

/** A missing period becomes one month. Lifetime clears count and length, and billing periods are of months. What cannot roll over does not. */
export function withPeriodType(meter: Meter, periodType: PeriodType): Meter {
  const { limit, uniqueResourceIds, periodCount = 1, periodLength = 'month', trialLimit, overage } = meter;
  const own = { limit, periodType, uniqueResourceIds, ...(overage !== undefined && { overage }) };
  if (periodType === 'lifetime') return own;
  if (periodType !== 'billing') return withRollover({ ...own, periodCount, periodLength }, meter.rollover);
  const isOfMonths = periodLength === 'month' && periodCount <= MAX_BILLING_MONTHS;
  const billing: Meter = {
    ...{ ...own, periodCount: isOfMonths ? periodCount : 1, periodLength: 'month' },
    ...(trialLimit !== undefined && { trialLimit }),
  };
  return withRollover(billing, meter.rollover);
}

/** @returns the meter without, if it cannot roll over */
export function withRollover({ rollover: _, ...meter }: Meter, rollover: Meter['rollover']): Meter {
  return rollover === undefined || !canRollOver(meter) ? meter : { ...meter, rollover };
}
