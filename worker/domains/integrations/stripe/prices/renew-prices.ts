/** Scheduled: the prices of public plans are read a minute after they are linked, and then once an hour. */
import { and, eq, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { HOUR_MS, MINUTE_MS } from '#engine/durations';
import { plan } from '#worker/db/schema/plans';
import { planProduct, stripeIntegration, stripeProduct } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import { findIntegrationRow, isNotDeleted } from '../integration/integration-store.ts';
import { openPacedClient } from '../integration/open-integration-client.ts';
import { describeFailure, getStripeFailure } from '../integration/stripe-failure.ts';
import { readPrices } from './read-prices.ts';

/** Per run: each is a call to Stripe, and those of one account follow each other. */
const MAX_PRODUCTS = 100;
/** What could not be read is tried again after it. */
const RETRY_MS = 10 * MINUTE_MS;

export async function renewPrices(ctx: WorkContext): Promise<void> {
  const due = await readDue(ctx);
  const accounts = Map.groupBy(due, ({ integrationId }) => integrationId);
  await Promise.all(
    [...accounts].map(([integrationId, products]) =>
      renewOfAccount(
        ctx,
        integrationId,
        products.map(({ id }) => id),
      ),
    ),
  );
}

async function renewOfAccount(
  ctx: WorkContext,
  integrationId: string,
  productIds: readonly string[],
): Promise<void> {
  const integration = await findIntegrationRow(ctx.db, integrationId);
  if (integration === null) return;
  const stripe = await openPacedClient(ctx, integration);
  for (const id of productIds) {
    try {
      await readPrices({ ctx, integration, stripe }, id);
    } catch (error) {
      const reason = describeFailure(getStripeFailure(error));
      ctx.log.info('prices could not be read', { orgId: integration.orgId, integrationId, reason });
      await ctx.db
        .update(stripeProduct)
        .set({ pricesReadAt: ctx.clock() - HOUR_MS + RETRY_MS })
        .where(and(eq(stripeProduct.integrationId, integrationId), eq(stripeProduct.id, id)));
    }
  }
}

/** Of products that are linked to a public plan, those that were read longest ago. */
function readDue({ db, now }: WorkContext) {
  const { integrationId, id, orgId, pricesReadAt, deletedAt } = stripeProduct;
  return db
    .select({ integrationId, id })
    .from(plan)
    .innerJoin(planProduct, eq(planProduct.planId, plan.id))
    .innerJoin(
      stripeProduct,
      and(
        eq(integrationId, planProduct.integrationId),
        eq(id, planProduct.productId),
        eq(orgId, planProduct.orgId),
      ),
    )
    .innerJoin(stripeIntegration, eq(stripeIntegration.id, integrationId))
    .where(
      and(
        isPublic,
        isNull(deletedAt),
        or(isNull(pricesReadAt), lte(pricesReadAt, now - HOUR_MS)),
        isNotDeleted,
        isNotNull(stripeIntegration.secretKey),
        or(isNull(stripeIntegration.retryAt), lte(stripeIntegration.retryAt, now)),
      ),
    )
    .groupBy(integrationId, id)
    .orderBy(sql`coalesce(${pricesReadAt}, 0)`)
    .limit(MAX_PRODUCTS);
}

/** As the partial index has it. */
const isPublic: SQL = sql`${plan.isPublic}`;
