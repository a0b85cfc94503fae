/** Pages of an integration's customers and products as they were read from Stripe, newest first. */
import { and, count, desc, eq, isNull, or, sql } from 'drizzle-orm';
import type { StripeCustomer } from '#contracts/stripe';
import { stripeCustomer } from '#worker/db/schema/stripe';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { containsText } from './contains-text.ts';
import { customersOf, getIntegrationRow } from './integration-store.ts';
import { isBeyond, PAGE_SIZE, type PageQuery, pageOf } from './paging.ts';

/** @throws {ApiError} not-found; invalid-request naming cursor */
export async function listStripeCustomers(
  { db }: RequestContext,
  scope: Scope,
  integrationId: string,
  { query, cursor }: PageQuery,
): Promise<{ items: StripeCustomer[]; nextCursor: string | null; total: number }> {
  await getIntegrationRow(db, scope, integrationId);
  const { id, email, name } = stripeCustomer;
  const isMeant = and(
    eq(stripeCustomer.orgId, scope.orgId),
    eq(stripeCustomer.integrationId, integrationId),
    isNull(stripeCustomer.deletedAt),
    query ? or(...[id, email, name].map((column) => containsText(column, query))) : undefined,
  );
  const [rows, [counted]] = await db.batch([
    db
      .select()
      .from(stripeCustomer)
      .where(and(isMeant, isBeyond(stripeCustomer, cursor)))
      .orderBy(desc(stripeCustomer.createdAt), desc(stripeCustomer.id))
      .limit(PAGE_SIZE + 1),
    query
      ? db.select({ total: count() }).from(stripeCustomer).where(isMeant)
      : db.select({ total: customersOf(sql`${integrationId}`) }).from(sql`(SELECT 1)`),
  ]);
  return pageOf(rows, counted?.total ?? 0, (row) => ({
    ...{ id: row.id, email: row.email, name: row.name, testMode: !row.livemode },
    subscriptions: [...row.subscriptions],
    ...{ createdAt: row.createdAt, readAt: row.readAt },
  }));
}
