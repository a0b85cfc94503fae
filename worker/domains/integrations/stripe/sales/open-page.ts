/** Opens Stripe's pages for a customer: a checkout, and the portal. Nothing of it is stored: what is bought arrives as an event. */
import type { Stripe } from 'stripe';
import { sha256Hex } from '#runtime/hash';
import { Refusal } from '#worker/http/api-error';
import { findIntegrationRow } from '../integration/integration-store.ts';
import { findSoldPrice } from './find-sold-price.ts';
import { inStripeTerms } from './in-stripe-terms.ts';
import { type Buyer, ensureStripeCustomer, stripeCustomersOf } from './paying-customer.ts';
import { openAccount, type Shop } from './sales-account.ts';

export interface Page {
  readonly stripeCustomer: string;
  readonly url: string;
  readonly expiresAt: number | null;
  readonly replayed: boolean;
}

export interface CheckoutRequest {
  readonly price: string;
  readonly quantity: number | undefined;
  readonly successUrl: string;
  readonly cancelUrl: string | undefined;
  /** Of the call; undefined: each call opens a page. */
  readonly key: string | undefined;
}

/** @throws {ApiError} invalid-request naming price; conflict; unavailable */
export function openCheckout(shop: Shop, buyer: Buyer, request: CheckoutRequest): Promise<Page> {
  return inStripeTerms(async () => {
    const { account, stripe, price } = await findSoldPrice(shop, request.price);
    const customer = await ensureStripeCustomer(shop, buyer, account, stripe);
    const { successUrl, cancelUrl, quantity = 1, key } = request;
    const isMetered = price.recurring?.usage_type === 'metered';
    const session = await stripe.checkout.sessions.create(
      {
        mode: price.type === 'one_time' ? 'payment' : 'subscription',
        customer,
        line_items: [{ price: price.id, ...(!isMetered && { quantity }) }],
        success_url: successUrl,
        ...(cancelUrl !== undefined && { cancel_url: cancelUrl }),
      },
      await keyed(shop, buyer, 'checkout', key),
    );
    if (session.url === null) throw new Refusal('conflict', 'stripe-refused', 'Stripe opened no page');
    return { ...pageOf(session, customer), url: session.url, expiresAt: session.expires_at * 1000 };
  });
}

/**
 * Of the account that the customer subscribes in, else of the first one.
 * @throws {ApiError} conflict for a customer that is nobody at Stripe; unavailable
 */
export function openPortal(
  shop: Shop,
  buyer: Buyer,
  { returnUrl, key }: { readonly returnUrl: string; readonly key: string | undefined },
): Promise<Page> {
  return inStripeTerms(async () => {
    const known = await stripeCustomersOf(shop, buyer);
    const first = known.find(({ subscriptions }) => subscriptions.length > 0) ?? known[0];
    const account = first === undefined ? null : await findIntegrationRow(shop.ctx.db, first.integrationId);
    if (first === undefined || account === null) {
      const message = 'The customer is nobody in Stripe yet. Open a checkout first';
      throw new Refusal('conflict', 'stripe-customer-needed', message);
    }
    const stripe = await openAccount(shop, account);
    const session = await stripe.billingPortal.sessions.create(
      { customer: first.id, return_url: returnUrl },
      await keyed(shop, buyer, 'portal', key),
    );
    return { ...pageOf(session, first.id), url: session.url, expiresAt: null };
  });
}

/** Stripe keeps the answer for a key for a day, and refuses the key with other parameters. */
async function keyed(
  { environmentId }: Shop,
  { id }: Buyer,
  what: string,
  key: string | undefined,
): Promise<Stripe.RequestOptions> {
  if (key === undefined) return {};
  return { idempotencyKey: `tessera-${await sha256Hex(JSON.stringify([what, environmentId, id, key]))}` };
}

/** The headers are a record by their type, and those of `fetch` in Workers. */
function pageOf(
  { lastResponse }: { readonly lastResponse: { readonly headers: HeadersInit } },
  stripeCustomer: string,
): Pick<Page, 'stripeCustomer' | 'replayed'> {
  const replayed = new Headers(lastResponse.headers).get('idempotent-replayed') === 'true';
  return { stripeCustomer, replayed };
}
