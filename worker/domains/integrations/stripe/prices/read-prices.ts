/**
 * Reads the active recurring prices of products from Stripe and stores them, for pricing pages and checkouts. What a price costs never
 * changes in Stripe; prices are added and archived.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { commitIf, rowExists } from '#worker/db/commit-if';
import { insertSelect } from '#worker/db/insert-select';
import { stripeIntegration, stripePrice, stripeProduct } from '#worker/db/schema/stripe';
import { isNotDeleted } from '../integration/integration-store.ts';
import type { StripeSource } from '../sync/stripe-source.ts';

/** The most that Stripe lists at once. */
const MAX_PRICES = 100;

/** @throws Stripe's errors */
export async function readPrices(
  { ctx, integration, stripe }: StripeSource,
  productId: string,
): Promise<void> {
  const { db, clock } = ctx;
  const { id: integrationId, orgId } = integration;
  const readAt = clock();
  const listed = await stripe.prices.list({
    ...{ product: productId, active: true, type: 'recurring', limit: MAX_PRICES },
  });
  const prices = listed.data.flatMap(asStored);
  const ofProduct = and(eq(stripePrice.integrationId, integrationId), eq(stripePrice.productId, productId));
  const text = (field: string) => sql.raw(`value ->> '${field}'`);
  const stored = { integrationId, orgId, productId, id: text('id'), name: text('name') };
  const cost = { currency: text('currency'), amount: text('amount') };
  const period = { interval: text('interval'), intervalCount: text('intervalCount') };
  await commitIf(db, { exists: rowExists(stripeIntegration, orgId, integrationId, isNotDeleted) }, [
    db.delete(stripePrice).where(ofProduct),
    insertSelect(
      db,
      stripePrice,
      { ...stored, ...cost, ...period },
      { from: sql`json_each(${JSON.stringify(prices)})` },
    ).onConflictDoNothing(),
    db
      .update(stripeProduct)
      .set({ pricesReadAt: readAt })
      .where(and(eq(stripeProduct.integrationId, integrationId), eq(stripeProduct.id, productId))),
  ]);
}

function asStored({ id, nickname, currency, unit_amount, billing_scheme, recurring }: Stripe.Price) {
  if (recurring === null) return [];
  const isFlat = billing_scheme === 'per_unit' && recurring.usage_type === 'licensed';
  const { interval, interval_count: intervalCount } = recurring;
  return [{ id, name: nickname, currency, amount: isFlat ? unit_amount : null, interval, intervalCount }];
}
