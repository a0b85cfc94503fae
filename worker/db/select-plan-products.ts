/** Which Stripe products grant which plans, as far as their integrations still stand. */
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { planProduct, stripeIntegration } from './schema/stripe.ts';

/** In the order in which they were linked; of one plan, where one is named. To be read in the same batch as the plans. */
export function selectPlanProducts(db: Db, orgId: string, planId?: string) {
  const isStanding = sql`EXISTS (SELECT 1 FROM ${stripeIntegration} AS standing
    WHERE standing.id = ${planProduct.integrationId} AND standing.org_id = ${planProduct.orgId} AND standing.deleted_at IS NULL)`;
  return db
    .select({
      planId: planProduct.planId,
      integrationId: planProduct.integrationId,
      productId: planProduct.productId,
    })
    .from(planProduct)
    .where(
      and(
        eq(planProduct.orgId, orgId),
        planId === undefined ? undefined : eq(planProduct.planId, planId),
        isStanding,
      ),
    )
    .orderBy(asc(planProduct.createdAt), asc(planProduct.integrationId), asc(planProduct.productId));
}
