/**
 * Whose name is it: the SQL of the one rule about names, `ownerOfName` of the engine. A name is an id, an email or a user id of the
 * application. Live environments see live-mode customers only, so a name can belong to one customer there and to another one in a test
 * environment. See docs/names.md.
 */

import { type SQL, sql } from 'drizzle-orm';
import type { EmailRole } from '#contracts/console/linked-customer';
import { MAX_IDENTIFIER } from '#contracts/public/identifiers';
import { type NameClaim, ownerOfName } from '#engine/identity/owner-of-name';
import type { Db } from '#worker/db/database';
import { isGrantingStatus } from '#worker/db/granting-status';
import { limitTo } from '#worker/db/limit-to';
import { customerSource, provisionedCustomer } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';

/** A value, or an SQL expression: D1 takes 100 bound values, and a column is none. */
type Text = string | SQL;

/**
 * Condition: the customer exists, and its account is connected.
 * @param row the table, or its alias
 * @param environmentId null: in environments of any type
 */
export function isSeenIn(row: SQL, environmentId: Text | null): SQL {
  const isConnected = sql`EXISTS (SELECT 1 FROM ${stripeIntegration} i WHERE i.id = ${row}.integration_id AND i.deleted_at IS NULL)`;
  const isPresent = sql`${row}.deleted_at IS NULL AND ${isConnected}`;
  if (environmentId === null) return isPresent;
  return sql`${isPresent} AND (${row}.livemode OR (SELECT e.type FROM ${environment} e WHERE e.id = ${environmentId}) <> 'live')`;
}

/** Condition: the customer has a granting subscription. */
export function hasGranting(row: SQL): SQL {
  const isGranting = isGrantingStatus(sql`json_extract(j.value, '$.status')`);
  return sql`EXISTS (SELECT 1 FROM json_each(${row}.subscriptions) j WHERE ${isGranting})`;
}

/** Condition: the email was decided to be the customer's, or a person has linked it, so no other one becomes its owner by itself. */
export function ownsEmail(row: SQL): SQL {
  return sql`${row}.email_role IN ('owner', 'linked')`;
}

/**
 * For ORDER BY, among customers with one email: first its owner, if there is one. The others follow, those with a granting subscription
 * first.
 */
export function byOwnership(row: SQL): SQL {
  return sql`${byRole(row)}, ${byPaying(row)}`;
}

/** For ORDER BY, among customers with one user id: those with a granting subscription first. */
export function byPaying(row: SQL): SQL {
  return sql`${hasGranting(row)} DESC, ${row}.email_since, ${row}.created_at, ${row}.id, ${row}.integration_id`;
}

/** The last link wins, then the first owner, as `ownerOfName` decides. */
function byRole(row: SQL): SQL {
  return sql`CASE ${row}.email_role WHEN 'linked' THEN 0 WHEN 'owner' THEN 1 ELSE 2 END,
    CASE ${row}.email_role WHEN 'linked' THEN -${row}.email_role_at WHEN 'owner' THEN ${row}.email_role_at ELSE 0 END,
    CASE WHEN ${ownsEmail(row)} THEN ${row}.id ELSE '' END, CASE WHEN ${ownsEmail(row)} THEN ${row}.integration_id ELSE '' END`;
}

/** Condition: it is the id of a customer that was created by API in an environment that exists. */
function isCreatedId(orgId: Text, name: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${provisionedCustomer} p CROSS JOIN ${environment} v WHERE p.org_id = ${orgId}
    AND p.identifier = ${name} AND v.id = p.environment_id AND v.deleted_at IS NULL)`;
}

/** SQL: the customer that was created by API with the email or user id, in an environment that exists, a live one first; null if none. */
function createdWith(orgId: Text, column: 'email' | 'user_id', name: SQL): SQL<string | null> {
  return sql<
    string | null
  >`(SELECT p.identifier FROM ${provisionedCustomer} p CROSS JOIN ${environment} v WHERE p.org_id = ${orgId}
    AND p.${sql.raw(column)} = ${name} AND v.id = p.environment_id AND v.deleted_at IS NULL
    ORDER BY v.type = 'live' DESC, p.identifier LIMIT 1)`;
}

/**
 * SQL: the customer that a name belongs to in environments of any type; null: it is nobody's, or a customer's own id.
 * @param name no column of an alias `o`
 */
export function nameOwner(orgId: Text, name: SQL): SQL<string | null> {
  const o = sql`o`;
  const isStripeId = sql`EXISTS (SELECT 1 FROM ${stripeCustomer} o WHERE o.org_id = ${orgId} AND o.id = ${name} AND ${isSeenIn(o, null)})`;
  const ofEmail = sql`(SELECT o.who FROM (SELECT ${knownAs(o, null)} AS who FROM ${stripeCustomer} o WHERE o.org_id = ${orgId}
    AND o.email = ${name} AND ${ownsEmail(o)} AND ${isSeenIn(o, null)} ORDER BY ${byRole(o)} LIMIT 1) o)`;
  const withId = onlyOne(orgId, (row) => sql`${row}.id = ${name}`);
  const carrying = onlyOne(
    orgId,
    (row) => sql`${row}.user_id = ${name} AND ${userIdInEffect(row)} IS NOT NULL`,
  );
  return sql<
    string | null
  >`CASE WHEN ${isCreatedId(orgId, name)} THEN NULL WHEN ${isStripeId} THEN nullif(${withId}, ${name})
    ELSE coalesce(${createdWith(orgId, 'email', name)}, ${createdWith(orgId, 'user_id', name)}, ${ofEmail}, ${carrying}) END`;
}

/** SQL: who all Stripe customers are known as that meet the condition, in environments of any type; null if they are several, or none. */
function onlyOne(orgId: Text, condition: (row: SQL) => SQL): SQL<string | null> {
  const o = sql`o`;
  // In FROM, what is nested counts less towards the depth of an expression, which D1 limits.
  return sql<
    string | null
  >`(SELECT CASE WHEN min(o.who) = max(o.who) THEN min(o.who) END FROM (SELECT DISTINCT ${knownAs(o, null)} AS who
    FROM ${stripeCustomer} o WHERE o.org_id = ${orgId} AND ${condition(o)} AND ${isSeenIn(o, null)} LIMIT 2) o)`;
}

/** SQL: the user id in a customer's metadata; null if there is none that can be one: `isUserId` of the contracts. */
export function userIdIn(metadata: SQL, integrationId: string): SQL {
  return sql`(SELECT m.value FROM ${stripeIntegration} u, json_each(${metadata}) m WHERE u.id = ${integrationId} AND m.key = u.user_id_key
    AND m.type = 'text' AND length(m.value) BETWEEN 1 AND ${sql.raw(String(MAX_IDENTIFIER))} AND m.value NOT GLOB '*[^ -~]*'
    AND m.value = trim(m.value) AND m.value NOT GLOB 'cus_*' AND m.value NOT GLOB '*@*.*')`;
}

/** SQL: the customer's user id, if user ids of its integration are in effect. @param row the table, or its alias */
export function userIdInEffect(row: SQL): SQL<string | null> {
  return sql<
    string | null
  >`CASE WHEN EXISTS (SELECT 1 FROM ${stripeIntegration} u WHERE u.id = ${row}.integration_id AND u.user_ids_ready)
    THEN ${row}.user_id END`;
}

/**
 * SQL: the customer that a Stripe customer is the same as, which was created by API; null if none. Somebody said so, or its metadata names
 * the created customer, and no other customer of its account and mode is said to be that one, unless Stripe has deleted the other.
 * @param row `stripe_customer`, its alias, or one to be stored with the same columns
 * @param environmentId null: in an environment of its own mode, for what is of the organisation, such as the list of customers
 */
export function createdCustomerOf(row: SQL, environmentId: Text | null): SQL<string | null> {
  const isHere = (of: SQL) =>
    environmentId === null
      ? sql`EXISTS (SELECT 1 FROM ${environment} seen WHERE seen.id = ${of}.environment_id AND seen.deleted_at IS NULL
          AND (seen.type = 'live') = ${row}.livemode)`
      : sql`${of}.environment_id = ${environmentId}`;
  const said = sql`(SELECT source.identifier FROM ${customerSource} source WHERE source.org_id = ${row}.org_id
    AND source.customer_id = ${row}.id AND source.integration_id = ${row}.integration_id AND ${isHere(sql`source`)}
    ORDER BY source.joined_at DESC, source.environment_id LIMIT 1)`;
  const isCreated = sql`EXISTS (SELECT 1 FROM ${provisionedCustomer} created WHERE created.org_id = ${row}.org_id
    AND created.identifier = ${row}.user_id AND ${isHere(sql`created`)} AND NOT EXISTS (SELECT 1 FROM ${customerSource} source
    CROSS JOIN ${stripeCustomer} chosen WHERE source.environment_id = created.environment_id
    AND source.identifier = created.identifier AND source.integration_id = ${row}.integration_id
    AND source.livemode = ${row}.livemode AND chosen.integration_id = source.integration_id
    AND chosen.id = source.customer_id AND chosen.deleted_at IS NULL))`;
  const isCarriedTwice = sql`EXISTS (SELECT 1 FROM ${stripeCustomer} other WHERE other.org_id = ${row}.org_id
    AND other.user_id = ${row}.user_id AND other.integration_id = ${row}.integration_id AND other.livemode = ${row}.livemode
    AND other.id <> ${row}.id AND other.deleted_at IS NULL)`;
  return sql<string | null>`coalesce(${said}, CASE WHEN ${row}.user_id <> ${row}.id AND ${isCreated}
    AND ${userIdInEffect(row)} IS NOT NULL AND NOT ${isCarriedTwice} THEN ${row}.user_id END)`;
}

/** SQL: who a Stripe customer is: the created customer that it is the same as, or itself. @param environmentId as `createdCustomerOf` */
export function knownAs(row: SQL, environmentId: string | null): SQL<string> {
  return sql<string>`coalesce(${createdCustomerOf(row, environmentId)}, ${row}.id)`;
}

/**
 * SQL: a list of the rows of Stripe customers that may be known by these ids in environments of any type: by their own, or as created
 * customers. `knownAs` says which are.
 * @param given a table with the ids in its column `name`
 */
export function rowsKnownAs(orgId: Text, given: SQL): SQL {
  return sql`(SELECT a.rowid FROM ${given} g CROSS JOIN ${stripeCustomer} a
      WHERE a.rowid IN ${rowsWith(orgId, stripeCustomer, ['id', 'user_id'], sql`g.name`)}
    UNION SELECT c.rowid FROM ${given} g CROSS JOIN ${customerSource} source CROSS JOIN ${stripeCustomer} c WHERE source.org_id = ${orgId}
      AND source.identifier = g.name AND c.integration_id = source.integration_id AND c.id = source.customer_id)`;
}

const NAMES_AT_STRIPE = ['id', 'email', 'user_id'];
const NAMES_OF_CREATED = ['identifier', 'email', 'user_id'];
type TableOfNames = typeof stripeCustomer | typeof provisionedCustomer | typeof customerSource;

/**
 * Rows that count as having one name as their ID, as their email or as their user ID. A safety limit: real accounts have far fewer, unless a
 * metadata key names what is no ID. It keeps the owner of an email, and more carriers than one.
 */
const MAX_SHARING = 200;

/** SQL: a list of the rows in which one of these columns has the name, by one index each. */
export function rowsWith(orgId: Text, table: TableOfNames, columns: readonly string[], name: SQL): SQL {
  const by = columns.map((each) => {
    const first =
      table === stripeCustomer && each === 'email'
        ? sql` ORDER BY r.deleted_at IS NULL AND ${ownsEmail(sql`r`)} DESC`
        : sql``;
    return sql`SELECT id FROM (SELECT r.rowid AS id FROM ${table} r
      WHERE r.org_id = ${orgId} AND r.${sql.raw(each)} = ${name}${first} ${limitTo(MAX_SHARING)})`;
  });
  return sql`(${sql.join(by, sql` UNION ALL `)})`;
}

/**
 * SQL: the other names of all rows that have one of these names, whoever it belongs to, in a column `name`, and `nextByMetadata` of them.
 * @param given a table with the names in its column `name`
 */
export function relatedNames(orgId: string, given: SQL): SQL {
  // CROSS JOIN fixes the join order: SQLite looks up each name and does not scan the organisation's customers.
  const inRows = (
    table: TableOfNames,
    columns: readonly string[],
  ) => sql`SELECT j.value AS name FROM ${given} g CROSS JOIN ${table} n
    CROSS JOIN json_each(json_array(${sql.raw(columns.map((each) => `n.${each}`).join(', '))})) j
    WHERE n.rowid IN ${rowsWith(orgId, table, columns, sql`g.name`)} AND j.value IS NOT NULL`;
  return sql`${inRows(stripeCustomer, NAMES_AT_STRIPE)}
    UNION ALL ${inRows(provisionedCustomer, NAMES_OF_CREATED)}
    UNION ALL ${inRows(customerSource, ['identifier', 'customer_id'])}
    UNION ALL ${nextByMetadata(orgId, given)}`;
}

/**
 * SQL: who is a created customer by metadata once the Stripe customers of which somebody said so are deleted, in a column `name`.
 * @param given a table with the Stripe customers in its column `name`
 */
function nextByMetadata(orgId: string, given: SQL): SQL {
  return sql`SELECT next.id AS name FROM ${given} g CROSS JOIN ${customerSource} said CROSS JOIN ${stripeCustomer} next
    WHERE said.org_id = ${orgId} AND said.customer_id = g.name
    AND next.rowid IN ${rowsWith(orgId, stripeCustomer, ['user_id'], sql`said.identifier`)}`;
}

/** What a Stripe customer claims. */
export interface StripeNames {
  readonly integrationId: string;
  /** cus_… */
  readonly stripeId: string;
  /** Who it is: itself, or the created customer that it is the same as. */
  readonly customerId: string;
  readonly email: string | null;
  /** In effect. */
  readonly userId: string | null;
  readonly emailRole: EmailRole;
  readonly emailRoleAt: number;
}

/** What a customer that was created by API claims. */
export interface CreatedNames {
  readonly identifier: string;
  readonly email: string | null;
  readonly userId: string | null;
}

const GROUNDS = { linked: 'link', owner: 'owner', separate: 'email', undecided: 'email' } as const;

/**
 * Who a name belongs to among these customers; null: it is a customer of its own.
 * @param created of several with the name as their email or user id, in environments of any type, the first one has it
 */
export function ownerAmong(
  name: string,
  atStripe: readonly StripeNames[],
  created: readonly CreatedNames[],
): NameClaim | null {
  const claims: NameClaim[] = [];
  const [withId, withName] = [
    created.find(({ identifier }) => identifier === name),
    created.find(({ email, userId }) => email === name || userId === name),
  ];
  if (withId) claims.push({ customer: name, integrationId: '', ground: 'id' });
  if (withName) claims.push({ customer: withName.identifier, integrationId: '', ground: 'creation' });
  for (const { integrationId, customerId, stripeId, email, userId, emailRole, emailRoleAt } of atStripe) {
    const claim = { customer: customerId, integrationId };
    if (stripeId === name) claims.push({ ...claim, ground: 'id' });
    if (email === name) claims.push({ ...claim, ground: GROUNDS[emailRole], at: emailRoleAt });
    if (userId === name) claims.push({ ...claim, ground: 'carrier' });
  }
  return ownerOfName(name, claims);
}

/**
 * Whose names they are.
 * @param names canonical
 * @param environmentId null: in environments of any type
 * @returns by name; what is nobody's, or a customer's own id, is absent
 */
export async function findNameOwners(
  db: Db,
  orgId: string,
  names: readonly string[],
  environmentId: string | null = null,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return new Map();
  const given = sql`json_each(${JSON.stringify(wanted)}) g`;
  const s = sql`s`;
  const rows = await db.all<StripeNames & { readonly isCreated: number; readonly isLive: number }>(sql`
    SELECT s.integration_id AS integrationId, s.id AS stripeId, ${knownAs(s, environmentId)} AS customerId, s.email AS email,
      ${userIdInEffect(s)} AS userId, s.email_role AS emailRole, s.email_role_at AS emailRoleAt, 0 AS isCreated, 0 AS isLive
    FROM ${given} CROSS JOIN ${stripeCustomer} s
    WHERE s.rowid IN ${rowsWith(orgId, stripeCustomer, NAMES_AT_STRIPE, sql`g.value`)} AND ${isSeenIn(s, environmentId)}
    UNION ALL SELECT '', p.identifier, p.identifier, p.email, p.user_id, 'separate', 0, 1,
      coalesce((SELECT v.type = 'live' FROM ${environment} v WHERE v.id = p.environment_id), 0)
    FROM ${given} CROSS JOIN ${provisionedCustomer} p
    WHERE p.rowid IN ${rowsWith(orgId, provisionedCustomer, NAMES_OF_CREATED, sql`g.value`)}
      AND ${isCreatedIn(environmentId)}
    ORDER BY isLive DESC, customerId`);
  // In the order of `createdWith`.
  const created = rows.filter(({ isCreated }) => isCreated === 1);
  const atStripe = rows.filter(({ isCreated }) => isCreated === 0);
  const provisioned = created.map(({ customerId, email, userId }) => ({
    identifier: customerId,
    email,
    userId,
  }));
  const owners = new Map<string, string>();
  for (const name of wanted) {
    const owner = ownerAmong(name, atStripe, provisioned);
    if (owner !== null && owner.customer !== name) owners.set(name, owner.customer);
  }
  return owners;
}

/** Condition, of `p`, a customer that was created by API. @param environmentId null: in an environment that exists */
function isCreatedIn(environmentId: string | null): SQL {
  return environmentId === null
    ? sql`(SELECT v.deleted_at FROM ${environment} v WHERE v.id = p.environment_id) IS NULL`
    : sql`p.environment_id = ${environmentId}`;
}

/**
 * Every name of the customer that a name belongs to, and the name itself.
 * @param name canonical
 * @param environmentId null: in environments of any type
 */
export async function findNamesOfCustomer(
  db: Db,
  orgId: string,
  name: string,
  environmentId: string | null = null,
): Promise<string[]> {
  const customer = (await findNameOwners(db, orgId, [name], environmentId)).get(name) ?? name;
  const s = sql`s`;
  const names = (of: SQL, columns: SQL) => sql`SELECT j.value AS name FROM ${of}
    CROSS JOIN json_each(json_array(${columns})) j WHERE j.value IS NOT NULL`;
  const rows = await db.all<{ readonly name: string }>(sql`
    ${names(sql`${stripeCustomer} s`, sql`s.id, s.email, s.user_id`)}
      AND s.rowid IN ${rowsKnownAs(orgId, sql`(SELECT ${customer} AS name)`)}
      AND ${isSeenIn(s, environmentId)} AND ${knownAs(s, environmentId)} = ${customer}
    UNION ${names(sql`${provisionedCustomer} p`, sql`p.email, p.user_id`)} AND p.org_id = ${orgId} AND p.identifier = ${customer}
      AND ${isCreatedIn(environmentId)}`);
  const candidates = rows.map((row) => row.name);
  const owners = await findNameOwners(db, orgId, candidates, environmentId);
  return [...new Set([name, customer, ...candidates.filter((each) => owners.get(each) === customer)])];
}
