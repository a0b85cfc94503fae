/**
 * Statements that keep the list of known customers up to date. A row follows from the connected Stripe accounts and from the
 * grants, overrides and balances, so every change of those commits these statements with itself, after its own. Unchanged rows are not
 * written. See worker/domains/customers/README.md, "The customers table".
 */
import { type SQL, sql } from 'drizzle-orm';
import { searchWords } from '#engine/identity/search-words';
import type { Db, Statement } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import {
  customerBalance,
  customerGrant,
  customerOverride,
  customerSource,
  type EntryTable,
  knownCustomer,
  NO_END,
  provisionedCustomer,
} from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { createdCustomerOf, isSeenIn, nameOwner, relatedNames, rowsKnownAs } from './customer-names.ts';
import { recordJoins } from './record-joins.ts';

/** A customer that may have changed. A Stripe customer comes with its name and email if they may have changed, too. */
export interface ChangedCustomer {
  /** Canonical: a Stripe customer's id, an email, or any other identifier. */
  readonly identifier: string;
  readonly email?: string | null;
  readonly name?: string | null;
}

/**
 * Commit them in this order, after the change. An email's Stripe customers and a Stripe customer's email are brought up to
 * date, too, and who is joined is logged if that changed (record-joins.ts).
 * @param more SQL: a query of further identifiers, in its first column
 */
export function knownCustomerStatements(
  db: Db,
  orgId: string,
  changed: readonly ChangedCustomer[],
  now: number,
  more?: SQL,
): Statement[] {
  const given = JSON.stringify(
    changed.map(({ identifier, email, name }) => ({
      identifier,
      email: email ?? null,
      name: name ?? null,
      words: searchWords([identifier, email ?? null, name ?? null]),
    })),
  );
  const first = sql`first AS MATERIALIZED (SELECT value ->> 'identifier' AS name
    FROM json_each(${given})${more === undefined ? sql`` : sql` UNION ${more}`})`;
  // The rows of a name may be those of a Stripe customer that somebody said to be a created one.
  const names = sql`${first}, related AS MATERIALIZED (SELECT name FROM first UNION SELECT name FROM (${relatedNames(orgId, sql`first`)})),
    names AS MATERIALIZED (SELECT name FROM related UNION SELECT said.identifier FROM related r CROSS JOIN ${customerSource} said
      WHERE said.org_id = ${orgId} AND said.customer_id = r.name)`;
  const source = { orgId, given, names, now };
  return [
    upsertStripe(db, source),
    moveSightings(db, source),
    upsertOthers(db, source),
    db.delete(knownCustomer).where(
      sql`${knownCustomer}.rowid IN (${rowsNamed(orgId, names)})
          AND (${nameOwner(sql`${knownCustomer.orgId}`, sql`${knownCustomer.identifier}`)} IS NOT NULL
          OR (${knownCustomer.lastSeenAt} = 0
          AND NOT ${hasEntries(sql`${knownCustomer.orgId}`, sql`${knownCustomer.identifier}`)}
          AND NOT ${isAtStripe(sql`${knownCustomer.orgId}`, sql`${knownCustomer.identifier}`)}
          AND NOT ${isProvisioned(sql`${knownCustomer.orgId}`, sql`${knownCustomer.identifier}`)}))`,
    ),
    ...recordJoins(db, source),
  ];
}

/** The statement that forgets readings of a deleted environment. */
export function forgetNearLimits(db: Db, orgId: string, environmentId: string): Statement {
  return db
    .update(knownCustomer)
    .set({ nearest: null, nearShare: 0 })
    .where(
      sql`${knownCustomer.orgId} = ${orgId} AND near_share > 0 AND ${knownCustomer.nearest} ->> 'envId' = ${environmentId}`,
    );
}

/** SQL: the identifiers with grants, overrides or balances in an environment, and those created there by API. */
export function customersOf(orgId: string, environmentId: string): SQL {
  const inTable = (table: EntryTable) =>
    sql`SELECT customer_identifier FROM ${table} WHERE org_id = ${orgId} AND environment_id = ${environmentId}`;
  const provisioned = sql`SELECT identifier FROM ${provisionedCustomer} WHERE environment_id = ${environmentId}`;
  return sql`${inTable(customerGrant)} UNION ${inTable(customerOverride)} UNION ${inTable(customerBalance)} UNION ${provisioned}`;
}

interface Source {
  readonly orgId: string;
  /** JSON: what the caller knows of the customers. */
  readonly given: string;
  /** The common table expression `names`: every identifier that may be affected. */
  readonly names: SQL;
  readonly now: number;
}

function isAtStripe(orgId: string | SQL, id: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${stripeCustomer} o WHERE o.org_id = ${orgId} AND o.id = ${id} AND ${isSeenIn(sql`o`, null)})`;
}

/** SQL: those of an identifier, created by API in environments that exist; the one that the list shows first. */
function provisionedOf(orgId: string | SQL, identifier: SQL): SQL {
  return sql`SELECT p.rowid FROM ${provisionedCustomer} p CROSS JOIN ${environment} v WHERE p.org_id = ${orgId}
    AND p.identifier = ${identifier} AND v.id = p.environment_id AND v.deleted_at IS NULL
    ORDER BY v.type = 'live' DESC, p.updated_at DESC, p.environment_id LIMIT 1`;
}

/** Condition: an environment that exists has a customer with the identifier that was created by API. */
export function isProvisioned(orgId: string | SQL, identifier: SQL): SQL {
  return sql`EXISTS (${provisionedOf(orgId, identifier)})`;
}

function hasEntries(orgId: string | SQL, identifier: SQL): SQL {
  const inTable = (table: EntryTable) =>
    sql`EXISTS (SELECT 1 FROM ${table} e WHERE e.org_id = ${orgId} AND e.customer_identifier = ${identifier})`;
  return sql`(${inTable(customerGrant)} OR ${inTable(customerOverride)} OR ${inTable(customerBalance)})`;
}

/**
 * When the last unexpired entry of a customer ends, by whichever of its names it was made. Entries of deleted environments do not count.
 * Whose a name is costs more than whether it has entries, and few have.
 * @param candidates a query of what may be its names, itself among them
 */
function endOf(
  table: typeof customerGrant | typeof customerOverride,
  { orgId, now }: Source,
  { of, candidates }: { readonly of: SQL; readonly candidates: SQL },
): SQL<number> {
  const isHere = sql`(e.environment_id IS NULL OR (SELECT v.deleted_at FROM ${environment} v WHERE v.id = e.environment_id) IS NULL)`;
  return sql<number>`coalesce((SELECT max(coalesce(e.until, ${sql.raw(String(NO_END))})) FROM ${table} e
    WHERE e.org_id = ${orgId} AND e.customer_identifier IN (${candidates})
    AND (e.until IS NULL OR e.until > ${now}) AND ${isHere}
    AND (e.customer_identifier = ${of} OR ${nameOwner(sql`e.org_id`, sql`e.customer_identifier`)} = ${of})), 0)`;
}

function firstEntryAt(orgId: string | SQL, identifier: SQL): SQL {
  const inTable = (table: EntryTable) =>
    sql`SELECT e.created_at AS at FROM ${table} e WHERE e.org_id = ${orgId} AND e.customer_identifier = ${identifier}`;
  return sql`(SELECT min(at) FROM (${inTable(customerGrant)} UNION ALL ${inTable(customerOverride)}
    UNION ALL ${inTable(customerBalance)}))`;
}

const OVERWRITTEN = [
  ...(['integrationId', 'livemode', 'name', 'email', 'isPastDue'] as const),
  ...(['grantedUntil', 'overriddenUntil', 'words'] as const),
];

/** What an upsert changes of a row that is there, if anything differs. */
function overwrite(more: readonly 'createdAt'[] = []) {
  const keys = [...OVERWRITTEN, ...more];
  const names = keys.map((key) => [key, knownCustomer[key].name] as const);
  return {
    target: [knownCustomer.orgId, knownCustomer.identifier],
    set: Object.fromEntries(names.map(([key, column]) => [key, sql.raw(`excluded.${column}`)])),
    setWhere: sql.raw(
      names.map(([, column]) => `known_customer.${column} IS NOT excluded.${column}`).join(' OR '),
    ),
  };
}

/** If two accounts have a customer with the id, the newer one is shown. */
function upsertStripe(db: Db, source: Source): Statement {
  const { orgId, given, names } = source;
  const candidates = sql`SELECT c.value FROM ${stripeCustomer} b CROSS JOIN json_each(json_array(b.id, b.email, b.user_id)) c
    WHERE b.org_id = s.org_id AND b.id = s.id AND ${isSeenIn(sql`b`, null)}`;
  const theirs = { of: sql`s.id`, candidates };
  const isOlder = sql`EXISTS (SELECT 1 FROM ${stripeCustomer} b WHERE b.org_id = ${orgId} AND b.id = s.id
    AND (b.created_at, b.integration_id) > (s.created_at, s.integration_id) AND ${isSeenIn(sql`b`, null)})`;
  // Names that the caller has read apply only if they are those that were stored: an older read changes nothing. Words of a row without
  // them, of one that has only called, are renewed (renewWordsOf).
  const words = sql`(SELECT g.value -> 'words' FROM json_each(${given}) g WHERE g.value ->> 'identifier' = s.id
    AND g.value ->> 'email' IS s.email AND g.value ->> 'name' IS s.name)`;
  return insertSelect(
    db,
    knownCustomer,
    {
      orgId,
      identifier: sql`s.id`,
      integrationId: sql`s.integration_id`,
      livemode: sql`s.livemode`,
      name: sql`s.name`,
      email: sql`s.email`,
      createdAt: sql`s.created_at`,
      isPastDue: sql`EXISTS (SELECT 1 FROM ${stripeCustomer} d, json_each(d.subscriptions) j WHERE d.org_id = ${orgId}
        AND d.id = s.id AND ${isSeenIn(sql`d`, null)} AND j.value ->> 'status' = 'past_due')`,
      grantedUntil: endOf(customerGrant, source, theirs),
      overriddenUntil: endOf(customerOverride, source, theirs),
      words: sql`coalesce(${words}, (SELECT k.words FROM ${knownCustomer} k WHERE k.org_id = ${orgId} AND k.identifier = s.id
        AND k.name IS s.name AND k.email IS s.email), json_array(lower(s.id)))`,
      lastSeenAt: 0,
      nearest: null,
      nearShare: 0,
    },
    {
      with: names,
      from: sql`names n CROSS JOIN ${stripeCustomer} s`,
      where: sql`s.org_id = ${orgId} AND s.id = n.name AND ${isSeenIn(sql`s`, null)} AND NOT ${isOlder}
        AND ${nameOwner(sql`s.org_id`, sql`s.id`)} IS NULL`,
    },
  ).onConflictDoUpdate(overwrite(['createdAt']));
}

/** SQL: the rows of `names`. By the organisation, SQLite might read all of its rows. */
function rowsNamed(orgId: string, names: SQL): SQL {
  return sql`WITH ${names} SELECT k.rowid FROM names n CROSS JOIN ${knownCustomer} k WHERE k.org_id = ${orgId} AND k.identifier = n.name`;
}

/** What a name was seen doing before it belonged to a customer counts for the customer. */
function moveSightings(db: Db, { orgId, names }: Source): Statement {
  const seen = sql`WITH ${names}, owned AS MATERIALIZED (SELECT n.name, ${nameOwner(orgId, sql`n.name`)} AS owner FROM names n)
    SELECT w.owner, max(a.last_seen_at) AS at FROM owned w CROSS JOIN ${knownCustomer} a
    WHERE w.owner IS NOT NULL AND a.org_id = ${orgId} AND a.identifier = w.name GROUP BY w.owner`;
  return db
    .update(knownCustomer)
    .set({ lastSeenAt: sql`m.at` })
    .from(sql`(${seen}) m`)
    .where(
      sql`${knownCustomer.orgId} = ${orgId} AND ${knownCustomer.identifier} = m.owner AND ${knownCustomer.lastSeenAt} < m.at`,
    );
}

/** SQL, after FROM: the rows `s` of the Stripe customers that a created customer is the same as. */
export function joinedTo(orgId: SQL, identifier: SQL, more: SQL = sql``): SQL {
  const s = sql`s`;
  return sql`${stripeCustomer} s ${more} WHERE s.rowid IN ${rowsKnownAs(orgId, sql`(SELECT ${identifier} AS name)`)}
    AND s.id <> ${identifier} AND ${isSeenIn(s, null)} AND ${createdCustomerOf(s, null)} = ${identifier}`;
}

/** Customers of no connected account, and those created by API, whose Stripe customers have no rows of their own. */
function upsertOthers(db: Db, source: Source): Statement {
  const { orgId, given, names, now } = source;
  const name = sql`n.name`;
  const org = sql`scope.org_id`;
  const known = sql`FROM ${knownCustomer} k WHERE k.org_id = ${org} AND k.identifier = n.name`;
  const ofJoined = sql`CROSS JOIN json_each(json_array(s.id, s.email, s.user_id)) c`;
  const candidates = sql`SELECT n.name UNION ALL SELECT c.value FROM ${provisionedCustomer} b
    CROSS JOIN json_each(json_array(b.email, b.user_id)) c WHERE b.org_id = ${org} AND b.identifier = n.name
    UNION ALL SELECT c.value FROM ${joinedTo(org, name, ofJoined)}`;
  const theirs = { of: name, candidates };
  const nameNow = sql`coalesce(p.name, (SELECT s.name FROM ${joinedTo(org, name)} ORDER BY s.livemode DESC, s.created_at DESC LIMIT 1))`;
  const emailNow = sql`coalesce(p.email, (SELECT s.email FROM ${joinedTo(org, name)} ORDER BY s.livemode DESC, s.created_at DESC LIMIT 1))`;
  // Names that the caller has apply only if they are those that the list shows. renewWordsOf adds those of its Stripe customers.
  const words = sql`coalesce((SELECT g.value -> 'words' FROM json_each(${given}) g WHERE g.value ->> 'identifier' = n.name
    AND g.value ->> 'name' IS p.name AND g.value ->> 'email' IS p.email),
    (SELECT k.words ${known} AND k.name IS ${nameNow} AND k.email IS ${emailNow}), json_array(lower(n.name)))`;
  return insertSelect(
    db,
    knownCustomer,
    {
      orgId,
      identifier: name,
      integrationId: null,
      livemode: null,
      name: nameNow,
      email: emailNow,
      createdAt: sql`coalesce((SELECT k.created_at ${known}), p.created_at, ${firstEntryAt(org, name)}, ${now})`,
      isPastDue: sql`EXISTS (SELECT 1 FROM ${joinedTo(org, name)} AND EXISTS (SELECT 1 FROM json_each(s.subscriptions) j
        WHERE j.value ->> 'status' = 'past_due'))`,
      grantedUntil: endOf(customerGrant, source, theirs),
      overriddenUntil: endOf(customerOverride, source, theirs),
      words,
      lastSeenAt: 0,
      nearest: null,
      nearShare: 0,
    },
    {
      with: names,
      from: sql`names n CROSS JOIN (SELECT ${orgId} AS org_id) scope
        LEFT JOIN ${provisionedCustomer} p ON p.rowid = (${provisionedOf(org, name)})`,
      where: sql`NOT ${isAtStripe(org, name)} AND ${nameOwner(org, name)} IS NULL AND (${hasEntries(org, name)}
        OR p.rowid IS NOT NULL OR EXISTS (SELECT 1 ${known} AND k.last_seen_at > 0))`,
    },
  ).onConflictDoUpdate(overwrite());
}
