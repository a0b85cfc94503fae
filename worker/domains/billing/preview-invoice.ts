/**
 * Reads from Stripe what an organisation's next invoice would be. The billing page works without it. Cached per isolate until the
 * subscription or its usage in Stripe changes, five minutes at most, so that members who reload the page do not use up Stripe's rate limit.
 */
import type { NextInvoice } from '#contracts/console/billing';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { MINUTE_MS } from '#engine/durations';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { isMissing } from '#worker/platform/stripe-error';
import { callStripeForUser } from './billing-account.ts';
import { findBilling } from './billing-store.ts';

const CACHE_MS = 5 * MINUTE_MS;
const MAX_CACHED = 1_000;

const cache = new BoundedCache<string, { readonly answer: NextInvoice; readonly until: number }>(MAX_CACHED);

/** @throws {ApiError} not-found; unavailable without Stripe */
export async function previewInvoice(ctx: RequestContext, { orgId }: Scope): Promise<NextInvoice> {
  const row = await findBilling(ctx.db, orgId);
  if (row === null) throw notFound('The organisation');
  const { subscriptionId, revision, billedCalls } = row;
  if (subscriptionId === null) return { invoice: null };
  const key = `${subscriptionId}:${revision}:${billedCalls}`;
  const cached = cache.get(key);
  if (cached !== undefined && ctx.now < cached.until) return cached.answer;
  const answer = await callStripeForUser(ctx, (stripe) => readPreview(stripe, subscriptionId));
  cache.set(key, { answer, until: ctx.now + CACHE_MS });
  return answer;
}

async function readPreview(stripe: StripeClient, subscription: string): Promise<NextInvoice> {
  try {
    const { total, currency } = await stripe.invoices.createPreview({ subscription });
    return { invoice: { totalMinor: total, currency } };
  } catch (error) {
    // Stripe answers 404 where nothing more is invoiced.
    if (isMissing(error)) return { invoice: null };
    throw error;
  }
}
