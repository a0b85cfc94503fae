/**
 * Consumer of customers.seen: stores when customers called last, and their meter nearest its limit. An unknown caller becomes
 * a known customer. Repeated and late messages change nothing. What is written costs more than the calls themselves, so of the customers
 * that are known already only the one that was written longest ago is written, and those that had not called for a day.
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
import { limitTo } from '#worker/db/limit-to';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { customerRenewal, knownCustomer } from '#worker/db/schema/customers';
import { organization } from '#worker/db/schema/organisations';
import { findNameOwners } from '#worker/domains/customer-facts/customer-names';
import { isProvisioned } from '#worker/domains/customer-facts/known-customers';
import type { WorkContext } from '#worker/http/request-context';

/** How long a customer that only calls, and is in no connected account, is listed after its last call. */
const SEEN_KEPT_MS = 90 * DAY_MS;
/** Per message. */
const MAX_FORGOTTEN = 500;
const MAX_REFRESHED = 1;
/** A customer that was written so long ago is written in any case. */
const REFRESHED_AFTER_MS = DAY_MS;

type Context = Pick<WorkContext, 'db' | 'now'>;

/** Organisations share commits; the messages of one come one after the other. @returns one promise per message */
export function recordSeenCustomers(
  ctx: Context,
  messages: readonly CustomersSeen[],
): readonly Promise<void>[] {
  const recorded = new Map<CustomersSeen, Promise<void>>();
  const byOrganisation = [...Map.groupBy(messages, ({ orgId }) => orgId).values()];
  let last: Promise<unknown> = Promise.resolve();
  for (let round = 0; recorded.size < messages.length; round++) {
    const some = byOrganisation.flatMap((own) => own[round] ?? []);
    const together = last.then(() => record(ctx, some));
    // One that fails does not fail the others.
    for (const each of some)
      recorded.set(
        each,
        together.catch(() => record(ctx, [each])),
      );
    last = Promise.allSettled(some.map((each) => recorded.get(each)));
  }
  return messages.map((message) => recorded.get(message) ?? Promise.resolve());
}

/** @param messages of different organisations */
async function record({ db, now }: Context, messages: readonly CustomersSeen[]): Promise<void> {
  const statements = await Promise.all(messages.map((message) => statementsOf({ db, now }, message)));
  await commit(db, statements.flat());
}

async function statementsOf(
  { db, now }: Context,
  { orgId, resolutionMs, ...sightings }: CustomersSeen,
): Promise<Statement[]> {
  const customers = readSightings(sightings);
  const names = customers.map(({ identifier }) => identifier);
  const [owners, environments] = await Promise.all([
    findNameOwners(db, orgId, names),
    listEnvironmentIds(db, liveEnvironment(orgId)),
  ]);
  const seen = merge(customers, owners);
  const known = await readKnown(db, orgId, [...seen.keys()]);
  const writes: Write[] = [];
  const refreshable: (Write & { readonly writtenAt: number })[] = [];
  for (const [identifier, { at, readings }] of seen) {
    const row = known.get(identifier);
    const before = row?.nearest ?? null;
    const nearest = nearestLimit(
      before,
      readings.filter(({ envId }) => environments.includes(envId)),
    );
    const write = { identifier, at, nearest, share: nearest === null ? 0 : shareOfLimit(nearest) };
    const writtenAt = row?.lastSeenAt ?? 0;
    if (row === undefined || at >= writtenAt + REFRESHED_AFTER_MS || hasMoved(before, nearest))
      writes.push(write);
    else if (at >= writtenAt + resolutionMs) refreshable.push({ ...write, writtenAt });
  }
  refreshable.sort((one, other) => one.writtenAt - other.writtenAt);
  writes.push(...refreshable.slice(0, MAX_REFRESHED));
  return [...write(db, orgId, writes), ...renew(db, orgId, writes), forgetOld(db, orgId, now)];
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

/** Whether another meter is the nearest one, it has another limit, or its share has changed much or crossed the limit. */
function hasMoved(before: NearestLimit | null, after: NearestLimit | null): boolean {
  if (before === null || after === null) return before !== after;
  const [was, is] = [shareOfLimit(before), shareOfLimit(after)];
  return (
    before.envId !== after.envId ||
    before.feature !== after.feature ||
    before.property !== after.property ||
    before.limit !== after.limit ||
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
    AND ${knownCustomer.lastSeenAt} BETWEEN 1 AND ${now - SEEN_KEPT_MS} AND granted_until = 0 AND overridden_until = 0
    AND NOT ${isProvisioned(orgId, sql`${knownCustomer.identifier}`)}`;
  return db
    .delete(knownCustomer)
    .where(sql`rowid IN (SELECT rowid FROM ${knownCustomer} WHERE ${isOld} ${limitTo(MAX_FORGOTTEN)})`);
}
