/** Selects the Stripe products and prices that grant plans, of live integrations only. */
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { planProduct, stripeIntegration } from './schema/stripe.ts';

/** In the order in which they were linked, optionally of one plan. Read it in the same batch as the plans. */
export function selectPlanProducts(db: Db, orgId: string, planId?: string) {
  const isLive = sql`EXISTS (SELECT 1 FROM ${stripeIntegration} AS i
    WHERE i.id = ${planProduct.integrationId} AND i.org_id = ${planProduct.orgId} AND i.deleted_at IS NULL)`;
  return db
    .select({
      planId: planProduct.planId,
      integrationId: planProduct.integrationId,
      productId: planProduct.productId,
      priceId: planProduct.priceId,
      priceName: planProduct.priceName,
      timesQuantity: planProduct.timesQuantity,
    })
    .from(planProduct)
    .where(
      and(
        eq(planProduct.orgId, orgId),
        planId === undefined ? undefined : eq(planProduct.planId, planId),
        isLive,
      ),
    )
    .orderBy(
      asc(planProduct.createdAt),
      asc(planProduct.integrationId),
      asc(planProduct.productId),
      asc(planProduct.priceId),
    );
}
