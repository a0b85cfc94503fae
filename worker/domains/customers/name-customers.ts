/** Names of customers by what calls say of them: their identifier, an email that belongs to them, or their user id. */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isUserId } from '#contracts/public/identifiers';
import type { Db } from '#worker/db/database';
import { knownCustomer, provisionedCustomer } from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { findEmailOwners } from '#worker/domains/customer-facts/known-customers';
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
  const [owners, carriers] = await Promise.all([
    findEmailOwners(db, orgId, identifiers),
    findCarriers(db, orgId, identifiers.filter(isUserId)),
  ]);
  const customerOf = new Map([...carriers, ...owners]);
  const rows = await db
    .select({ identifier: knownCustomer.identifier, name: knownCustomer.name, email: knownCustomer.email })
    .from(knownCustomer)
    .where(
      and(
        eq(knownCustomer.orgId, orgId),
        isAmong(sql`${knownCustomer.identifier}`, [...identifiers, ...customerOf.values()]),
      ),
    );
  const known = new Map(rows.map((row) => [row.identifier, row.name ?? row.email]));
  return Object.fromEntries(
    identifiers.flatMap((identifier) => {
      const name = known.get(customerOf.get(identifier) ?? identifier) ?? known.get(identifier);
      return name == null || name === identifier ? [] : [[identifier, name]];
    }),
  );
}

async function findCarriers(db: Db, orgId: string, userIds: readonly string[]): Promise<[string, string][]> {
  if (userIds.length === 0) return [];
  const [atStripe, provisioned] = await db.batch([
    db
      .select({ userId: stripeCustomer.userId, customer: stripeCustomer.id })
      .from(stripeCustomer)
      .where(and(eq(stripeCustomer.orgId, orgId), isAmong(sql`${stripeCustomer.userId}`, userIds))),
    db
      .select({ userId: provisionedCustomer.userId, customer: provisionedCustomer.identifier })
      .from(provisionedCustomer)
      .where(and(eq(provisionedCustomer.orgId, orgId), isAmong(sql`${provisionedCustomer.userId}`, userIds))),
  ]);
  const found = Map.groupBy([...atStripe, ...provisioned], ({ userId }) => userId ?? '');
  return [...found].flatMap(([userId, those]): [string, string][] => {
    const customers = new Set(those.map(({ customer }) => customer));
    const [only] = customers;
    return only !== undefined && customers.size === 1 ? [[userId, only]] : [];
  });
}

function isAmong(column: SQL, values: readonly string[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify([...new Set(values)])}))`;
}
