/** Lists prices of a product from Stripe itself: prices are not stored, only the names of linked ones. */
import type { Stripe } from 'stripe';
import type { StripePrice } from '#contracts/console/stripe';
import { ApiError } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { stripeUnavailable } from '../connect/verify-secret-key.ts';
import { openIntegrationClient } from '../integration/open-integration-client.ts';
import { getIntegrationRow } from '../integration/read-integrations.ts';
import { describeFailure, getStripeFailure, isTransient } from '../integration/stripe-failure.ts';

/** The most that Stripe lists at once. */
const MAX_PRICES = 100;

/**
 * Newest first, archived ones included: customers may still subscribe to them.
 * @throws {ApiError} not-found; unavailable; invalid-request
 */
export async function listStripePrices(
  { db, settings }: Pick<RequestContext, 'db' | 'settings'>,
  scope: Scope,
  integrationId: string,
  productId: string,
  type: Stripe.Price.Type,
): Promise<StripePrice[]> {
  const integration = await getIntegrationRow(db, scope, integrationId);
  const stripe = await openIntegrationClient(settings, integration);
  try {
    const { data } = await stripe.prices.list({ product: productId, type, limit: MAX_PRICES });
    return data.map((price) => ({ priceId: price.id, name: nameOf(price), active: price.active }));
  } catch (error) {
    const failure = getStripeFailure(error);
    if (isTransient(failure)) throw stripeUnavailable();
    throw new ApiError('invalid-request', describeFailure(failure));
  }
}

/** For example 'Monthly · £18.00 / month', '£10.00'. */
function nameOf({
  nickname,
  currency,
  unit_amount: amount,
  billing_scheme,
  recurring,
}: Stripe.Price): string {
  const cost =
    billing_scheme === 'tiered' || amount === null
      ? `${currency.toUpperCase()}, tiered`
      : formatMinor(amount, currency);
  return [...(nickname ? [nickname] : []), `${cost}${recurring === null ? '' : periodOf(recurring)}`].join(
    ' · ',
  );
}

function periodOf({ interval, interval_count: count, usage_type: type }: Stripe.Price.Recurring): string {
  const metered = type === 'metered' ? ', metered' : '';
  return ` / ${count === 1 ? interval : `${count} ${interval}s`}${metered}`;
}

/** @param amount in the currency's minor unit */
function formatMinor(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** digits);
}
