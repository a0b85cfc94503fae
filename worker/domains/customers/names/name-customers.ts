/** Names of customers by what calls say of them: their identifier, an email that belongs to them, or their user id. */
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { knownCustomer } from '#worker/db/schema/customers';
import { findNameOwners } from '#worker/domains/customer-facts/customer-names';
import type { Scope } from '#worker/http/request-context';

/**
 * Two rounds of queries, whatever the number.
 * @param identifiers canonical
 * @returns name, or without one the email; identifiers without either, and user ids of several customers, are absent
 */
export async function nameCustomers(
  db: Db,
  { orgId }: Scope,
  identifiers: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  if (identifiers.length === 0) return {};
  const owners = await findNameOwners(db, orgId, identifiers);
  const wanted = JSON.stringify([...new Set([...identifiers, ...owners.values()])]);
  const rows = await db
    .select({ identifier: knownCustomer.identifier, name: knownCustomer.name, email: knownCustomer.email })
    .from(knownCustomer)
    .where(
      and(
        eq(knownCustomer.orgId, orgId),
        sql`${knownCustomer.identifier} IN (SELECT value FROM json_each(${wanted}))`,
      ),
    );
  const known = new Map(rows.map((row) => [row.identifier, row.name ?? row.email]));
  return Object.fromEntries(
    identifiers.flatMap((identifier) => {
      const name = known.get(owners.get(identifier) ?? identifier) ?? known.get(identifier);
      return name == null || name === identifier ? [] : [[identifier, name]];
    }),
  );
}
