/**
 * The known customers of an environment, grouped by what grants them plans: customers with the same subscribed products, grants and
 * states of subscriptions have the same values, so one of each group is evaluated. So do those with balances of the same meters, where
 * balances open features. Whoever has more to them (overrides, an email or id that others share, an alias with entries of its own) is a
 * group alone. Reads each known customer's row once, and its Stripe row.
 */
import { type SQL, sql } from 'drizzle-orm';
import { MAX_KEPT_CUSTOMERS } from '#contracts/console/impact';
import type { Db } from '#worker/db/database';
import {
  customerBalance,
  customerGrant,
  customerOverride,
  customerSource,
  knownCustomer,
  provisionedCustomer,
} from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';
import { createdCustomerOf, isSeenIn } from '#worker/domains/customer-facts/customer-names';
import type { Scope } from '#worker/http/request-context';

export interface CustomerGroup {
  /** How many customers are like the first. */
  readonly size: number;
  /** At most NAMES_OF_GROUP. */
  readonly customers: readonly { readonly identifier: string; readonly name: string | null }[];
}

/** All of a group whose values can be kept. */
const NAMES_OF_GROUP = MAX_KEPT_CUSTOMERS;

interface Row {
  readonly groupKey: string;
  readonly size: number;
  readonly identifier: string;
  readonly name: string | null;
}

export interface GroupedCustomers {
  readonly environmentId: string;
  /** Ids of the meters of which a balance opens their feature, in any of the compared versions. */
  readonly opening: readonly string[];
  readonly now: number;
}

/** Customers that only Stripe's test mode has do not exist in a live environment. @returns in no order */
export async function groupCustomers(
  db: Db,
  { orgId }: Scope,
  grouped: GroupedCustomers,
): Promise<CustomerGroup[]> {
  // Materialised: SQLite would work out a key for each use of it otherwise.
  const rows = await db.all<Row>(sql`
    WITH opener AS MATERIALIZED (${openers(orgId, grouped)}),
      keyed AS MATERIALIZED (${keyedCustomers(orgId, grouped)}),
      sizes AS MATERIALIZED (SELECT groupKey, count(*) AS size FROM keyed GROUP BY groupKey)
    SELECT groupKey, size, identifier, name FROM (
      SELECT groupKey, identifier, name, row_number() OVER (PARTITION BY groupKey) AS place FROM keyed
    ) JOIN sizes USING (groupKey) WHERE place <= ${NAMES_OF_GROUP}`);
  return [...Map.groupBy(rows, ({ groupKey }) => groupKey).values()].map((members) => ({
    size: members[0]?.size ?? 0,
    customers: members.map(({ identifier, name }) => ({ identifier, name })),
  }));
}

function isLiveEnvironment(environmentId: string): SQL {
  return sql`(SELECT e.type FROM ${environment} e WHERE e.id = ${environmentId}) = 'live'`;
}

function keyedCustomers(orgId: string, grouped: GroupedCustomers): SQL {
  const { environmentId, now } = grouped;
  const isLive = isLiveEnvironment(environmentId);
  const hasEntries = sql`(k.granted_until > ${now} OR k.overridden_until > ${now} OR opener.identifier IS NOT NULL)`;
  const elsewhere = joinedElsewhere(orgId, environmentId);
  return sql`
    SELECT s.id AS identifier, coalesce(s.name, s.email) AS name, s.id AS groupKey FROM ${elsewhere}
    UNION ALL SELECT k.identifier, coalesce(k.name, k.email) AS name,
      CASE WHEN ${isAlone(orgId, grouped)} THEN k.identifier
        ELSE concat_ws(char(29), c.integration_id, ${subscriptionsKey()}, ${grantsKey(orgId, environmentId, now)},
          opener.meters) END AS groupKey
    FROM ${knownCustomer} k
    LEFT JOIN opener ON opener.identifier = k.identifier
    LEFT JOIN ${stripeCustomer} c ON c.integration_id = k.integration_id AND c.id = k.identifier AND ${isSeenIn(sql`c`, environmentId)}
    LEFT JOIN ${stripeIntegration} i ON i.id = c.integration_id
    LEFT JOIN ${provisionedCustomer} p ON p.environment_id = ${environmentId} AND p.identifier = k.identifier
    WHERE k.org_id = ${orgId}
      AND NOT (${isLive} AND k.livemode IS 0 AND c.id IS NULL AND p.identifier IS NULL AND NOT ${hasEntries})
      AND NOT (p.identifier IS NULL AND c.id IS NULL AND NOT ${hasEntries}
        AND k.identifier IN (SELECT ${createdCustomerOf(sql`s`, null)} FROM ${elsewhere}))`;
}

/** SQL, after FROM: the rows `s` of Stripe customers that are listed as created customers of another environment, and are none here. */
function joinedElsewhere(orgId: string, environmentId: string): SQL {
  const s = sql`s`;
  return sql`${stripeCustomer} s WHERE s.rowid IN (
      SELECT c.rowid FROM ${customerSource} source CROSS JOIN ${stripeCustomer} c WHERE source.org_id = ${orgId}
        AND c.integration_id = source.integration_id AND c.id = source.customer_id
      UNION SELECT c.rowid FROM ${provisionedCustomer} created CROSS JOIN ${stripeCustomer} c WHERE created.org_id = ${orgId}
        AND c.org_id = ${orgId} AND c.user_id = created.identifier)
    AND ${isSeenIn(s, environmentId)} AND ${createdCustomerOf(s, null)} IS NOT NULL AND ${createdCustomerOf(s, environmentId)} IS NULL`;
}

/**
 * What decides access and plans, from the stored JSON: items and, without them, products (the only values in a list); by the policy,
 * `subscriptionAccess` of the engine, what it asks for. Without a policy, customers who are past due are not told apart by since when.
 */
function subscriptionsKey(): SQL {
  return sql`CASE WHEN c.subscriptions <> '[]' THEN (SELECT group_concat(t.path || t.key || char(31) || t.atom, char(30))
    FROM json_tree(c.subscriptions) AS t WHERE t.atom IS NOT NULL AND (t.key IN ('status', 'productId', 'priceId', 'quantity')
      OR typeof(t.key) = 'integer' OR (i.subscription_policy IS NOT NULL
        AND t.key IN ('pastDueAt', 'lacksPaymentMethod', 'behavior', 'resumesAt')))) END`;
}

function grantsKey(orgId: string, environmentId: string, now: number): SQL {
  return sql`CASE WHEN k.granted_until > ${now} THEN (SELECT json_group_array(planId) FROM (SELECT DISTINCT g.plan_id AS planId
    FROM ${customerGrant} g WHERE g.org_id = ${orgId} AND g.customer_identifier = k.identifier
      AND (g.environment_id IS NULL OR g.environment_id = ${environmentId}) AND (g.until IS NULL OR g.until > ${now})
    ORDER BY g.plan_id)) END`;
}

/**
 * SQL: each customer with balances that can be drawn from now and may open a feature, and the meters that they are of. Whether one that needs
 * a plan does so depends on the plans.
 */
function openers(orgId: string, { environmentId, opening, now }: GroupedCustomers): SQL {
  if (opening.length === 0) return sql`SELECT NULL AS identifier, NULL AS meters WHERE FALSE`;
  return sql`SELECT identifier, json_group_array(meter) AS meters FROM (
      SELECT DISTINCT b.customer_identifier AS identifier, b.property_id || ' ' || b.needs_plan AS meter FROM ${customerBalance} b
      WHERE b.org_id = ${orgId} AND b.closed_at IS NULL AND b.ends_at > ${now} AND b.starts_at <= ${now} AND NOT b.is_frozen
        AND (b.environment_id IS NULL OR b.environment_id = ${environmentId})
        AND (b.livemode IS NOT 0 OR NOT ${isLiveEnvironment(environmentId)})
        AND b.property_id IN (SELECT value FROM json_each(${JSON.stringify(opening)}))
      ORDER BY identifier, meter
    ) GROUP BY identifier`;
}

/** Condition: what the customer has may not follow from its own subscriptions, grants and balances alone. */
function isAlone(orgId: string, { environmentId, now }: GroupedCustomers): SQL {
  const atStripe = (condition: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${stripeCustomer} o WHERE o.org_id = ${orgId} AND ${condition})`;
  /** Values that several rows have, found once for all customers. */
  const shared = (column: 'id' | 'email' | 'user_id') => {
    const name = sql.raw(column);
    return sql`(SELECT ${name} FROM ${stripeCustomer} WHERE org_id = ${orgId} AND ${name} IS NOT NULL
      GROUP BY ${name} HAVING count(*) > 1)`;
  };
  const created = (column: 'identifier' | 'email' | 'user_id') => {
    const name = sql.raw(column);
    return sql`(SELECT ${name} FROM ${provisionedCustomer} WHERE environment_id = ${environmentId} AND ${name} IS NOT NULL)`;
  };
  const opening = sql`(SELECT identifier FROM opener)`;
  const hasOwnEntries = (alias: SQL) =>
    sql`(${alias} IS NOT NULL AND (${hasEntry(customerGrant, orgId, alias)} OR ${hasEntry(customerOverride, orgId, alias)}
      OR ${alias} IN ${opening}))`;
  const joined = sql`(SELECT identifier FROM ${customerSource} WHERE environment_id = ${environmentId})`;
  const sharesStripe = sql`(c.id IS NOT NULL AND (k.granted_until > ${now} OR p.identifier IS NOT NULL
    OR c.id IN ${shared('id')} OR c.email IN ${shared('email')}
    OR c.user_id IN ${shared('user_id')}
    OR (c.user_id IS NOT NULL AND (${atStripe(sql`o.id = c.user_id`)} OR ${hasOwnEntries(sql`c.user_id`)}))
    OR c.email IN ${opening} OR c.email IN ${created('email')} OR c.email IN ${created('identifier')} OR c.id IN ${created('user_id')}
    OR c.user_id IN ${created('user_id')} OR c.user_id IN ${created('identifier')}))`;
  const sharesName = sql`(c.id IS NULL AND (${atStripe(sql`o.id = k.identifier`)} OR ${atStripe(sql`o.email = k.identifier`)}
    OR ${atStripe(sql`o.user_id = k.identifier`)} OR k.identifier IN ${joined}
    OR k.identifier IN ${created('email')} OR k.identifier IN ${created('user_id')}))`;
  const sharesAlias = sql`(p.identifier IS NOT NULL AND (p.email IS NOT NULL OR p.user_id IS NOT NULL) AND (
    ${atStripe(sql`o.email = p.email`)} OR ${atStripe(sql`o.user_id = p.user_id`)} OR ${atStripe(sql`o.id = p.user_id`)}
    OR ${hasOwnEntries(sql`p.email`)} OR ${hasOwnEntries(sql`p.user_id`)}))`;
  // A condition that is unknown is none.
  return sql`coalesce(k.overridden_until > ${now} OR ${sharesStripe} OR ${sharesName} OR ${sharesAlias}, 0)`;
}

function hasEntry(
  table: typeof customerGrant | typeof customerOverride,
  orgId: string,
  identifier: SQL,
): SQL {
  return sql`EXISTS (SELECT 1 FROM ${table} e WHERE e.org_id = ${orgId} AND e.customer_identifier = ${identifier})`;
}
