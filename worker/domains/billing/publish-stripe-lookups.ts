/**
 * Creates the Grow plan's objects in Tessera's own Stripe account if they are missing: the product, the meter of API
 * calls, the two prices with lookup keys, and the configuration of the billing portal. Idempotent; platform staff run it once for a new account.
 */
import { GROW_PRICE } from '#engine/usage/grow-price';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { isMissing } from '#worker/platform/stripe-error';
import { callStripeForUser } from './billing-account.ts';
import { createOnce } from './create-once.ts';
import { ensurePortalConfiguration } from './portal-configuration.ts';

/** Names of the Grow plan's product, prices and meter in Tessera's own Stripe account. */
const GROW_PRODUCT_ID = 'tessera_grow';
export const BASE_LOOKUP_KEY = 'tessera_grow_base';
export const USAGE_LOOKUP_KEY = 'tessera_grow_usage';
export const METER_EVENT_NAME = 'tessera_api_calls';

export interface PublishedLookups {
  /** The objects that this call created. */
  readonly created: readonly ('product' | 'meter' | 'base-price' | 'usage-price' | 'portal-configuration')[];
}

/** @throws {ApiError} unavailable without an account, or if Stripe fails */
export function publishStripeLookups(ctx: Pick<WorkContext, 'settings' | 'log'>): Promise<PublishedLookups> {
  return callStripeForUser(ctx, async (stripe) => {
    const created: PublishedLookups['created'][number][] = [];
    if (await ensurePortalConfiguration(stripe)) created.push('portal-configuration');
    let meter = await findMeter(stripe);
    if (meter === null) {
      meter = await createMeter(stripe);
      created.push('meter');
    }
    const { data: prices } = await stripe.prices.list({
      lookup_keys: [BASE_LOOKUP_KEY, USAGE_LOOKUP_KEY],
      active: true,
    });
    const has = (key: string) => prices.some((price) => price.lookup_key === key);
    if (has(BASE_LOOKUP_KEY) && has(USAGE_LOOKUP_KEY)) return { created };
    if (await createProduct(stripe)) created.push('product');
    if (!has(BASE_LOOKUP_KEY)) {
      await createBasePrice(stripe);
      created.push('base-price');
    }
    if (!has(USAGE_LOOKUP_KEY)) {
      await createUsagePrice(stripe, meter);
      created.push('usage-price');
    }
    return { created };
  });
}

async function createProduct(stripe: StripeClient): Promise<boolean> {
  try {
    await stripe.products.retrieve(GROW_PRODUCT_ID);
    return false;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await createOnce('tessera-lookups-product', (options) =>
    stripe.products.create({ id: GROW_PRODUCT_ID, name: 'Tessera Grow', unit_label: 'API call' }, options),
  );
  return true;
}

async function findMeter(stripe: StripeClient): Promise<string | null> {
  const meters = stripe.billing.meters.list({ status: 'active', limit: 100 });
  for await (const meter of meters) {
    if (meter.event_name === METER_EVENT_NAME) return meter.id;
  }
  return null;
}

async function createMeter(stripe: StripeClient): Promise<string> {
  const { id } = await createOnce('tessera-lookups-meter', (options) =>
    stripe.billing.meters.create(
      {
        display_name: 'Tessera API calls',
        event_name: METER_EVENT_NAME,
        default_aggregation: { formula: 'sum' },
        customer_mapping: { type: 'by_id', event_payload_key: 'stripe_customer_id' },
        value_settings: { event_payload_key: 'value' },
      },
      options,
    ),
  );
  return id;
}

/** Takes over the lookup key of an inactive price. */
async function createBasePrice(stripe: StripeClient): Promise<void> {
  await createOnce('tessera-lookups-base-price', (options) =>
    stripe.prices.create(
      {
        product: GROW_PRODUCT_ID,
        currency: GROW_PRICE.currency,
        unit_amount: GROW_PRICE.monthlyMinor,
        recurring: { interval: 'month' },
        lookup_key: BASE_LOOKUP_KEY,
        transfer_lookup_key: true,
        nickname: 'Grow, monthly',
      },
      options,
    ),
  );
}

async function createUsagePrice(stripe: StripeClient, meter: string): Promise<void> {
  const { Stripe } = await import('stripe');
  const { includedCalls, packageMinor, packageCalls } = GROW_PRICE;
  await createOnce(`tessera-lookups-usage-price:${meter}`, (options) =>
    stripe.prices.create(
      {
        product: GROW_PRODUCT_ID,
        currency: GROW_PRICE.currency,
        billing_scheme: 'tiered',
        tiers_mode: 'graduated',
        tiers: [
          { up_to: includedCalls, unit_amount: 0 },
          { up_to: 'inf', unit_amount_decimal: Stripe.Decimal.from(String(packageMinor / packageCalls)) },
        ],
        recurring: { interval: 'month', usage_type: 'metered', meter },
        lookup_key: USAGE_LOOKUP_KEY,
        transfer_lookup_key: true,
        nickname: 'Grow, API calls',
      },
      options,
    ),
  );
}
