/** Which usage an answer reads. */
import type { LedgerRead, MeterWindow } from '#contracts/internal/ledger';
import { usageMeterOf } from '../metering/usage-meter.ts';
import type { PreparedProperty } from './prepared-artifact.ts';
import { holesOf, type Readings } from './render-features.ts';
import type { Hole, Resolution } from './resolution.ts';

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
    reads: holes.map(({ property }) => ({
      propertyId: property.property.id,
      meter: usageMeter(resolution, property),
    })),
    isMetered: holes.some(isMetered(resolution)),
  };
  if (only === undefined) ofResolution.set(resolution, reads);
  return reads;
}

/** The window in which usage is read: the meter's, even if its feature is off. */
export function usageMeter(
  { configured, anchors }: Resolution,
  { index, property }: PreparedProperty,
): MeterWindow {
  const own = configured[index]?.meter?.meter;
  if (own !== undefined) return own;
  const meter = usageMeterOf(property);
  const window = anchors?.get(index)?.window;
  return window === undefined ? meter : { ...meter, ...window };
}

/** A workflow that turns the feature on may need what its meters have counted. */
function isMetered({ configured }: Resolution): (hole: Hole) => boolean {
  return ({ property }) => configured[property.index]?.meter != null;
}

/** Whether each metered property has a reading: all, some or none of them. */
export function measuredShare(
  resolution: Resolution,
  only: ReadonlySet<string> | undefined,
  readings: Readings,
): 'all' | 'some' | 'none' {
  const metered = holesOf(resolution, only).filter(isMetered(resolution));
  const measured = metered.filter(({ property: { property } }) => readings.has(property.id)).length;
  if (measured === metered.length) return 'all';
  return measured === 0 ? 'none' : 'some';
}
