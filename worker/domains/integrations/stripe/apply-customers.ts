/**
 * Statements that store customers as they were read from Stripe. What was read earlier never takes the place of what was
 * read later, what is the same is not written, and one outbox row names everybody of whom ledgers must learn something:
 * all decided inside the transaction, so that it holds however many do this at the same moment.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Db, Statement } from '#worker/db/database';
import { customer } from '#worker/db/schema/customers';
import { outbox } from '#worker/db/schema/operations';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { nextFactsVersion } from '#worker/domains/customers/next-facts-version';
import type { ReadCustomer } from './read-objects.ts';

export interface CustomersRead {
  readonly orgId: string;
  readonly integrationId: string;
  readonly customers: readonly ReadCustomer[];
  /** The instant before Stripe was asked. */
  readonly readAt: number;
  /** Of the message stripe.customers-changed; the row is written only where there is somebody to name. */
  readonly outboxId: string;
  readonly now: number;
}

/** Characters of one bound value: D1 takes 2 MB. */
const MAX_VALUE_LENGTH = 600_000;
/** Octets of names in one message, which has those of before besides: a queue takes 128 KB. */
const MAX_NAMES_OCTETS = 40_000;

/** @returns for each piece of the customers the outbox id that it may have written, and the statements in their order */
export function applyCustomers(
  db: Db,
  read: CustomersRead,
): { outboxIds: string[]; statements: Statement[] } {
  const outboxIds: string[] = [];
  const statements: Statement[] = [];
  for (const [index, piece] of piecesOf(read.customers).entries()) {
    const outboxId = index === 0 ? read.outboxId : `${read.outboxId}_${index}`;
    outboxIds.push(outboxId);
    statements.push(...applyPiece(db, { ...read, outboxId }, piece));
  }
  return { outboxIds, statements };
}

interface Piece {
  /** JSON of its customers, as the statements read it. */
  readonly text: string;
  /** Everybody that they name. */
  readonly identifiers: readonly string[];
}

const encoder = new TextEncoder();

function piecesOf(customers: readonly ReadCustomer[]): Piece[] {
  const pieces: Piece[] = [];
  let texts: string[] = [];
  let identifiers: string[] = [];
  let length = 0;
  let octets = 0;
  const close = () => {
    if (texts.length > 0) pieces.push({ text: `[${texts.join(',')}]`, identifiers });
    texts = [];
    identifiers = [];
    length = 0;
    octets = 0;
  };
  for (const each of customers) {
    const metadata = JSON.stringify(each.metadata);
    const text = JSON.stringify({ ...each, metadata, subscriptions: JSON.stringify(each.subscriptions) });
    const names = each.email === null ? [each.id] : [each.id, each.email];
    const namesOctets = encoder.encode(JSON.stringify(names)).byteLength;
    if (length + text.length > MAX_VALUE_LENGTH || octets + namesOctets > MAX_NAMES_OCTETS) close();
    texts.push(text);
    identifiers.push(...names);
    length += text.length;
    octets += namesOctets;
  }
  close();
  return pieces;
}

function applyPiece(
  db: Db,
  { orgId, integrationId, readAt, outboxId, now }: CustomersRead,
  { text, identifiers }: Piece,
): Statement[] {
  const incoming = sql`incoming AS MATERIALIZED (SELECT value ->> 'id' AS id, value ->> 'email' AS email, value ->> 'name' AS name, value ->> 'livemode' AS livemode, value ->> 'metadata' AS metadata, value ->> 'subscriptions' AS subscriptions, value ->> 'createdAt' AS created_at, CASE value ->> 'isDeleted' WHEN 1 THEN ${now} END AS deleted_at FROM json_each(${text}))`;
  const isNewer = sql`(s.id IS NULL OR s.read_at < ${readAt})`;
  const isChange = sql`(s.id IS NULL OR ${factsDiffer('s', 'i')})`;
  const changed = sql`changed AS MATERIALIZED (SELECT i.id, i.email, s.email AS former, ${emailAfter('s', 'i')} AS email_after FROM incoming i LEFT JOIN ${stripeCustomer} s ON s.integration_id = ${integrationId} AND s.id = i.id WHERE ${isNewer} AND ${isChange})`;
  const names = sql`SELECT id AS name FROM changed UNION SELECT email FROM changed WHERE email IS NOT NULL UNION SELECT former FROM changed WHERE former IS NOT NULL`;
  const version = nextFactsVersion(orgId, identifiers, now);
  const differs = factsDiffer('stripe_customer', 'excluded');
  const written = (column: string) => sql.raw(`excluded.${column}`);
  return [
    db
      .insert(outbox)
      .select(
        sql`WITH ${incoming}, ${changed} SELECT ${outboxId}, ${orgId}, 'stripe.customers-changed', json_object('type', 'stripe.customers-changed', 'outboxId', ${outboxId}, 'orgId', ${orgId}, 'customers', json((SELECT json_group_array(name) FROM (${names})))), ${now}, ${now}, 1 WHERE EXISTS (SELECT 1 FROM changed)`,
      ),
    // An address that nobody has any more keeps a version that has risen; nothing was said of it by hand (created at 0).
    db
      .insert(customer)
      .select(
        sql`WITH ${incoming}, ${changed} SELECT DISTINCT ${orgId}, former, ${version}, 0, ${now} FROM changed WHERE former IS NOT NULL AND former IS NOT email_after`,
      )
      .onConflictDoUpdate({
        target: [customer.orgId, customer.identifier],
        set: { factsVersion: written('facts_version'), updatedAt: now },
      }),
    db
      .insert(stripeCustomer)
      .select(
        sql`WITH ${incoming} SELECT ${integrationId}, ${orgId}, id, email, name, livemode, metadata, subscriptions, created_at, ${readAt}, ${version}, deleted_at FROM incoming WHERE true`,
      )
      .onConflictDoUpdate({
        target: [stripeCustomer.integrationId, stripeCustomer.id],
        set: {
          email: emailAfter('stripe_customer', 'excluded'),
          name: written('name'),
          livemode: written('livemode'),
          metadata: written('metadata'),
          subscriptions: written('subscriptions'),
          readAt: written('read_at'),
          factsVersion: sql`CASE WHEN ${differs} THEN excluded.facts_version ELSE stripe_customer.facts_version END`,
          deletedAt: sql`CASE WHEN excluded.deleted_at IS NOT NULL THEN coalesce(stripe_customer.deleted_at, excluded.deleted_at) END`,
        },
        setWhere: sql`excluded.read_at > stripe_customer.read_at AND (${differs} OR stripe_customer.name IS NOT excluded.name OR stripe_customer.metadata IS NOT excluded.metadata)`,
      }),
  ];
}

/** Whether what ledgers must know is another in the row `after` than in the row `before`. */
function factsDiffer(before: string, after: string): SQL {
  const differs = (column: string) => sql.raw(`${before}.${column} IS NOT ${after}.${column}`);
  return sql`(${sql.raw(before)}.email IS NOT ${emailAfter(before, after)} OR ${differs('subscriptions')} OR ${differs('livemode')} OR ${sql.raw(`(${before}.deleted_at IS NULL) IS NOT (${after}.deleted_at IS NULL)`)})`;
}

/** A deleted customer's address stays: versions of facts go by it. */
function emailAfter(before: string, after: string): SQL {
  return sql.raw(`CASE WHEN ${after}.deleted_at IS NULL THEN ${after}.email ELSE ${before}.email END`);
}
