/** Finds the account of a price that is sold: one of a plan of the deployed version, or of a top-up. */
import { and, eq } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { stripeTopUp } from '#worker/db/schema/stripe';
import { invalidField } from '#worker/http/api-error';
import type { StripeClient } from '#worker/platform/stripe';
import { isMissing } from '#worker/platform/stripe-error';
import type { StripeIntegrationRow } from '../integration/integration-store.ts';
import { openAccount, readAccounts, type Shop } from './sales-account.ts';

export interface SoldPrice {
  readonly account: StripeIntegrationRow;
  readonly stripe: StripeClient;
  readonly price: Stripe.Price;
}

/**
 * Asks Stripe, so that a price that was added or archived a moment ago is known.
 * @throws {ApiError} invalid-request naming price; Stripe's errors
 */
export async function findSoldPrice(shop: Shop, priceId: string): Promise<SoldPrice> {
  const links = shop.plans.flatMap(({ products }) => products);
  const [topUp] = await shop.ctx.db
    .select({ integrationId: stripeTopUp.integrationId })
    .from(stripeTopUp)
    .where(and(eq(stripeTopUp.orgId, shop.orgId), eq(stripeTopUp.priceId, priceId)));
  const named = [...links, ...(topUp === undefined ? [] : [topUp])].map(({ integrationId }) => integrationId);
  const accounts = await readAccounts(shop, [...new Set(named)]);
  const found = await Promise.all(
    accounts.map(async (account) => {
      const stripe = await openAccount(shop, account);
      const price = await findPrice(stripe, priceId);
      return price === null ? [] : [{ account, stripe, price }];
    }),
  );
  const sold = found.flat().find(({ account: { id }, price }) => {
    if (price.type === 'one_time') return topUp?.integrationId === id;
    const product = typeof price.product === 'string' ? price.product : price.product.id;
    return links.some(
      ({ integrationId, productId, priceId: one = priceId }) =>
        integrationId === id && productId === product && one === priceId,
    );
  });
  if (sold === undefined)
    throw notSold('Gives no plan of the deployed version, and is no top-up, in this environment');
  if (!sold.price.active) throw notSold('Is archived in Stripe');
  return sold;
}

async function findPrice(stripe: StripeClient, priceId: string): Promise<Stripe.Price | null> {
  try {
    return await stripe.prices.retrieve(priceId);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const notSold = (message: string) => invalidField('price', message, 'price-not-sold');
