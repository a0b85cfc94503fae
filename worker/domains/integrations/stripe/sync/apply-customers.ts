/**
 * Statements that store customers read from Stripe. An older read never replaces a newer one, unchanged rows are not
 * written, and one outbox row lists every customer with changed facts. All of this is decided inside the transaction,
 * so concurrent syncs and events are safe.
 */

import { type SQL, sql } from 'drizzle-orm';
import { MAX_IDENTIFIER } from '#contracts/public/identifiers';
import { DAY_MS } from '#engine/durations';
import type { Db, Statement } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { limitTo } from '#worker/db/limit-to';
import { customer } from '#worker/db/schema/customers';
import { outbox } from '#worker/db/schema/operations';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { createdCustomerOf, userIdIn } from '#worker/domains/customer-facts/customer-names';
import {
  type ChangedCustomer,
  knownCustomerStatements,
} from '#worker/domains/customer-facts/known-customers';
import { factsVersion, takeFactsVersion } from '#worker/domains/customer-facts/next-facts-version';
import { outboxRowsFrom } from '#worker/queue/outbox';
import type { ReadCustomer } from './read-objects.ts';
import { subscriptionChanges } from './subscription-changes.ts';

/** A customer as of one instant. */
export interface CustomerReading {
  readonly customer: ReadCustomer;
  /** The instant before the request to Stripe. */
  readonly readAt: number;
}

export interface CustomersRead {
  readonly orgId: string;
  readonly integrationId: string;
  /** Each customer once. */
  readonly customers: readonly CustomerReading[];
  /** ID of the outbox row of the message stripe.customers-changed; the row is written only if facts changed. */
  readonly outboxId: string;
  readonly now: number;
}

/** Characters per bound value: D1's limit is 2 MB. */
/** Subscriptions that have ended, of a customer. */
const MAX_ENDED = 20;
const KEPT_ENDED_MS = 400 * DAY_MS;
const KEPT_STATUSES = ['active', 'trialing', 'past_due', 'unpaid', 'paused'];
/** Changes of a subscription's items whose former ones are stored. */
const MAX_FORMER_ITEMS = 20;
const MAX_VALUE_LENGTH = 600_000;
/** Bytes of identifiers per message, which also lists previous emails: a queue's limit is 128 KB. */
const MAX_NAMES_BYTES = 40_000;

/** @returns the outbox ids that may have been written, one per chunk, and the statements in order */
export function applyCustomers(
  db: Db,
  read: CustomersRead,
): { outboxIds: string[]; statements: Statement[] } {
  const outboxIds: string[] = [];
  const statements: Statement[] = [];
  for (const [index, chunk] of chunksOf(read.customers).entries()) {
    const outboxId = index === 0 ? read.outboxId : `${read.outboxId}_${index}`;
    outboxIds.push(outboxId);
    statements.push(...applyChunk(db, { ...read, outboxId }, chunk));
  }
  return { outboxIds, statements };
}

interface Chunk {
  /** The customers as JSON, which the statements read. */
  readonly text: string;
  readonly customers: readonly ReadCustomer[];
}

const encoder = new TextEncoder();

function chunksOf(customers: readonly CustomerReading[]): Chunk[] {
  const chunks: Chunk[] = [];
  let texts: string[] = [];
  let theirs: ReadCustomer[] = [];
  let length = 0;
  let bytes = 0;
  const close = () => {
    if (texts.length > 0) chunks.push({ text: `[${texts.join(',')}]`, customers: theirs });
    texts = [];
    theirs = [];
    length = 0;
    bytes = 0;
  };
  for (const { customer: each, readAt } of customers) {
    const metadata = JSON.stringify(each.metadata);
    const subscriptions = JSON.stringify(each.subscriptions);
    const text = JSON.stringify({ ...each, metadata, subscriptions, readAt });
    const names = each.email === null ? [each.id] : [each.id, each.email];
    // The message has room for any of its metadata as the user id.
    const longest = Math.max(0, ...Object.values(each.metadata).map((value) => value.length));
    const userIdBytes = Math.min(longest, MAX_IDENTIFIER);
    const namesBytes = encoder.encode(JSON.stringify(names)).byteLength + userIdBytes;
    if (length + text.length > MAX_VALUE_LENGTH || bytes + namesBytes > MAX_NAMES_BYTES) close();
    texts.push(text);
    theirs.push(each);
    length += text.length;
    bytes += namesBytes;
  }
  close();
  return chunks;
}

function applyChunk(
  db: Db,
  { orgId, integrationId, outboxId, now }: CustomersRead,
  { text, customers }: Chunk,
): Statement[] {
  const incoming = sql`incoming AS MATERIALIZED (SELECT ${orgId} AS org_id, ${integrationId} AS integration_id,
    value ->> 'id' AS id, value ->> 'email' AS email, value ->> 'name' AS name,
    value ->> 'livemode' AS livemode, value ->> 'metadata' AS metadata, ${datedSubscriptions(integrationId)} AS subscriptions,
    ${userIdIn(sql`(json_each.value ->> 'metadata')`, integrationId)} AS user_id,
    value ->> 'createdAt' AS created_at, value ->> 'readAt' AS read_at,
    CASE value ->> 'isDeleted' WHEN 1 THEN ${now} END AS deleted_at FROM json_each(${text}))`;
  const isNewer = sql`(s.id IS NULL OR s.read_at < i.read_at)`;
  // A name is no fact, but the list finds a created customer by it.
  const isRenamed = sql`(s.name IS NOT i.name AND ${createdCustomerOf(sql`s`, null)} IS NOT NULL)`;
  const isChange = sql`(s.id IS NULL OR ${factsDiffer('s', 'i')} OR ${isRenamed})`;
  const changed = sql`changed AS MATERIALIZED (SELECT i.id, i.email, s.email AS former, ${emailAfter('s', 'i')} AS email_after,
    i.user_id, s.user_id AS former_user_id FROM incoming i
    LEFT JOIN ${stripeCustomer} s ON s.integration_id = ${integrationId} AND s.id = i.id
    WHERE ${isNewer} AND ${isChange})`;
  const names = sql`SELECT id AS name FROM changed UNION SELECT email FROM changed WHERE email IS NOT NULL
    UNION SELECT former FROM changed WHERE former IS NOT NULL UNION SELECT user_id FROM changed WHERE user_id IS NOT NULL
    UNION SELECT former_user_id FROM changed WHERE former_user_id IS NOT NULL`;
  const version = factsVersion(orgId);
  const differs = factsDiffer('stripe_customer', 'excluded');
  const isNewEmail = sql`stripe_customer.email IS NOT ${emailAfter('stripe_customer', 'excluded')}`;
  const written = (column: string) => sql.raw(`excluded.${column}`);
  return [
    outboxRowsFrom(
      db,
      {
        type: 'stripe.customers-changed',
        outboxId,
        orgId,
        customers: sql`json((SELECT json_group_array(name) FROM (${names})))`,
      },
      { with: sql`${incoming}, ${changed}`, where: sql`EXISTS (SELECT 1 FROM changed)` },
      now,
    ),
    takeFactsVersion(db, orgId, now, sql`EXISTS (SELECT 1 FROM ${outbox} WHERE ${outbox.id} = ${outboxId})`),
    subscriptionChanges(db, { orgId, integrationId, outboxId, incoming }),
    // An email or user id without a customer keeps a raised facts version. createdAt 0: the email has no manual entries.
    insertSelect(
      db,
      customer,
      { orgId, identifier: sql`former`, factsVersion: version, createdAt: 0, updatedAt: now },
      {
        with: sql`${incoming}, ${changed}`,
        from: sql`(SELECT former FROM changed WHERE former IS NOT NULL AND former IS NOT email_after
          UNION SELECT former_user_id FROM changed WHERE former_user_id IS NOT NULL AND former_user_id IS NOT user_id)`,
      },
    ).onConflictDoUpdate({
      target: [customer.orgId, customer.identifier],
      set: { factsVersion: written('facts_version'), updatedAt: now },
    }),
    insertSelect(
      db,
      stripeCustomer,
      {
        integrationId,
        orgId,
        readAt: sql`read_at`,
        factsVersion: version,
        id: sql`id`,
        email: sql`email`,
        name: sql`name`,
        livemode: sql`livemode`,
        metadata: sql`metadata`,
        subscriptions: sql`subscriptions`,
        createdAt: sql`created_at`,
        deletedAt: sql`deleted_at`,
        userId: sql`user_id`,
        // Stripe does not say since when a customer has its email: since its creation, as far as known.
        emailSince: sql`created_at`,
        emailRole: 'undecided',
        emailRoleAt: now,
      },
      { with: incoming, from: sql`incoming` },
    ).onConflictDoUpdate({
      target: [stripeCustomer.integrationId, stripeCustomer.id],
      set: {
        email: emailAfter('stripe_customer', 'excluded'),
        emailSince: sql`CASE WHEN ${isNewEmail} THEN ${now} ELSE stripe_customer.email_since END`,
        emailRole: sql`CASE WHEN ${isNewEmail} THEN 'undecided' ELSE stripe_customer.email_role END`,
        emailRoleAt: sql`CASE WHEN ${isNewEmail} THEN ${now} ELSE stripe_customer.email_role_at END`,
        name: written('name'),
        livemode: written('livemode'),
        metadata: written('metadata'),
        userId: written('user_id'),
        subscriptions: written('subscriptions'),
        ended: endedSubscriptions(),
        readAt: written('read_at'),
        factsVersion: sql`CASE WHEN ${differs} THEN excluded.facts_version ELSE stripe_customer.facts_version END`,
        deletedAt: sql`CASE WHEN excluded.deleted_at IS NOT NULL THEN coalesce(stripe_customer.deleted_at, excluded.deleted_at) END`,
      },
      setWhere: sql`excluded.read_at > stripe_customer.read_at AND (${differs} OR stripe_customer.name IS NOT excluded.name)`,
    }),
    ...knownCustomerStatements(db, orgId, customers.map(asChanged), now, formerNames(outboxId)),
  ];
}

/**
 * SQL: the subscriptions of one read customer, `value`, with what Stripe does not say: since when one is past due, and when its items
 * changed while its anchor stayed, and what they were. Both are the instant of the first read that found it so.
 */
function datedSubscriptions(integrationId: string): SQL {
  const stored = sql`${stripeCustomer} s WHERE s.integration_id = ${integrationId} AND s.id = json_each.value ->> 'id'`;
  const before = (found: SQL) =>
    sql`(SELECT ${found} FROM (SELECT b.value FROM (SELECT s.subscriptions FROM ${stored}) s, json_each(s.subscriptions) b
      WHERE b.value ->> 'id' = a.value ->> 'id') b)`;
  const readAt = sql`json_each.value ->> 'readAt'`;
  const pastDueAt = sql`CASE a.value ->> 'status' WHEN 'past_due' THEN coalesce(
    ${before(sql`CASE b.value ->> 'status' WHEN 'past_due' THEN b.value ->> 'pastDueAt' END`)}, a.value ->> 'pastDueAt', ${readAt}) END`;
  // The items of older rows are unknown.
  const itemsOf = (one: 'a' | 'b') =>
    sql.raw(`(SELECT group_concat((value ->> 'productId') || ' ' || (value ->> 'priceId') || ' ' || ifnull(value ->> 'quantity', ''))
      FROM json_each(${one}.value, '$.items'))`);
  const ifChanged = (changed: SQL, unchanged: SQL) =>
    before(sql`CASE WHEN b.value ->> 'anchorAt' IS NOT a.value ->> 'anchorAt' THEN NULL
      WHEN b.value ->> 'items' IS NOT NULL AND ${itemsOf('b')} IS NOT ${itemsOf('a')} THEN ${changed} ELSE ${unchanged} END`);
  const changedAt = ifChanged(readAt, sql`b.value ->> 'itemsChangedAt'`);
  const known = sql`coalesce(b.value -> 'formerItems', '[]')`;
  const kept = sql`CASE WHEN json_array_length(${known}) < ${MAX_FORMER_ITEMS} THEN ${known} ELSE json_remove(${known}, '$[0]') END`;
  const itemsBefore = sql`(SELECT json_group_array(json_object('productId', value ->> 'productId', 'priceId', value ->> 'priceId',
    'quantity', value ->> 'quantity')) FROM json_each(b.value, '$.items'))`;
  const formerItems = ifChanged(
    sql`json_insert(${kept}, '$[#]', json_object('until', ${readAt}, 'items', json(${itemsBefore})))`,
    sql`b.value -> 'formerItems'`,
  );
  const withField = (list: SQL, name: string, found: SQL, value = sql`found`) =>
    sql`(SELECT json_group_array(CASE WHEN found IS NULL THEN json(subscription) ELSE json_set(subscription, ${`$.${name}`}, ${value}) END)
      FROM (SELECT a.value AS subscription, ${found} AS found FROM json_each(${list}) a))`;
  const read = sql`json_each.value ->> 'subscriptions'`;
  const dated = withField(withField(read, 'pastDueAt', pastDueAt), 'itemsChangedAt', changedAt);
  return sql`CASE WHEN instr(${read}, '"past_due"') OR (SELECT s.subscriptions FROM ${stored}) IS NOT ${read}
    THEN ${withField(dated, 'formerItems', formerItems, sql`json(found)`)} ELSE ${read} END`;
}

/**
 * SQL: what is kept of subscriptions that gave access and are not among the read ones, `excluded`, any more. The billing periods of a later
 * one may go on with theirs.
 */
function endedSubscriptions(): SQL {
  const statuses = sql.raw(KEPT_STATUSES.map((status) => `'${status}'`).join());
  return sql`(SELECT nullif(json_group_array(json(ended)), '[]') FROM (SELECT ended FROM (
    SELECT e.value AS ended FROM json_each(coalesce(stripe_customer.ended, '[]')) e
      WHERE e.value ->> 'endedAt' > excluded.read_at - ${KEPT_ENDED_MS}
    UNION ALL
    SELECT json_patch(json_object('id', b.value ->> 'id', 'anchorAt', b.value ->> 'anchorAt', 'endedAt', excluded.read_at),
      json_object('itemsChangedAt', b.value ->> 'itemsChangedAt'))
      FROM json_each(stripe_customer.subscriptions) b WHERE b.value ->> 'anchorAt' IS NOT NULL AND b.value ->> 'status' IN (${statuses})
      AND NOT EXISTS (SELECT 1 FROM json_each(excluded.subscriptions) a WHERE a.value ->> 'id' = b.value ->> 'id')
    ) ORDER BY ended ->> 'endedAt' DESC ${limitTo(MAX_ENDED)}))`;
}

/** A deleted customer is known by its identifier only. */
function asChanged({ id, email, name, isDeleted }: ReadCustomer): ChangedCustomer {
  return { identifier: id, ...(isDeleted ? {} : { email, name }) };
}

/** SQL: the names in the message of this change, with the emails that customers had before. */
function formerNames(outboxId: string): SQL {
  return sql`SELECT j.value FROM ${outbox} o, json_each(o.payload, '$.customers') j WHERE o.id = ${outboxId}`;
}

/** Condition: the customer's facts differ between the rows `before` and `after`. */
function factsDiffer(before: string, after: string): SQL {
  const differs = (column: string) => sql.raw(`${before}.${column} IS NOT ${after}.${column}`);
  return sql`(${sql.raw(before)}.email IS NOT ${emailAfter(before, after)} OR ${differs('subscriptions')}
    OR ${differs('livemode')} OR ${differs('metadata')} OR ${differs('user_id')}
    OR ${sql.raw(`(${before}.deleted_at IS NULL) IS NOT (${after}.deleted_at IS NULL)`)})`;
}

/** A deleted customer keeps its email, because facts of the email are versioned by this row. */
function emailAfter(before: string, after: string): SQL {
  return sql.raw(`CASE WHEN ${after}.deleted_at IS NULL THEN ${after}.email ELSE ${before}.email END`);
}
