/** Finds the Grow plan's Stripe prices by lookup key. See AccountCache for how long they are cached. */
import { ApiError } from '#worker/http/api-error';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { AccountCache } from './account-cache.ts';
import { BASE_LOOKUP_KEY, publishStripeLookups, USAGE_LOOKUP_KEY } from './publish-stripe-lookups.ts';

export interface GrowPrices {
  readonly base: string;
  readonly usage: string;
}

const cache = new AccountCache<GrowPrices>();

/** @throws {ApiError} unavailable without such prices; in development they are created instead */
export async function findPrices(ctx: WorkContext, stripe: StripeClient): Promise<GrowPrices> {
  const cached = cache.get(ctx);
  if (cached !== undefined) return cached;

  let prices = await readPrices(stripe);
  if (prices === null && ctx.settings.isDevelopment) {
    await publishStripeLookups(ctx);
    prices = await readPrices(stripe);
  }
  if (prices === null) {
    ctx.log.error(
      'Stripe has no prices with the lookup keys of the Grow plan: publish them under Actions on an organisation’s Settings page',
    );
    throw new ApiError('unavailable', 'The Grow plan is not available yet. Please contact support.');
  }
  cache.set(ctx, prices);
  return prices;
}

async function readPrices(stripe: StripeClient): Promise<GrowPrices | null> {
  const { data } = await stripe.prices.list({
    lookup_keys: [BASE_LOOKUP_KEY, USAGE_LOOKUP_KEY],
    active: true,
  });
  const idOf = (key: string) => data.find((price) => price.lookup_key === key)?.id;
  const base = idOf(BASE_LOOKUP_KEY);
  const usage = idOf(USAGE_LOOKUP_KEY);
  return base === undefined || usage === undefined ? null : { base, usage };
}
