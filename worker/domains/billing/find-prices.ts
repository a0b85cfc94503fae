/** Finds the Grow plan's Stripe prices by lookup key. Cached per isolate for five minutes. */
import { ApiError } from '#worker/http/api-error';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { BASE_LOOKUP_KEY, publishStripeLookups, USAGE_LOOKUP_KEY } from './publish-stripe-lookups.ts';

export interface GrowPrices {
  readonly base: string;
  readonly usage: string;
}

/** A price that takes over a lookup key is used after this time. */
const CACHE_MS = 5 * 60_000;

const cache = new Map<string, { readonly prices: GrowPrices; readonly until: number }>();

/** @throws {ApiError} unavailable without such prices; in development they are created instead */
export async function findPrices(ctx: WorkContext, stripe: StripeClient): Promise<GrowPrices> {
  const account = ctx.settings.billing?.secretKey ?? '';
  const cached = cache.get(account);
  if (cached !== undefined && ctx.now < cached.until) return cached.prices;

  let prices = await readPrices(stripe);
  if (prices === null && ctx.settings.isDevelopment) {
    await publishStripeLookups(ctx);
    prices = await readPrices(stripe);
  }
  if (prices === null) {
    ctx.log.error(
      'Stripe has no prices with the lookup keys of the Grow plan: publish them in the sudo area',
    );
    throw new ApiError('unavailable', 'The Grow plan cannot be bought yet. Please contact support.');
  }
  cache.set(account, { prices, until: ctx.now + CACHE_MS });
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
