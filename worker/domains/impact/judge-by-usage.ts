/**
 * A limit that falls takes access from those who have used as much and have no balance that is left. Usage is in the ledgers, one call for
 * each customer, so it is read for the first customers only; the others have less, and whether they lose access is not known.
 */
import { MAX_READINGS } from '#contracts/console/impact';
import type { Meter } from '#contracts/public/values';
import { readOwnMeter } from '#engine/entitlements/read-own-meter';
import type { Resolution } from '#engine/entitlements/resolution';
import { type MeterReading, quotaHeldIn, quotaTakenOf, readMeter } from '#engine/metering/read-meter';
import { inspectCustomer } from '#worker/domains/access/inspect-customer';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import type { RequestContext, Scope } from '#worker/http/request-context';
import type { ComparedGroup, JudgedChange } from './compare-customers.ts';

/** Calls of ledgers at once: a Worker has six connections. */
const AT_ONCE = 5;

export interface JudgedGroups {
  /** Each customer whose usage was read is a group alone. */
  readonly groups: readonly ComparedGroup[];
  readonly readings: number;
}

export async function judgeByUsage(
  ctx: RequestContext,
  scope: Scope,
  environmentId: string,
  groups: readonly ComparedGroup[],
): Promise<JudgedGroups> {
  const asked = groups
    .filter(({ changes }) => changes.some(isLowerLimit))
    .flatMap(({ customers }) => customers.map(({ identifier }) => identifier))
    .slice(0, MAX_READINGS);
  const known = await loadFactsOfMany(ctx.db, scope, environmentId, asked);
  const usage = new Map<string, ReadCustomer>();
  for (let from = 0; from < known.size; from += AT_ONCE) {
    const some = [...known].slice(from, from + AT_ONCE);
    await Promise.all(
      some.map(async ([identifier, facts]) => {
        const inspected = { environmentId, identifier, customer: identifier, facts };
        const { usage: read, resolution } = await inspectCustomer(ctx, scope, inspected);
        if (read !== null && resolution !== null)
          usage.set(identifier, { readings: read.readings, resolution, now: ctx.now });
      }),
    );
  }
  return { groups: groups.flatMap((group) => splitByUsage(group, usage)), readings: usage.size };
}

interface ReadCustomer {
  readonly readings: ReadonlyMap<string, MeterReading>;
  /** By what is deployed. */
  readonly resolution: Resolution;
  readonly now: number;
}

function splitByUsage(group: ComparedGroup, usage: ReadonlyMap<string, ReadCustomer>): ComparedGroup[] {
  const read = group.customers.flatMap((customer) => {
    const own = usage.get(customer.identifier);
    if (own === undefined) return [];
    const changes = group.changes.map((change) => judged(change, own));
    return [{ ...group, size: 1, customers: [customer], changes }];
  });
  if (read.length === 0) return [group];
  const customers = group.customers.filter(({ identifier }) => !usage.has(identifier));
  const size = group.size - read.length;
  return size === 0 ? read : [...read, { ...group, size, customers }];
}

function judged(change: JudgedChange, { readings, resolution, now }: ReadCustomer): JudgedChange {
  const meters = metersOf(change);
  if (meters === null) return change;
  const { id } = change.property.property;
  const reading = readings.get(id);
  const entry = resolution.prepared.propertyById.get(id);
  /** Also by the customer's balances. */
  const isAllowed = (meter: Meter) => {
    const value = { state: 'metered', meter } as const;
    return entry === undefined
      ? readMeter(value, reading, now).allowed
      : readOwnMeter(resolution, entry, value, reading, { now }).allowed;
  };
  const isLost = (meters.before === 'on' || isAllowed(meters.before)) && !isAllowed(meters.after);
  const held = quotaHeldIn(reading);
  const usage = { used: quotaTakenOf(reading) - held, ...(held > 0 && { held }) };
  return { ...change, ...usage, ...(isLost ? { kind: 'loses' as const } : {}) };
}

function isLowerLimit(change: JudgedChange): boolean {
  return change.kind === 'less' && metersOf(change) !== null;
}

/** Null unless a limit changes, and the same usage counts against both. */
function metersOf({
  before,
  after,
  costs,
}: JudgedChange): { readonly before: Meter | 'on'; readonly after: Meter } | null {
  if (costs !== undefined || typeof after !== 'object' || after?.state !== 'metered') return null;
  if (typeof before !== 'object' || before === null || before.state === 'off') return null;
  if (before.state === 'on') return { before: 'on', after: after.meter };
  return windowText(before.meter) === windowText(after.meter)
    ? { before: before.meter, after: after.meter }
    : null;
}

function windowText({ periodType, periodCount, periodLength, uniqueResourceIds, zone }: Meter): string {
  return JSON.stringify([periodType, periodCount, periodLength, uniqueResourceIds, zone]);
}
