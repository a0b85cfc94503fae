/** Precomputes the JSON text that a value contributes to an answer. */
import type { Meter, PropertyValue } from '#contracts/public/values';
import type { Choice, MeterText } from './prepared-artifact.ts';

export function choiceOf(value: PropertyValue): Choice {
  if (typeof value !== 'object') return { value, text: JSON.stringify(value), meter: null };
  if (value.state === 'metered') return { value, text: null, meter: meterTextOf(value.meter) };
  return { value, text: `{"state":"${value.state}","allowed":${value.state === 'on'}}`, meter: null };
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
