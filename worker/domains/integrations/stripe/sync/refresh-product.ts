/** Fetches one product's current state from Stripe and stores it. */
import { commitIf, rowExists } from '#worker/db/commit-if';
import { stripeIntegration } from '#worker/db/schema/stripe';
import { isNotDeleted } from '../integration/integration-store.ts';
import { stripeFailureOf } from '../integration/stripe-failure.ts';
import { applyProducts } from './apply-products.ts';
import { type ReadProduct, readProduct } from './read-objects.ts';
import type { StripeSource } from './stripe-source.ts';

/**
 * @param createdAt the event's; used if the product was deleted before it was first read
 * @returns the product; null if it was skipped: it is of another mode, or the integration was deleted
 * @throws Stripe's errors
 */
export async function refreshProduct(
  source: StripeSource,
  productId: string,
  createdAt: number,
): Promise<ReadProduct | null> {
  const { ctx, integration } = source;
  const { db, clock } = ctx;
  const readAt = clock();
  const read = await fetchProduct(source, productId, createdAt);
  if (read.livemode !== integration.livemode) return null;
  const { id: integrationId, orgId } = integration;
  const exists = rowExists(stripeIntegration, orgId, integrationId, isNotDeleted);
  const statements = applyProducts(db, { orgId, integrationId, products: [read], readAt, now: clock() });
  return (await commitIf(db, { exists }, statements)) === null ? read : null;
}

/** @param createdAt of the result if the product is deleted @throws Stripe's errors */
export async function fetchProduct(
  { stripe, integration }: StripeSource,
  productId: string,
  createdAt: number,
): Promise<ReadProduct> {
  try {
    const product = await stripe.products.retrieve(productId);
    if (!('deleted' in product && product.deleted)) return readProduct(product);
  } catch (error) {
    if (stripeFailureOf(error)?.kind !== 'missing') throw error;
  }
  return {
    id: productId,
    name: productId,
    description: null,
    active: false,
    livemode: integration.livemode,
    createdAt,
    isDeleted: true,
  };
}
