/**
 * How many features and customers each plan has, and when it last changed. Counting customers reads each synced customer of
 * the organisation once, about 100,000 rows at 100,000 customers: nothing else of the console waits for it.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { PlanSummary } from '#contracts/console/plans';
import { DAY_MS } from '#engine/durations';
import type { Db } from '#worker/db/database';
import { isGrantingStatus } from '#worker/db/granting-status';
import { knownAs, nameOwner } from '#worker/domains/customer-facts/customer-names';
import type { Scope } from '#worker/http/request-context';

interface FeatureRow {
  readonly planId: string;
  readonly featureCount: number;
  readonly changedAt: number;
  /** Known customers, if the plan is granted to all of them; null: it is not. */
  readonly everyone: number | null;
}

/**
 * A customer counts once per plan, however many subscriptions and grants lead to it. A grant of an email counts for the
 * Stripe customer that the email belongs to. Expired grants do not count. Every known customer has a plan for everyone who is signed in.
 * @param now epoch milliseconds
 */
export async function listPlanSummaries(db: Db, { orgId }: Scope, now: number): Promise<PlanSummary[]> {
  // Whose the grant is: the id that owns its email or user id, and the created customer that this one is the same as.
  const name = sql`g.customer_identifier`;
  const grantee = nameOwner(orgId, name);
  const [features, customers] = await Promise.all([
    db.all<FeatureRow>(sql`
      SELECT p.id AS planId, max(p.updated_at, v.created_at) AS changedAt,
        (SELECT count(*) FROM json_each(v.properties)) AS featureCount,
        CASE WHEN p.grant_to_authenticated_users AND NOT p.is_add_on
          THEN (SELECT count(*) FROM known_customer WHERE org_id = ${orgId}) END AS everyone
      FROM plan AS p JOIN plan_version AS v ON v.plan_id = p.id AND v.version = p.current_version
      WHERE p.org_id = ${orgId}
      ORDER BY p.created_at, p.id`),
    db.all<{ readonly planId: string; readonly customerCount: number }>(sql`
      SELECT planId, count(DISTINCT customer) AS customerCount FROM (
        SELECT link.plan_id AS planId, ${knownAs(sql`c`, null)} AS customer
        FROM stripe_customer AS c, json_each(c.subscriptions) AS s, json_each(s.value, '$.productIds') AS product
        JOIN plan_product AS link
          ON link.org_id = ${orgId} AND link.integration_id = c.integration_id AND link.product_id = product.value
          AND (EXISTS (SELECT 1 FROM json_each(s.value, '$.items') AS item
            WHERE item.value ->> '$.productId' = link.product_id AND link.price_id IN ('', item.value ->> '$.priceId')
              AND ifnull(item.value ->> '$.quantity', 1) <> 0)
            OR (s.value -> '$.items' IS NULL AND link.price_id = ''))
        JOIN stripe_integration AS i ON i.id = c.integration_id AND i.deleted_at IS NULL
        WHERE c.org_id = ${orgId} AND c.deleted_at IS NULL AND c.subscriptions <> '[]'
          AND ${isGranting(now)}
        UNION ALL
        SELECT g.plan_id, coalesce(${grantee}, g.customer_identifier)
        FROM customer_grant AS g
        WHERE g.org_id = ${orgId} AND (g.until IS NULL OR g.until > ${now})
      ) GROUP BY planId`),
  ]);
  const counts = new Map(customers.map(({ planId, customerCount }) => [planId, customerCount]));
  return features.map(({ everyone, ...row }) => ({
    ...row,
    customerCount: everyone ?? counts.get(row.planId) ?? 0,
  }));
}

/** Condition: `subscriptionAccess` of the engine, for a subscription `s` of the integration `i`. */
function isGranting(now: number): SQL {
  const of = (field: string) => sql.raw(`s.value ->> '$.${field}'`);
  const policy = (field: string) => sql.raw(`i.subscription_policy ->> '$.${field}'`);
  const days = policy('pastDueDays');
  const isStatusGranting = sql`CASE ${of('status')}
    WHEN 'past_due' THEN ${days} IS NULL OR (${days} > 0 AND coalesce(${of('pastDueAt')} + ${days} * ${DAY_MS} > ${now}, 1))
    WHEN 'unpaid' THEN coalesce(${policy('keepsUnpaid')}, 0)
    WHEN 'trialing' THEN coalesce(${policy('grantsCardlessTrials')}, 1) OR ${of('lacksPaymentMethod')} IS NULL
    ELSE ${isGrantingStatus(of('status'))} END`;
  const isCollected = sql`(coalesce(${policy('keepsPaused')}, 1) OR ${of('pauseCollection')} IS NULL
    OR coalesce(${of('pauseCollection.resumesAt')} <= ${now}, 0))`;
  return sql`(${isStatusGranting}) AND ${isCollected}`;
}
