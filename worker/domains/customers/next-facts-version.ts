/** The version that a change gives to what is known of customers: an instant, and later than all that concern them. */
import { type SQL, sql } from 'drizzle-orm';
import { customer } from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';

/**
 * For the statement that makes the change. What holds of a customer stands in several rows, of whose versions the highest
 * counts (load-customer-facts): each change must rise above them all, although clocks of two Workers may differ.
 * @param identifiers canonical: the names of whoever is concerned, also those of before
 */
export function nextFactsVersion(orgId: string, identifiers: readonly string[], now: number): SQL<number> {
  const given = sql`SELECT value FROM json_each(${JSON.stringify(identifiers)})`;
  // CROSS JOIN: SQLite is to look up one name after the other, and not to read all of the organisation's customers.
  const stripe = (column: 'id' | 'email', by: 'id' | 'email') =>
    sql`SELECT n.${sql.identifier(column)} FROM (${given}) g CROSS JOIN ${stripeCustomer} n WHERE n.org_id = ${orgId} AND n.${sql.identifier(by)} = g.value`;
  const names = sql`(${given} UNION ALL ${stripe('id', 'email')} UNION ALL ${stripe('email', 'id')})`;
  const highest = (table: typeof customer | typeof stripeCustomer, name: 'identifier' | 'id' | 'email') =>
    sql`coalesce((SELECT max(v.facts_version) FROM ${names} k CROSS JOIN ${table} v WHERE v.org_id = ${orgId} AND v.${sql.identifier(name)} = k.value), 0)`;
  return sql<number>`max(${now}, 1 + ${highest(customer, 'identifier')}, 1 + ${highest(stripeCustomer, 'id')}, 1 + ${highest(stripeCustomer, 'email')})`;
}
