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
  const given = sql`(SELECT value FROM json_each(${JSON.stringify(identifiers)}))`;
  const names = sql`(SELECT value FROM json_each(${JSON.stringify(identifiers)})
    UNION SELECT n.id FROM ${stripeCustomer} n WHERE n.org_id = ${orgId} AND n.email IN ${given}
    UNION SELECT n.email FROM ${stripeCustomer} n WHERE n.org_id = ${orgId} AND n.id IN ${given} AND n.email IS NOT NULL)`;
  const highest = (table: typeof customer | typeof stripeCustomer, name: 'identifier' | 'id' | 'email') =>
    sql`coalesce((SELECT max(v.facts_version) FROM ${table} v WHERE v.org_id = ${orgId} AND v.${sql.identifier(name)} IN ${names}), 0)`;
  return sql<number>`max(${now}, 1 + ${highest(customer, 'identifier')}, 1 + ${highest(stripeCustomer, 'id')}, 1 + ${highest(stripeCustomer, 'email')})`;
}
