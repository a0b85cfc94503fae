/**
 * Limits unverified events per client network, before any query. The platform counts them; the isolate remembers which networks
 * have reached the limit. An integration whose events were verified lately is exempt: anyone can make Stripe send events
 * that fail, and others' events come from the same network. A wrong signature is noted in the integration's row as well: with
 * missed events, it tells that the signing secret was rolled (check-webhook.ts).
 */
import { eq } from 'drizzle-orm';
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { Db } from '#worker/db/database';
import { stripeIntegration } from '#worker/db/schema/stripe';
import { rateLimited } from '#worker/http/api-error';
import { clientNetwork } from '#worker/http/client-network';
import type { RequestContext } from '#worker/http/request-context';
import type { StripeIntegrationRow } from '../integration/integration-store.ts';

/** The period of WEBHOOK_FAILURE_LIMIT in wrangler.toml. */
const PERIOD_S = 60;
const CAPACITY = 10_000;

/** Epoch milliseconds. */
const limitedUntil = new BoundedCache<string, number>(CAPACITY);
const verified = new BoundedCache<string, true>(CAPACITY);

/** @throws {ApiError} rate-limited */
export function refuseLimitedNetwork({ request, now }: RequestContext, integrationId: string): void {
  if ((limitedUntil.get(clientNetwork(request)) ?? 0) <= now) return;
  if (verified.get(integrationId) === true) return;
  throw rateLimited('Too many unverified events from this network. Please try again in a minute.', PERIOD_S);
}

export function noteVerified(integrationId: string): void {
  verified.set(integrationId, true);
}

export async function noteUnverified({ env, request, now }: RequestContext): Promise<void> {
  const network = clientNetwork(request);
  const { success } = await env.WEBHOOK_FAILURE_LIMIT.limit({ key: network });
  if (!success) limitedUntil.set(network, now + PERIOD_S * 1000);
}

/** Writes only what changes, so that a stream of events costs nothing. */
export async function noteSignature(
  db: Db,
  { id, webhookRefusedAt }: StripeIntegrationRow,
  isVerified: boolean,
  now: number,
): Promise<void> {
  if ((webhookRefusedAt === null) === isVerified) return;
  await db
    .update(stripeIntegration)
    .set({ webhookRefusedAt: isVerified ? null : now })
    .where(eq(stripeIntegration.id, id));
}
