/**
 * Lists an integration's stored Stripe products, and the products of all integrations that can be linked to a plan.
 */
import { and, asc, count, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { AvailableProduct, StripeProduct } from '#contracts/console/stripe';
import { containsText, findFolded } from '#worker/db/contains-text';
import { planProduct, stripeIntegration, stripeProduct } from '#worker/db/schema/stripe';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { getIntegrationRow } from '../integration/read-integrations.ts';
import { isAfterCursor, PAGE_SIZE, type PageQuery, toPage } from './paging.ts';

/** Products with characters beyond ASCII that a search finds. */
const MAX_FOLDED = 10_000;

const isLinked = sql<number>`EXISTS (SELECT 1 FROM ${planProduct} l WHERE l.org_id = ${stripeProduct.orgId}
  AND l.integration_id = ${stripeProduct.integrationId} AND l.product_id = ${stripeProduct.id})`;

/** @throws {ApiError} not-found; invalid-request naming cursor */
export async function listStripeProducts(
  { db }: RequestContext,
  scope: Scope,
  integrationId: string,
  { query, cursor }: PageQuery,
): Promise<{ items: StripeProduct[]; nextCursor: string | null; total: number }> {
  await getIntegrationRow(db, scope, integrationId);
  const { orgId } = scope;
  const { id, name } = stripeProduct;
  const isListed = and(
    eq(stripeProduct.orgId, orgId),
    eq(stripeProduct.integrationId, integrationId),
    isNull(stripeProduct.deletedAt),
  );
  const found = query
    ? or(
        ...[id, name].map((column) => containsText(column, query)),
        inArray(
          id,
          await findFolded(db, {
            table: stripeProduct,
            columns: [name],
            where: isListed,
            text: query,
            limit: MAX_FOLDED,
          }),
        ),
      )
    : undefined;
  const isSelected = and(isListed, found);
  const [rows, [counted], links] = await db.batch([
    db
      .select()
      .from(stripeProduct)
      .where(and(isSelected, isAfterCursor(stripeProduct, cursor)))
      .orderBy(desc(stripeProduct.createdAt), desc(stripeProduct.id))
      .limit(PAGE_SIZE + 1),
    db.select({ total: count() }).from(stripeProduct).where(isSelected),
    db
      .select({ productId: planProduct.productId, planId: planProduct.planId })
      .from(planProduct)
      .where(and(eq(planProduct.orgId, orgId), eq(planProduct.integrationId, integrationId)))
      .orderBy(asc(planProduct.planId)),
  ]);
  return toPage(rows, counted?.total ?? 0, (row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    active: row.active,
    testMode: !row.livemode,
    planIds: [...new Set(links.filter(({ productId }) => productId === row.id).map(({ planId }) => planId))],
    createdAt: row.createdAt,
    readAt: row.readAt,
  }));
}

/** Ordered by integration, then by name. An archived product is included only if a plan is linked to it. */
export async function listAvailableProducts(
  { db }: RequestContext,
  { orgId }: Scope,
): Promise<AvailableProduct[]> {
  const rows = await db
    .select({
      integrationId: stripeProduct.integrationId,
      productId: stripeProduct.id,
      name: stripeProduct.name,
      livemode: stripeProduct.livemode,
      integrationName: stripeIntegration.name,
      active: stripeProduct.active,
    })
    .from(stripeProduct)
    .innerJoin(stripeIntegration, eq(stripeIntegration.id, stripeProduct.integrationId))
    .where(
      and(
        eq(stripeProduct.orgId, orgId),
        eq(stripeIntegration.orgId, orgId),
        isNull(stripeIntegration.deletedAt),
        isNull(stripeProduct.deletedAt),
        or(eq(stripeProduct.active, true), isLinked),
      ),
    )
    .orderBy(asc(stripeIntegration.createdAt), asc(stripeProduct.name), asc(stripeProduct.id));
  return rows.map(({ livemode, ...product }) => ({ ...product, testMode: !livemode }));
}
