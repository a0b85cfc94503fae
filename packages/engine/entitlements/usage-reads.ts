/** Which usage an answer reads. */
import type { LedgerRead } from '#contracts/internal/ledger';
import { usageMeterOf } from '../metering/usage-meter.ts';
import { holesOf, type Readings } from './render-features.ts';
import type { Resolution } from './resolution.ts';

export interface UsageReads {
  /** Of every meterable property. */
  readonly reads: readonly LedgerRead[];
  /** Whether a property is metered, so that the answer depends on usage. What is on or off only shows it. */
  readonly isMetered: boolean;
}

export const NO_READS: UsageReads = { reads: [], isMetered: false };

const ofResolution = new WeakMap<Resolution, UsageReads>();

/** One result for the same resolution of all features. */
export function usageReadsOf(resolution: Resolution, only: ReadonlySet<string> | undefined): UsageReads {
  const known = only === undefined ? ofResolution.get(resolution) : undefined;
  if (known !== undefined) return known;
  const holes = holesOf(resolution, only);
  const reads = {
    reads: holes.map(({ property: { property }, choice }) => ({
      propertyId: property.id,
      meter: choice.meter?.meter ?? usageMeterOf(property),
    })),
    isMetered: holes.some(({ choice }) => choice.meter !== null),
  };
  if (only === undefined) ofResolution.set(resolution, reads);
  return reads;
}

/** Whether each metered property has a reading: all, some or none of them. */
export function measuredShare(
  resolution: Resolution,
  only: ReadonlySet<string> | undefined,
  readings: Readings,
): 'all' | 'some' | 'none' {
  const metered = holesOf(resolution, only).filter(({ choice }) => choice.meter !== null);
  const measured = metered.filter(({ property: { property } }) => readings.has(property.id)).length;
  if (measured === metered.length) return 'all';
  return measured === 0 ? 'none' : 'some';
}
