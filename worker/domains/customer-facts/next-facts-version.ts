/** The version of a change of customer facts: an instant, higher than every version that the facts have had. */
import { type SQL, sql } from 'drizzle-orm';
import { customer, provisionedCustomer } from '#worker/db/schema/customers';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';

/**
 * For use in the statement that makes the change. A customer's facts are derived from several rows, and the highest version
 * of them and of the organisation's deleted integrations counts (load-customer-facts). Each change exceeds them all, even if the
 * clocks of two Workers differ.
 * @param identifiers canonical: current and previous identifiers of the changed customers
 */
export function nextFactsVersion(orgId: string, identifiers: readonly string[], now: number): SQL<number> {
  const given = sql`SELECT value FROM json_each(${JSON.stringify(identifiers)})`;
  // CROSS JOIN fixes the join order: SQLite looks up each identifier and does not scan the organisation's customers.
  const stripe = (column: 'id' | 'email', by: 'id' | 'email') =>
    sql`SELECT n.${sql.identifier(column)} FROM (${given}) g CROSS JOIN ${stripeCustomer} n WHERE n.org_id = ${orgId}
      AND n.${sql.identifier(by)} = g.value`;
  const provisioned = (column: 'identifier' | 'email', by: 'identifier' | 'email') =>
    sql`SELECT n.${sql.identifier(column)} FROM (${given}) g CROSS JOIN ${provisionedCustomer} n WHERE n.org_id = ${orgId}
      AND n.${sql.identifier(by)} = g.value AND n.email IS NOT NULL`;
  const names = sql`(${given} UNION ALL ${stripe('id', 'email')} UNION ALL ${stripe('email', 'id')}
    UNION ALL ${provisioned('email', 'identifier')} UNION ALL ${provisioned('identifier', 'email')})`;
  const highest = (table: typeof customer | typeof stripeCustomer, name: 'identifier' | 'id' | 'email') =>
    sql`coalesce((SELECT max(v.facts_version) FROM ${names} k CROSS JOIN ${table} v WHERE v.org_id = ${orgId}
      AND v.${sql.identifier(name)} = k.value), 0)`;
  const ended = sql`coalesce((SELECT max(e.deleted_at) FROM ${stripeIntegration} e WHERE e.org_id = ${orgId}), 0)`;
  return sql<number>`max(${now}, 1 + ${highest(customer, 'identifier')}, 1 + ${highest(stripeCustomer, 'id')},
    1 + ${highest(stripeCustomer, 'email')}, 1 + ${ended})`;
}

/** When an integration is deleted, for use in that statement: later than every version of its customers, whose rows end. */
export function deletedAfterFacts(integrationId: string, now: number): SQL<number> {
  return sql<number>`max(${now}, 1 + coalesce((SELECT max(v.facts_version) FROM ${stripeCustomer} v
    WHERE v.integration_id = ${integrationId}), 0))`;
}
