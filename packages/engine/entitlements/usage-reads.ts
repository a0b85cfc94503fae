/** Which usage an answer reads. */
import type { LedgerRead, MeterWindow, WindowAnchor } from '#contracts/internal/ledger';
import type { Meter, MeterableValue } from '#contracts/public/values';
import { readingKey } from '../metering/reading-key.ts';
import { usageMeterOf } from '../metering/usage-meter.ts';
import { perEntityOf } from '../values/kinds/per-entity.ts';
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
const withEntities = new WeakMap<Resolution, UsageReads>();

/** One result for the same resolution of all features. */
export function usageReadsOf(resolution: Resolution, only: ReadonlySet<string> | undefined): UsageReads {
  const known = only === undefined ? ofResolution.get(resolution) : undefined;
  if (known !== undefined) return known;
  const holes = holesOf(resolution, only);
  const readOf = (property: PreparedProperty) => ({
    propertyId: property.property.id,
    meter: usageMeter(resolution, property),
  });
  const own = holes.map(({ property }) => readOf(property));
  const payers = payersBeside(holes);
  const reads = {
    reads: payers === null ? own : [...own, ...[...payers].map(readOf)],
    isMetered: holes.some(isMetered(resolution)),
  };
  if (only === undefined) ofResolution.set(resolution, reads);
  return reads;
}

/**
 * As usageReadsOf, and what an entity of the customer has used of what each may use. The same result where nothing limits entities.
 * Nothing else may be read of the entity.
 */
export function entityReadsOf(resolution: Resolution, only: ReadonlySet<string> | undefined): UsageReads {
  const known = only === undefined ? withEntities.get(resolution) : undefined;
  if (known !== undefined) return known;
  const own = usageReadsOf(resolution, only);
  const holes = holesOf(resolution, only);
  const asked = holes.map(({ property }) => property);
  const more = [...asked, ...(payersBeside(holes) ?? [])].flatMap((property): LedgerRead[] => {
    const limit = entityLimit(resolution, property);
    return limit === undefined ? [] : [{ propertyId: property.property.id, ...limit, ofEntity: true }];
  });
  const reads = more.length === 0 ? own : { reads: [...own.reads, ...more], isMetered: true };
  if (only === undefined) withEntities.set(resolution, reads);
  return reads;
}

export interface EntityLimit {
  /** In the customer's billing period if it says so. */
  readonly meter: Meter & WindowAnchor;
  /** Only entities that are a resource in use of this property have any. */
  readonly seat?: string | undefined;
}

/** What limits each entity. Undefined: nothing does. */
export function entityLimit(resolution: Resolution, property: PreparedProperty): EntityLimit | undefined {
  const choice = resolution.configured[property.index];
  const perEntity = choice?.isPerEntity ? perEntityOf(choice.value as MeterableValue) : undefined;
  if (perEntity === undefined) return undefined;
  const { seats: seat, ...limit } = perEntity;
  const { uniqueResourceIds } = usageMeter(resolution, property);
  const anchor = limit.periodType === 'billing' ? resolution.anchors?.get(property.index)?.window : {};
  const meter = { ...limit, uniqueResourceIds, ...anchor };
  return seat === undefined ? { meter } : { meter, seat };
}

/** What meters cost is read, too, where the features of the paying meters are not asked for. Null: nothing is missing. */
function payersBeside(holes: readonly Hole[]): ReadonlySet<PreparedProperty> | null {
  let payers: Set<PreparedProperty> | null = null;
  for (const { property } of holes) {
    const payer = property.cost?.payer;
    if (payer === undefined || holes.some((hole) => hole.property === payer)) continue;
    payers ??= new Set();
    payers.add(payer);
  }
  return payers;
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
function isMetered({ configured }: Resolution): (hole: Pick<Hole, 'property'>) => boolean {
  return ({ property: { index, cost } }) =>
    configured[index]?.meter != null || (cost !== null && configured[cost.payer.index]?.meter != null);
}

/** Whether each read that the answer depends on has a reading: all, some or none of them. */
export function measuredShare(
  resolution: Resolution,
  reads: readonly LedgerRead[],
  readings: Readings,
): 'all' | 'some' | 'none' {
  const { propertyById } = resolution.prepared;
  const isDeciding = isMetered(resolution);
  const metered = reads.filter(({ propertyId, ofEntity }) => {
    const property = propertyById.get(propertyId);
    return ofEntity === true || (property !== undefined && isDeciding({ property }));
  });
  const measured = metered.filter((read) => readings.has(readingKey(read))).length;
  if (measured === metered.length) return 'all';
  return measured === 0 ? 'none' : 'some';
}
