/** Precomputes the JSON text that a value contributes to an answer. */
import type { Meter, MeterableValue, PropertyValue } from '#contracts/public/values';
import { perEntityOf } from '../values/kinds/per-entity.ts';
import { withoutPlanCosts } from '../values/kinds/plan-costs.ts';
import type { Choice, MeterText } from './prepared-artifact.ts';

/** @param given a plan's: its limit of trials and its costs are kept with the plan (prepared-artifact.ts) */
export function choiceOf(given: PropertyValue): Choice {
  const value = typeof given === 'object' ? withoutPlanCosts(withoutTrialLimit(given)) : given;
  if (typeof value !== 'object')
    return { value, text: JSON.stringify(value), meter: null, isPerEntity: false };
  const isPerEntity = perEntityOf(value) !== undefined;
  if (value.state === 'metered') return { value, text: null, meter: meterTextOf(value.meter), isPerEntity };
  const text = `{"state":"${value.state}","allowed":${value.state === 'on'}}`;
  return { value, text, meter: null, isPerEntity };
}

function withoutTrialLimit(value: MeterableValue): MeterableValue {
  if (value.state !== 'metered' || value.meter.trialLimit === undefined) return value;
  const { trialLimit: _, ...meter } = value.meter;
  return { ...value, meter };
}

function meterTextOf(meter: Meter): MeterText {
  const { limit, periodType } = meter;
  const isLifetime = periodType === 'lifetime';
  const count = isLifetime ? null : meter.periodCount || 1;
  const length = isLifetime ? null : (meter.periodLength ?? null);
  return {
    meter,
    middle: `,"limit":${JSON.stringify(limit)},"used":`,
    end: `,"periodType":"${periodType}","periodCount":${count},"periodLength":${JSON.stringify(length)},"resetsAt":`,
    // An empty window: the first read computes the real one.
    window: { startsAt: 0, resetsAt: 0 },
  };
}
