/**
 * The statement that records what changed in customers' subscriptions, for the history of a customer. It compares the stored
 * state with what was read, so it comes before the statement that stores the read.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Db, Statement } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { subscriptionChange } from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';

export interface SubscriptionsRead {
  readonly orgId: string;
  readonly integrationId: string;
  /** Unique per set of customers read. */
  readonly outboxId: string;
  /** The common table expression `incoming` of the customers read, each with the instant of its read. */
  readonly incoming: SQL;
}

/** The fields whose change counts: a period that ends later is a renewal, which is no change. */
const FIELDS = ['status', 'productIds', 'cancelAt', 'trialEndAt', 'pauseCollection'] as const;

/**
 * The subscriptions that a customer has when it is first read are no change, so a first sync writes nothing. A missing
 * subscription has ended.
 */
export function subscriptionChanges(
  db: Db,
  { orgId, integrationId, outboxId, incoming }: SubscriptionsRead,
): Statement {
  const customers = sql`customers AS MATERIALIZED (SELECT i.id, i.read_at, s.subscriptions AS former, i.subscriptions AS latest
    FROM incoming i CROSS JOIN ${stripeCustomer} s WHERE s.integration_id = ${integrationId} AND s.id = i.id
    AND s.read_at < i.read_at AND s.subscriptions IS NOT i.subscriptions)`;
  const other = (list: 'former' | 'latest', one: 'a' | 'b') =>
    sql`(SELECT o.value FROM json_each(c.${sql.raw(list)}) o WHERE o.value ->> 'id' = ${sql.raw(one)}.value ->> 'id')`;
  const pairs = sql`pairs AS (SELECT c.id AS customer, c.read_at AS at, b.value ->> 'id' AS subscription,
    b.value AS before, ${other('latest', 'b')} AS after FROM customers c, json_each(c.former) b
    UNION ALL SELECT c.id, c.read_at, a.value ->> 'id', NULL, a.value FROM customers c, json_each(c.latest) a
    WHERE ${other('former', 'a')} IS NULL)`;
  const differs = FIELDS.map((field) => sql.raw(`before ->> '$.${field}' IS NOT after ->> '$.${field}'`));
  // The items of older rows are unknown.
  const quantities = (side: 'before' | 'after') =>
    sql.raw(`(SELECT group_concat((value ->> 'priceId') || ' ' || ifnull(value ->> 'quantity', ''))
      FROM json_each(${side}, '$.items'))`);
  differs.push(
    sql`(before ->> '$.items' IS NOT NULL AND ${quantities('before')} IS NOT ${quantities('after')})`,
  );
  return insertSelect(
    db,
    subscriptionChange,
    {
      id: sql`${`${outboxId}.`} || subscription`,
      orgId,
      integrationId,
      customerId: sql`customer`,
      subscriptionId: sql`subscription`,
      before: sql`before`,
      after: sql`after`,
      at: sql`at`,
    },
    {
      with: sql`${incoming}, ${customers}, ${pairs}`,
      from: sql`pairs`,
      where: sql`before IS NULL OR after IS NULL OR ${sql.join(differs, sql` OR `)}`,
    },
  ).onConflictDoNothing();
}
