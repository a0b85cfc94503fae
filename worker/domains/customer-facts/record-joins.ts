/**
 * Records who is joined: which Stripe customers are which created customers, in each environment. The rule is `createdCustomerOf`, and
 * `customer_join` has what the audit log said last. Statements that follow a change compare the two for the names of the change, log each
 * difference and store it, whatever the change was. What a call or a person said is logged with that change and not said twice. After an
 * environment is deleted nothing is joined there, without a row for each.
 *
 * Facts of every name of a Stripe customer say who it is, so its row has the version of a change that joins or separates it.
 */
import { type SQL, sql } from 'drizzle-orm';
import { firstIdAt } from '#runtime/ids';
import type { Db, Statement } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { customerJoin, customerSource, provisionedCustomer } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { auditLog } from '#worker/db/schema/operations';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';
import { createdCustomerOf, isSeenIn, rowsWith } from './customer-names.ts';
import { raiseVersions } from './next-facts-version.ts';

export interface JoinNames {
  readonly orgId: string;
  /** The common table expression `names`, with every name that may be joined or separated, and its created customer's ID. */
  readonly names: SQL;
  readonly now: number;
}

/** Commit them in this order, after the change. */
export function recordJoins(db: Db, source: JoinNames): Statement[] {
  const { orgId, names, now } = source;
  const [pair, action] = [sql`c`, sql`c.action`];
  // The time of a new ID. What is separated comes first, and both after what the change logs itself.
  const idOf = sql`iif(${action} = 'customer.joined', 'z', 'y') || substr(lower(hex(randomblob(8))), 2)`;
  const separated = sql`SELECT j.*, 'customer.separated' AS action, ${reasonOf(sql`j`)} AS reason FROM names n
    CROSS JOIN ${customerJoin} j CROSS JOIN ${environment} v WHERE j.org_id = ${orgId} AND j.identifier = n.name
    AND v.id = j.environment_id AND v.deleted_at IS NULL AND NOT ${isOf(sql`pairs`, sql`j`)}`;
  const joined = sql`SELECT p.*, 'customer.joined', iif(p.is_said, NULL, 'metadata') FROM pairs p
    WHERE NOT ${isOf(sql`${customerJoin}`, sql`p`)}`;
  const changed = sql`${names}, ${pairsOf(orgId)}, changed AS MATERIALIZED (${separated} UNION ALL ${joined})`;
  return [
    raiseVersions(db, orgId, sql`WITH ${changed} SELECT integration_id, customer_id FROM changed`),
    insertSelect(
      db,
      auditLog,
      {
        id: sql`${firstIdAt('aud', now).slice(0, -16)} || ${idOf}`,
        orgId,
        actorUserId: null,
        actorKey: null,
        action,
        targetId: sql`c.identifier`,
        detail: sql`json_object('environmentId', c.environment_id, 'integrationId', c.integration_id, 'customerId', c.customer_id,
          'customerIds', json_array(c.customer_id), 'by', c.reason)`,
        at: now,
      },
      {
        with: changed,
        from: sql`changed c`,
        where: sql`${action} IS NOT (SELECT l.action FROM (${lastLogOf(orgId, pair)}) l)`,
      },
    ),
    db.delete(customerJoin).where(
      sql`${customerJoin}.rowid IN (WITH ${names}, ${pairsOf(orgId)} SELECT j.rowid FROM names n CROSS JOIN ${customerJoin} j
          WHERE j.org_id = ${orgId} AND j.identifier = n.name AND NOT ${isOf(sql`pairs`, sql`j`)})`,
    ),
    storeJoins(db, source),
  ];
}

/** Stores those that an earlier release logged. */
function storeJoins(db: Db, { orgId, names }: Omit<JoinNames, 'now'>): Statement {
  return insertSelect(
    db,
    customerJoin,
    {
      orgId,
      identifier: sql`p.identifier`,
      environmentId: sql`p.environment_id`,
      integrationId: sql`p.integration_id`,
      customerId: sql`p.customer_id`,
      joinedAt: sql`(SELECT iif(l.action = 'customer.joined', l.at, NULL) FROM (${lastLogOf(orgId, sql`p`)}) l)`,
    },
    {
      with: sql`${names}, ${pairsOf(orgId)}`,
      from: sql`pairs p`,
      where: sql`NOT ${isOf(sql`${customerJoin}`, sql`p`)}`,
    },
  ).onConflictDoNothing();
}

/** SQL: the common table expression `pairs`: who is joined among the names. Its first columns are those of `customer_join`. */
function pairsOf(orgId: string): SQL {
  const [s, v] = [sql`s`, sql`v.id`];
  // CROSS JOIN fixes the join order: SQLite looks up each name and does not scan the organisation's customers.
  const isIt = sql`v.id = k.environment_id AND v.deleted_at IS NULL AND ${isSeenIn(s, v)} AND ${createdCustomerOf(s, v)} = k.identifier`;
  return sql`pairs AS MATERIALIZED (SELECT org_id, identifier, environment_id, integration_id, customer_id, max(is_said) AS is_said FROM (
    SELECT s.org_id, k.identifier, k.environment_id, s.integration_id, s.id AS customer_id, TRUE AS is_said FROM names n
      CROSS JOIN ${customerSource} k CROSS JOIN ${stripeCustomer} s CROSS JOIN ${environment} v WHERE k.org_id = ${orgId}
      AND k.identifier = n.name AND s.integration_id = k.integration_id AND s.id = k.customer_id AND ${isIt}
    UNION ALL SELECT s.org_id, k.identifier, k.environment_id, s.integration_id, s.id, FALSE FROM names n
      CROSS JOIN ${provisionedCustomer} k CROSS JOIN ${stripeCustomer} s CROSS JOIN ${environment} v WHERE k.org_id = ${orgId}
      AND k.identifier = n.name AND s.rowid IN ${rowsWith(orgId, stripeCustomer, ['user_id'], sql`n.name`)} AND ${isIt})
    GROUP BY identifier, environment_id, integration_id, customer_id)`;
}

/** Condition: the table has the pair. */
function isOf(table: SQL, pair: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${table} t WHERE t.org_id = ${pair}.org_id AND t.identifier = ${pair}.identifier
    AND t.environment_id = ${pair}.environment_id AND t.integration_id = ${pair}.integration_id AND t.customer_id = ${pair}.customer_id)`;
}

/** SQL: why a stored pair is joined no longer. The console has words for each (web/values/stripe-side.ts). */
function reasonOf(pair: SQL): SQL {
  const isSaidOfOther = sql`EXISTS (SELECT 1 FROM ${customerSource} o WHERE o.environment_id = ${pair}.environment_id
    AND o.identifier = ${pair}.identifier AND o.integration_id = s.integration_id AND o.livemode = s.livemode AND o.customer_id <> s.id)`;
  const why = sql`SELECT CASE WHEN u.deleted_at IS NOT NULL THEN 'disconnection' WHEN s.deleted_at IS NOT NULL THEN 'deletion'
    WHEN ${isSaidOfOther} THEN 'replacement' WHEN NOT u.user_ids_ready THEN 'user-id-key'
    WHEN s.user_id = ${pair}.identifier THEN 'ambiguity' ELSE 'metadata' END
    FROM ${stripeCustomer} s CROSS JOIN ${stripeIntegration} u WHERE s.integration_id = ${pair}.integration_id
    AND s.id = ${pair}.customer_id AND u.id = s.integration_id`;
  return sql`coalesce((${why}), 'disconnection')`;
}

/** SQL: what the log said last of a pair. */
function lastLogOf(orgId: string, pair: SQL): SQL {
  return sql`SELECT a.action, a.at FROM ${auditLog} a WHERE a.org_id = ${orgId} AND a.target_id = ${pair}.identifier
    AND a.action IN ('customer.joined', 'customer.separated') AND a.detail ->> 'environmentId' = ${pair}.environment_id
    AND coalesce(a.detail ->> 'integrationId', ${pair}.integration_id) = ${pair}.integration_id
    AND ${pair}.customer_id IN (SELECT value FROM json_each(coalesce(a.detail -> 'customerIds', json_array(a.detail ->> 'customerId'))))
    ORDER BY a.at DESC, a.rowid DESC LIMIT 1`;
}
