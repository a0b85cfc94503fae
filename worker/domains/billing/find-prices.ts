/** The prices of the Grow plan at Stripe, found by their lookup keys and remembered by this isolate for a while. */
import { ApiError } from '#worker/http/api-error';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { BASE_LOOKUP_KEY, USAGE_LOOKUP_KEY } from './grow-lookups.ts';
import { publishStripeLookups } from './publish-stripe-lookups.ts';

export interface GrowPrices {
  readonly base: string;
  readonly usage: string;
}

/** A price that took over a lookup key is found after this time. */
const REMEMBERED_MS = 5 * 60_000;

const remembered = new Map<string, { readonly prices: GrowPrices; readonly until: number }>();

/** @throws {ApiError} unavailable where the account has no such prices; in development they are made then */
export async function findPrices(ctx: WorkContext, stripe: StripeClient): Promise<GrowPrices> {
  const account = ctx.settings.billing?.secretKey ?? '';
  const known = remembered.get(account);
  if (known !== undefined && ctx.now < known.until) return known.prices;

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
  remembered.set(account, { prices, until: ctx.now + REMEMBERED_MS });
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
