/**
 * The statement that records that a Stripe customer becomes a created one, or no longer is, because its metadata changed or Stripe deleted
 * it. It compares the stored state with what was read, so it comes before the statement that stores the read.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Db, Statement } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { provisionedCustomer } from '#worker/db/schema/customers';
import { auditLog } from '#worker/db/schema/operations';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { createdCustomerOf, isSeenIn } from '#worker/domains/customer-facts/customer-names';

export interface JoinsRead {
  readonly orgId: string;
  /** Unique per set of customers read. */
  readonly outboxId: string;
  /** The common table expression `incoming` of the customers read. */
  readonly incoming: SQL;
  readonly now: number;
}

/** By the service itself: nobody did it here. */
export function joinsByMetadata(db: Db, { orgId, outboxId, incoming, now }: JoinsRead): Statement {
  const environmentId = sql`p.environment_id`;
  const isOne = (row: SQL) =>
    sql`(${isSeenIn(row, environmentId)} AND ${createdCustomerOf(row, environmentId)} IS p.identifier)`;
  // What is read at once is not stored yet, so two that carry one id do not see each other.
  const isCarriedTwice = sql`EXISTS (SELECT 1 FROM incoming o WHERE o.user_id = i.user_id AND o.id <> i.id AND o.deleted_at IS NULL)`;
  const pairs = sql`pairs AS MATERIALIZED (SELECT i.id, i.integration_id, i.deleted_at, p.environment_id, p.identifier,
    ${isOne(sql`i`)} AND NOT ${isCarriedTwice} AS is_one, s.id IS NOT NULL AND ${isOne(sql`s`)} AS was_one
    FROM incoming i LEFT JOIN ${stripeCustomer} s ON s.integration_id = i.integration_id AND s.id = i.id
    CROSS JOIN ${provisionedCustomer} p WHERE p.org_id = ${orgId} AND p.identifier IN (i.user_id, s.user_id)
    AND (s.id IS NULL OR s.read_at < i.read_at))`;
  return insertSelect(
    db,
    auditLog,
    {
      id: sql`${`aud_${outboxId.slice(4)}.`} || environment_id || id`,
      orgId,
      actorUserId: null,
      actorKey: null,
      action: sql`iif(is_one, 'customer.joined', 'customer.separated')`,
      targetId: sql`identifier`,
      detail: sql`json_object('environmentId', environment_id, 'integrationId', integration_id, 'customerId', id,
        'customerIds', json_array(id), 'by', iif(deleted_at IS NULL, 'metadata', 'deletion'))`,
      at: now,
    },
    { with: sql`${incoming}, ${pairs}`, from: sql`pairs`, where: sql`is_one IS NOT was_one` },
  ).onConflictDoNothing();
}
