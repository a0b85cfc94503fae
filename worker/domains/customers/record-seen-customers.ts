/**
 * Consumer of customers.seen: stores when customers called last, and their meter nearest its limit. An unknown caller becomes
 * a known customer. Repeated and late messages change nothing.
 */
import { sql } from 'drizzle-orm';
import type { SeenCustomer, Sightings } from '#contracts/internal/seen-customers';
import { canonicalOf } from '#contracts/public/identifiers';
import { DAY_MS } from '#engine/durations';
import { searchWords } from '#engine/identity/search-words';
import { type NearestLimit, nearestLimit, shareOfLimit } from '#engine/metering/nearest-limit';
import type { CustomersSeen } from '#runtime/messages';
import { commit, type Db, type Statement } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { customerRenewal, knownCustomer } from '#worker/db/schema/customers';
import { organization } from '#worker/db/schema/organisations';
import { findEmailOwners } from '#worker/domains/customer-facts/known-customers';
import type { WorkContext } from '#worker/http/request-context';

/** How long a customer that only calls, and is in no connected account, is listed after its last call. */
const SEEN_KEPT_MS = 90 * DAY_MS;
/** Per message. */
const MAX_FORGOTTEN = 500;

export async function recordSeenCustomers(
  { db, now }: Pick<WorkContext, 'db' | 'now'>,
  { orgId, resolutionMs, ...sightings }: CustomersSeen,
): Promise<void> {
  const customers = readSightings(sightings);
  const names = customers.map(({ identifier }) => identifier);
  const [owners, environments] = await Promise.all([
    findEmailOwners(db, orgId, names),
    listEnvironmentIds(db, liveEnvironment(orgId)),
  ]);
  const seen = merge(customers, owners);
  const known = await readKnown(db, orgId, [...seen.keys()]);
  const writes = [...seen].flatMap(([identifier, { at, readings }]) => {
    const row = known.get(identifier);
    const before = row?.nearest ?? null;
    const nearest = nearestLimit(
      before,
      readings.filter(({ envId }) => environments.includes(envId)),
    );
    if (row !== undefined && at < row.lastSeenAt + resolutionMs && !hasMoved(before, nearest)) return [];
    return [{ identifier, at, nearest, share: nearest === null ? 0 : shareOfLimit(nearest) }];
  });
  await commit(db, [...write(db, orgId, writes), ...renew(db, orgId, writes), forgetOld(db, orgId, now)]);
}

function readSightings({ featureLists, customers }: Sightings): SeenCustomer[] {
  return customers.map(({ readings, ...customer }) => ({
    ...customer,
    readings: readings.map(({ list, ...reading }) => ({ ...reading, features: featureLists[list] ?? [] })),
  }));
}

interface Seen {
  readonly at: number;
  readonly readings: SeenCustomer['readings'];
}

/** An email that belongs to a Stripe customer counts for the customer. */
function merge(
  customers: readonly SeenCustomer[],
  owners: ReadonlyMap<string, string>,
): ReadonlyMap<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const { identifier, at, readings } of customers) {
    const name = owners.get(identifier) ?? identifier;
    const other = seen.get(name);
    seen.set(name, {
      at: Math.max(at, other?.at ?? 0),
      readings: [...(other?.readings ?? []), ...readings].sort((one, two) => one.at - two.at),
    });
  }
  return seen;
}

/** A change of the share that is written at once; smaller ones wait for the resolution. */
const MOVE = 0.05;

/** Whether another meter is the nearest one, or its share has changed much or crossed the limit. */
function hasMoved(before: NearestLimit | null, after: NearestLimit | null): boolean {
  if (before === null || after === null) return before !== after;
  const [was, is] = [shareOfLimit(before), shareOfLimit(after)];
  return (
    before.envId !== after.envId ||
    before.feature !== after.feature ||
    before.property !== after.property ||
    Math.abs(is - was) >= MOVE ||
    is >= 1 !== was >= 1
  );
}

async function readKnown(db: Db, orgId: string, identifiers: readonly string[]) {
  const { identifier, lastSeenAt, nearest } = knownCustomer;
  const rows = await db
    .select({ identifier, lastSeenAt, nearest })
    .from(knownCustomer)
    .where(
      sql`${knownCustomer.orgId} = ${orgId} AND ${identifier} IN (SELECT value FROM json_each(${JSON.stringify(identifiers)}))`,
    );
  return new Map(rows.map((row) => [row.identifier, row]));
}

interface Write {
  readonly identifier: string;
  readonly at: number;
  readonly nearest: NearestLimit | null;
  readonly share: number;
}

/** Nothing is written for an organisation that was deleted meanwhile. */
function write(db: Db, orgId: string, writes: readonly Write[]): Statement[] {
  if (writes.length === 0) return [];
  const given = JSON.stringify(writes.map((each) => ({ ...each, words: searchWords([each.identifier]) })));
  return [
    insertSelect(
      db,
      knownCustomer,
      {
        orgId,
        identifier: sql`value ->> 'identifier'`,
        words: sql`value -> 'words'`,
        createdAt: sql`value ->> 'at'`,
        lastSeenAt: sql`value ->> 'at'`,
        nearest: sql`CASE json_type(value, '$.nearest') WHEN 'object' THEN value -> 'nearest' END`,
        nearShare: sql`value ->> 'share'`,
      },
      {
        from: sql`json_each(${given})`,
        where: sql`EXISTS (SELECT 1 FROM ${organization} WHERE ${organization.id} = ${orgId})`,
      },
    ).onConflictDoUpdate({
      target: [knownCustomer.orgId, knownCustomer.identifier],
      set: {
        lastSeenAt: sql`max(known_customer.last_seen_at, excluded.last_seen_at)`,
        nearest: sql`excluded.nearest`,
        nearShare: sql`excluded.near_share`,
      },
    }),
  ];
}

/** Isolates of an earlier release may have accepted a spelling that calls no longer send (renew-identifiers.ts). */
function renew(db: Db, orgId: string, writes: readonly Write[]): Statement[] {
  const spelt = writes.flatMap(({ identifier }) =>
    canonicalOf(identifier) === identifier ? [] : [identifier],
  );
  if (spelt.length === 0) return [];
  return [
    insertSelect(
      db,
      customerRenewal,
      { orgId, identifier: sql`value`, reason: 'spelling' },
      {
        from: sql`json_each(${JSON.stringify(spelt)})`,
        where: sql`EXISTS (SELECT 1 FROM ${organization} WHERE ${organization.id} = ${orgId})`,
      },
    ).onConflictDoNothing(),
  ];
}

function forgetOld(db: Db, orgId: string, now: number): Statement {
  const isOld = sql`${knownCustomer.orgId} = ${orgId} AND integration_id IS NULL
    AND ${knownCustomer.lastSeenAt} BETWEEN 1 AND ${now - SEEN_KEPT_MS} AND granted_until = 0 AND overridden_until = 0`;
  return db
    .delete(knownCustomer)
    .where(sql`rowid IN (SELECT rowid FROM ${knownCustomer} WHERE ${isOld} LIMIT ${MAX_FORGOTTEN})`);
}
