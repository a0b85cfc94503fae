/** The version of a change of customer facts: an instant, higher than every version that the facts have had. */
import { type SQL, sql } from 'drizzle-orm';
import { customer, customerSource } from '#worker/db/schema/customers';
import { organization } from '#worker/db/schema/organisations';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';
import { relatedNames } from './customer-names.ts';

/**
 * For use in the statement that makes the change. A customer's facts are derived from several rows, and the highest version
 * of them and of the organisation counts (load-customer-facts). Each change exceeds them all, even if the
 * clocks of two Workers differ.
 * @param identifiers canonical: current and previous identifiers of the changed customers
 * @param more SQL: a query of further ones, in a column `name`
 */
export function nextFactsVersion(
  orgId: string,
  identifiers: readonly string[],
  now: number,
  more?: SQL,
): SQL<number> {
  const known = sql`SELECT value AS name FROM json_each(${JSON.stringify(identifiers)})`;
  const given = sql`given AS MATERIALIZED (${more === undefined ? known : sql`${known} UNION ALL ${more}`})`;
  // With the other customers of the same created one.
  const names = sql`SELECT name FROM given UNION ALL SELECT name FROM (${relatedNames(orgId, sql`given`)})
    UNION ALL SELECT t.customer_id FROM given g CROSS JOIN ${customerSource} s CROSS JOIN ${customerSource} t
      WHERE s.org_id = ${orgId} AND s.customer_id = g.name AND t.org_id = ${orgId} AND t.identifier = s.identifier`;
  const highest = (table: typeof customer | typeof stripeCustomer, name: string) =>
    sql`coalesce((SELECT max(v.facts_version) FROM names k CROSS JOIN ${table} v WHERE v.org_id = ${orgId}
      AND v.${sql.raw(name)} = k.name), 0)`;
  return sql<number>`(WITH ${given}, names AS MATERIALIZED (${names}) SELECT max(${now}, 1 + ${highest(customer, 'identifier')},
    1 + ${highest(stripeCustomer, 'id')}, 1 + ${highest(stripeCustomer, 'email')}, 1 + ${highest(stripeCustomer, 'user_id')},
    1 + ${organisationVersion(orgId)}))`;
}

/**
 * Of all facts of the organisation: when the last integration was deleted, or began or ceased to say user ids, or when the database
 * was restored.
 */
export function organisationVersion(orgId: string): SQL {
  return sql`max(coalesce((SELECT max(max(coalesce(e.deleted_at, 0), e.user_ids_at)) FROM ${stripeIntegration} e
    WHERE e.org_id = ${orgId}), 0), ${factsEpochOf(sql`${orgId}`)})`;
}

function factsEpochOf(orgId: SQL): SQL {
  return sql`coalesce((SELECT o.facts_epoch FROM ${organization} o WHERE o.id = ${orgId}), 0)`;
}

/** When an integration is deleted, or its user ids begin or cease to be in effect, for use in that statement: later than every version of its customers. */
export function afterFactsOf(integrationId: string, now: number): SQL<number> {
  const orgId = sql`(SELECT i.org_id FROM ${stripeIntegration} i WHERE i.id = ${integrationId})`;
  return sql<number>`max(${now}, 1 + ${factsEpochOf(orgId)}, 1 + coalesce((SELECT max(v.facts_version) FROM ${stripeCustomer} v
    WHERE v.integration_id = ${integrationId}), 0))`;
}
