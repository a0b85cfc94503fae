/** The version of a change of customer facts: an instant, higher than every version that the facts have had. */
import { type SQL, sql } from 'drizzle-orm';
import { customer, customerSource, provisionedCustomer } from '#worker/db/schema/customers';
import { organization } from '#worker/db/schema/organisations';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';

/**
 * For use in the statement that makes the change. A customer's facts are derived from several rows, and the highest version
 * of them and of the organisation counts (load-customer-facts). Each change exceeds them all, even if the
 * clocks of two Workers differ.
 * @param identifiers canonical: current and previous identifiers of the changed customers
 * @param more SQL: a query of further ones, in a column `value`
 */
export function nextFactsVersion(
  orgId: string,
  identifiers: readonly string[],
  now: number,
  more?: SQL,
): SQL<number> {
  const known = sql`SELECT value FROM json_each(${JSON.stringify(identifiers)})`;
  const given = sql`given AS MATERIALIZED (${more === undefined ? known : sql`${known} UNION ALL ${more}`})`;
  // CROSS JOIN fixes the join order: SQLite looks up each identifier and does not scan the organisation's customers.
  const related = (table: typeof provisionedCustomer | typeof stripeCustomer, column: string, by: string) =>
    sql`SELECT n.${sql.raw(column)} FROM given g CROSS JOIN ${table} n WHERE n.org_id = ${orgId}
      AND n.${sql.raw(by)} = g.value`;
  // In two parts, because D1 takes at most five terms in a compound SELECT.
  const aliased = (table: typeof provisionedCustomer | typeof stripeCustomer, id: string) =>
    sql`SELECT value FROM (${related(table, `${id} AS value`, 'email')} UNION ALL ${related(table, 'email', id)}
      UNION ALL ${related(table, id, 'user_id')} UNION ALL ${related(table, 'user_id', id)})`;
  const joined = sql`SELECT value FROM (SELECT t.customer_id AS value FROM given g CROSS JOIN ${customerSource} s
      CROSS JOIN ${customerSource} t
      WHERE s.org_id = ${orgId} AND s.customer_id = g.value AND t.org_id = ${orgId} AND t.identifier = s.identifier
    UNION ALL SELECT s.identifier FROM given g CROSS JOIN ${customerSource} s WHERE s.org_id = ${orgId} AND s.customer_id = g.value
    UNION ALL SELECT s.customer_id FROM given g CROSS JOIN ${customerSource} s WHERE s.org_id = ${orgId} AND s.identifier = g.value)`;
  const near = sql`near AS MATERIALIZED (SELECT value FROM given UNION ALL ${joined} UNION ALL ${aliased(stripeCustomer, 'id')}
    UNION ALL ${aliased(provisionedCustomer, 'identifier')})`;
  // A second carrier of a user id changes whose the names of the first one are.
  const names = sql`SELECT value FROM near UNION ALL SELECT j.value FROM near g CROSS JOIN ${stripeCustomer} n
    CROSS JOIN json_each(json_array(n.email, n.user_id)) j WHERE n.org_id = ${orgId} AND n.id = g.value`;
  const highest = (table: typeof customer | typeof stripeCustomer, name: string) =>
    sql`coalesce((SELECT max(v.facts_version) FROM names k CROSS JOIN ${table} v WHERE v.org_id = ${orgId}
      AND v.${sql.raw(name)} = k.value), 0)`;
  return sql<number>`(WITH ${given}, ${near}, names AS MATERIALIZED (${names}) SELECT max(${now}, 1 + ${highest(customer, 'identifier')},
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
