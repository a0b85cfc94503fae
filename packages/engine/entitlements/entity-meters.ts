/** What a list of a customer's entities says of each: the meters of which any plan of the version limits each entity. */
import type { LedgerRead } from '#contracts/internal/ledger';
import type { EntityMeter } from '#contracts/public/entities';
import { type MeteredAnswer, type MeterReading, readMeter } from '../metering/read-meter.ts';
import type { PreparedProperty } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';
import { entityLimit, usageMeter } from './usage-reads.ts';

/** What is read of an entity's account. Without a limit of each entity: all time. */
export function entityRead(resolution: Resolution, property: PreparedProperty): LedgerRead {
  const propertyId = property.property.id;
  const each = entityLimit(resolution, property);
  if (each === undefined) {
    const { uniqueResourceIds } = usageMeter(resolution, property);
    return { propertyId, meter: { periodType: 'lifetime', uniqueResourceIds } };
  }
  const { limit: _, ...meter } = each.meter;
  return { propertyId, ...each, meter };
}

export function readEntityMeter(
  resolution: Resolution,
  entry: PreparedProperty,
  reading: MeterReading | undefined,
  now: number,
): EntityMeter {
  const { feature, property, index } = entry;
  const meter = entityLimit(resolution, entry)?.meter;
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
  const unseated = reading?.isUnseated && ({ remaining: 0, allowed: false, hasSeat: false } as const);
  return { feature: feature.slug, property: property.key, ...said, ...unseated };
}

type NoLimit = Readonly<Partial<Record<'limit' | 'remaining' | 'resetsAt', null>>>;
