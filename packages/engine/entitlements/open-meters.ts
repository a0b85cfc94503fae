/** Balances that open a feature without a plan: pay as you go. */
import { usageMeterOf } from '../metering/usage-meter.ts';
import { choiceOf } from './choice.ts';
import type { PreparedFeature, PreparedProperty } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';
import { switchMeters } from './switched-meters.ts';

/**
 * Turns on features that are off, and meters a meter of such a feature, or one that is off itself, with a quota of 0 in the window of its
 * default. Overrides decide otherwise: what one sets stays.
 *
 * @param meters of which the customer has a balance that opens them
 * @returns the same resolution if all are open
 */
export function openMeters(resolution: Resolution, meters: ReadonlySet<PreparedProperty>): Resolution {
  const { prepared, overrides } = resolution;
  const opened = new Set<number>();
  const configured = [...resolution.configured];
  const isOn = ({ enabled }: PreparedFeature) =>
    enabled === null || resolution.configured[enabled.index]?.value !== false;
  for (const { index, featureIndex, property } of meters) {
    const feature = prepared.features[featureIndex];
    const value = resolution.configured[index]?.value;
    if (feature === undefined || typeof value !== 'object') continue;
    const { enabled } = feature;
    const isSet = overrides?.has(index) || (enabled !== null && overrides?.has(enabled.index));
    if (isSet || (value.state !== 'off' && isOn(feature))) continue;
    const { periodType, periodCount, periodLength, uniqueResourceIds } = usageMeterOf(property);
    if (uniqueResourceIds) continue;
    const meter = { limit: 0, periodType, periodCount, periodLength, uniqueResourceIds };
    configured[index] = choiceOf({ state: 'metered', meter });
    opened.add(index);
    if (enabled === null || isOn(feature)) continue;
    configured[enabled.index] = choiceOf(true);
    opened.add(enabled.index);
  }
  if (opened.size === 0) return resolution;
  return { ...resolution, configured, choices: switchMeters(prepared, configured), opened };
}
