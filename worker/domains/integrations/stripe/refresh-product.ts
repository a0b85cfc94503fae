/** Asks Stripe how one product stands now, and stores it. */
import { commitIf, rowStands } from '#worker/db/commit-if';
import { stripeIntegration } from '#worker/db/schema/stripe';
import { applyProducts } from './apply-products.ts';
import { isNotDeleted } from './is-not-deleted.ts';
import { type ReadProduct, readProduct } from './read-objects.ts';
import { stripeFailureOf } from './stripe-failure.ts';
import type { StripeSource } from './stripe-source.ts';

/**
 * @param createdAt of the event, for a product that was deleted before it was ever read
 * @returns the product as it was read; null where it was left out: of another mode, or of an integration that is gone by now
 * @throws Stripe's errors
 */
export async function refreshProduct(
  source: StripeSource,
  productId: string,
  createdAt: number,
): Promise<ReadProduct | null> {
  const { db, integration, clock } = source;
  const readAt = clock();
  const read = await ask(source, productId, createdAt);
  if (read.livemode !== integration.livemode) return null;
  const { id: integrationId, orgId } = integration;
  const stands = rowStands(stripeIntegration, orgId, integrationId, undefined, isNotDeleted);
  const statements = applyProducts(db, { orgId, integrationId, products: [read], readAt, now: clock() });
  return (await commitIf(db, { stands }, statements)) === null ? read : null;
}

async function ask(
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
    ...{ id: productId, name: productId, description: null, active: false },
    ...{ livemode: integration.livemode, createdAt, isDeleted: true },
  };
}
