/**
 * The application's own user ids, which merchants write into their Stripe customers' metadata under a key that the integration names. A
 * user id is an alias of the one customer that carries it; what is stored under it belongs to that customer, because the merchant says
 * so. Carried by several, it is a customer of its own that has the plans of all. See worker/domains/customer-facts/README.md, "User ids".
 */
import { type SQL, sql } from 'drizzle-orm';
import { MAX_IDENTIFIER } from '#contracts/public/identifiers';
import { provisionedCustomer } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';
import { isSeenIn } from './email-owner.ts';

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

/** Condition: the text is the user id of exactly one customer, and not a customer's own id, in environments of any type. */
export function isUserIdAlias(orgId: string, text: SQL): SQL {
  const provisioned = (column: 'identifier' | 'user_id') =>
    sql`EXISTS (SELECT 1 FROM ${provisionedCustomer} p CROSS JOIN ${environment} v WHERE p.org_id = ${orgId}
      AND p.${sql.raw(column)} = ${text} AND v.id = p.environment_id AND v.deleted_at IS NULL)`;
  const carrier = (as: 'c' | 'd') =>
    sql`SELECT 1 FROM ${stripeCustomer} ${sql.raw(as)} WHERE ${sql.raw(as)}.org_id = ${orgId} AND ${sql.raw(as)}.user_id = ${text}
      AND ${isSeenIn(sql.raw(as), null)} AND ${userIdInEffect(sql.raw(as))} IS NOT NULL`;
  // Not counted: for DISTINCT, SQLite would scan the organisation's customers in the order of their ids.
  const isOfOne = sql`EXISTS (${carrier('c')} AND NOT EXISTS (${carrier('d')} AND d.id <> c.id))`;
  const isExact = sql`EXISTS (SELECT 1 FROM ${stripeCustomer} x WHERE x.org_id = ${orgId} AND x.id = ${text}
    AND ${isSeenIn(sql`x`, null)})`;
  return sql`((${isOfOne} OR ${provisioned('user_id')}) AND NOT ${isExact} AND NOT ${provisioned('identifier')})`;
}
