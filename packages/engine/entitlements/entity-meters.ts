/** What a list of a customer's entities says of each: the meters of which any plan of the version limits each entity. */
import type { LedgerRead } from '#contracts/internal/ledger';
import type { EntityMeter } from '#contracts/public/entities';
import { type MeteredAnswer, type MeterReading, readMeter } from '../metering/read-meter.ts';
import type { PreparedProperty } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';
import { entityMeter, usageMeter } from './usage-reads.ts';

/** What is read of an entity's account. Without a limit of each entity: all time. */
export function entityRead(resolution: Resolution, property: PreparedProperty): LedgerRead {
  const propertyId = property.property.id;
  const limited = entityMeter(resolution, property);
  if (limited === undefined) {
    const { uniqueResourceIds } = usageMeter(resolution, property);
    return { propertyId, meter: { periodType: 'lifetime', uniqueResourceIds } };
  }
  const { limit: _, ...meter } = limited;
  return { propertyId, meter };
}

export function readEntityMeter(
  resolution: Resolution,
  entry: PreparedProperty,
  reading: MeterReading | undefined,
  now: number,
): EntityMeter {
  const { feature, property, index } = entry;
  const meter = entityMeter(resolution, entry);
  const value = meter === undefined ? ({ state: 'on' } as const) : ({ state: 'metered', meter } as const);
  const anchor = resolution.anchors?.get(index)?.window;
  const read = readMeter(value, reading ?? { used: 0 }, now, { anchor });
  const { used = 0, held, allowed } = read;
  const {
    limit = null,
    remaining = null,
    resetsAt = null,
  }: Partial<MeteredAnswer> | NoLimit = read.state === 'metered' ? read : {};
  const said = { limit, used, ...(held !== undefined && { held }), remaining, allowed, resetsAt };
  return { feature: feature.slug, property: property.key, ...said };
}

type NoLimit = Readonly<Partial<Record<'limit' | 'remaining' | 'resetsAt', null>>>;
