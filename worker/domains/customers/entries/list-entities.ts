/** Lists a customer's entities with what they have used: for the public API, and for a customer's page. */
import type { Entity, EntityMeter } from '#contracts/public/entities';
import type { PreparedProperty } from '#engine/entitlements/prepared-artifact';
import type { Resolution } from '#engine/entitlements/resolution';
import { entityMeter, usageMeter } from '#engine/entitlements/usage-reads';
import { type MeteredAnswer, type MeterReading, readMeter } from '#engine/metering/read-meter';
import { inspectCustomer } from '#worker/domains/access/inspect-customer';
import { type EntityPage, readEntityPage } from '#worker/domains/metering/read-entities';

type Inspecting = Parameters<typeof inspectCustomer>;

export interface ListedEntities extends Pick<EntityPage, 'hasMore' | 'isWhole'> {
  readonly entities: readonly Entity[];
  /** Of each entity's meters, in their order. */
  readonly properties: readonly PreparedProperty[];
}

/**
 * @param after the last one of the page before; null: the first page
 * @throws {ApiError} not-found without such an environment; unavailable
 */
export async function listEntities(
  ctx: Inspecting[0],
  scope: Inspecting[1],
  customer: Inspecting[2],
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<ListedEntities> {
  const { snapshot, resolution } = await inspectCustomer(ctx, scope, customer);
  const limited = resolution?.prepared.perEntity ?? [];
  if (resolution === null || limited.length === 0)
    return { entities: [], properties: [], hasMore: false, isWhole: true };
  const { env, now } = ctx;
  const reads = limited.map((each) => ({ propertyId: each.property.id, meter: windowOf(resolution, each) }));
  const page = await readEntityPage(env, snapshot, { customer: customer.customer, reads, after, limit, now });
  return {
    ...page,
    properties: limited,
    entities: page.entities.map(({ entity, readings }) => ({
      id: entity,
      meters: limited.map((each, index) => meterOf(resolution, each, readings[index], now)),
    })),
  };
}

/** Without a limit of each entity: all time. */
function windowOf(resolution: Resolution, property: PreparedProperty) {
  const meter = entityMeter(resolution, property);
  if (meter === undefined) {
    const { uniqueResourceIds } = usageMeter(resolution, property);
    return { periodType: 'lifetime', uniqueResourceIds } as const;
  }
  const { limit: _, ...window } = meter;
  return window;
}

function meterOf(
  resolution: Resolution,
  { feature, property, index, ...entry }: PreparedProperty,
  reading: MeterReading | undefined,
  now: number,
): EntityMeter {
  const meter = entityMeter(resolution, { feature, property, index, ...entry });
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
