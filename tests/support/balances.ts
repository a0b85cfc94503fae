// Stores a customer's balances without the calls that give them, and pushes the facts.
import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { commit, openDatabase } from '#worker/db/database';
import { customer, customerBalance } from '#worker/db/schema/customers';
import { knownCustomerStatements } from '#worker/domains/customer-facts/known-customers';
import {
  takeFactsVersion,
  factsVersion as versionOf,
} from '#worker/domains/customer-facts/next-facts-version';
import { pushCustomerFacts } from '#worker/domains/customer-facts/push-customer-facts';
import { workContext } from '#worker/http/make-work-context';
import type { CustomerTenant } from './customers.ts';

export type SeededBalance = Partial<typeof customerBalance.$inferInsert>;

/** The balances that the identifier has from now on, in all environments unless they say one: 50 files, paid, without an end. */
export async function putBalances(
  { tenant: { orgId }, files }: Pick<CustomerTenant, 'tenant' | 'files'>,
  identifier: string,
  ...balances: readonly SeededBalance[]
): Promise<void> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  const isTheirs = and(eq(customerBalance.orgId, orgId), eq(customerBalance.customerIdentifier, identifier));
  const rows = balances.map((each) => ({
    ...{ id: `bal_${orgId}_${identifier}`, orgId, customerIdentifier: identifier, reason: 'Bought' },
    ...{ propertyId: files.id, amount: 50, category: 'paid' as const, source: { kind: 'api' as const } },
    ...{ startsAt: 0, createdAt: now, updatedAt: now, ...each },
  }));
  const factsVersion = versionOf(orgId);
  await commit(db, [
    takeFactsVersion(db, orgId, now),
    db.delete(customerBalance).where(isTheirs),
    ...rows.map((row) => db.insert(customerBalance).values(row)),
    db
      .insert(customer)
      .values({ orgId, identifier, factsVersion, createdAt: now, updatedAt: now })
      .onConflictDoUpdate({ target: [customer.orgId, customer.identifier], set: { factsVersion } }),
    ...knownCustomerStatements(db, orgId, [{ identifier }], now),
  ]);
  const message = { type: 'customer.changed', outboxId: `out_${identifier}`, orgId } as const;
  await pushCustomerFacts(workContext(env, Date.now), {
    ...message,
    environmentId: null,
    customer: identifier,
  });
}
