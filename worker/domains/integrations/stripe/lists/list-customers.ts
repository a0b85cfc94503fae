/** Lists an integration's stored Stripe customers in pages, newest first. */
import { and, count, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { StripeCustomer } from '#contracts/console/stripe';
import { namedPolicy, subscriptionAccess } from '#engine/entitlements/subscription-access';
import { searchPrefix } from '#engine/identity/search-words';
import { containsText, isBeyondAscii } from '#worker/db/contains-text';
import { customerWord } from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { countCustomers } from '../integration/integration-store.ts';
import { getIntegrationRow } from '../integration/read-integrations.ts';
import { isAfterCursor, PAGE_SIZE, type PageQuery, toPage } from './paging.ts';

/** SQL: the customers of the organisation with a word that begins as searched for. */
function identifiersFound(orgId: string, query: string): SQL {
  const prefix = searchPrefix(query);
  return sql`(SELECT ${customerWord.identifier} FROM ${customerWord} WHERE ${customerWord.orgId} = ${orgId}
    AND ${customerWord.word} >= ${prefix} AND ${customerWord.word} < ${`${prefix}\u{10FFFF}`})`;
}

/** @throws {ApiError} not-found; invalid-request naming cursor */
export async function listStripeCustomers(
  { db, now }: RequestContext,
  scope: Scope,
  integrationId: string,
  { query, cursor }: PageQuery,
): Promise<{ items: StripeCustomer[]; nextCursor: string | null; total: number }> {
  const { name: ofIntegration, subscriptionPolicy } = await getIntegrationRow(db, scope, integrationId);
  const policy = namedPolicy(ofIntegration, subscriptionPolicy);
  const { id, email, name } = stripeCustomer;
  const isSelected = and(
    eq(stripeCustomer.orgId, scope.orgId),
    eq(stripeCustomer.integrationId, integrationId),
    isNull(stripeCustomer.deletedAt),
    query
      ? or(
          ...[id, email, name].map((column) => containsText(column, query)),
          // Evaluated once, and only if there are such rows.
          and(isBeyondAscii([email, name]), inArray(id, identifiersFound(scope.orgId, query))),
        )
      : undefined,
  );
  const [rows, [counted]] = await db.batch([
    db
      .select()
      .from(stripeCustomer)
      .where(and(isSelected, isAfterCursor(stripeCustomer, cursor)))
      .orderBy(desc(stripeCustomer.createdAt), desc(stripeCustomer.id))
      .limit(PAGE_SIZE + 1),
    query
      ? db.select({ total: count() }).from(stripeCustomer).where(isSelected)
      : db.select({ total: countCustomers(sql`${integrationId}`) }).from(sql`(SELECT 1)`),
  ]);
  return toPage(rows, counted?.total ?? 0, (row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    testMode: !row.livemode,
    subscriptions: row.subscriptions.map((subscription) => {
      const { id, status, productIds, items } = subscription;
      return {
        id,
        status,
        productIds,
        items,
        isGranting: subscriptionAccess(subscription, policy, now).isGranting,
      };
    }),
    createdAt: row.createdAt,
    readAt: row.readAt,
  }));
}
