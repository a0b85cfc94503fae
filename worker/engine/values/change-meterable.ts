/** What changes along when someone picks another state or period in a meterable's editor (specification section 4). */
import type { Meter, MeterableValue, PeriodType } from '#contracts/values';

/** What a value starts with that becomes metered. */
export const DEFAULT_METER: Meter = { limit: 1, periodType: 'lifetime', uniqueResourceIds: false };

/** Choosing metered sets the default meter; a value that is metered already keeps its own. */
export function withState(value: MeterableValue, state: MeterableValue['state']): MeterableValue {
  if (state !== 'metered') return { state };
  return value.state === 'metered' ? value : { state, meter: { ...DEFAULT_METER } };
}

/** A period other than lifetime becomes one month where it is missing; lifetime clears count and length. */
export function withPeriodType(meter: Meter, periodType: PeriodType): Meter {
  const { limit, uniqueResourceIds, periodCount = 1, periodLength = 'month' } = meter;
  return periodType === 'lifetime'
    ? { limit, periodType, uniqueResourceIds }
    : { limit, periodType, periodCount, periodLength, uniqueResourceIds };
}
