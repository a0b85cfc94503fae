/**
 * Webhook of an integration's Stripe events: verify, store, respond; the queue processes them. A caller that is not
 * Stripe cannot tell which integrations exist. Only a storage failure is an error response, which makes Stripe retry.
 */
import type { Context } from 'hono';
import { isIdOf } from '#runtime/ids';
import { sendMessage } from '#runtime/send-message';
import type { AppEnv } from '#worker/http/mount';
import { readText } from '#worker/http/read-json';
import type { RequestContext } from '#worker/http/request-context';
import { verifyStripeEvent } from '#worker/platform/stripe-signature';
import { findIntegrationRow, type StripeIntegrationRow } from '../integration/integration-store.ts';
import { openSecret } from '../integration/seal-secret.ts';
import { storeEvents } from './store-events.ts';
import { noteSignature, noteUnverified, noteVerified, refuseLimitedNetwork } from './webhook-failures.ts';

const MAX_BODY_BYTES = 512 * 1024;
/** Verifies the events of unknown integrations, so that response times do not reveal which integrations exist. */
const DUMMY_SECRET = 'whsec_nobody';

/** @throws {ApiError} payload-too-large; rate-limited */
export async function receiveStripeEvent(c: Context<AppEnv>): Promise<Response> {
  const ctx = c.get('ctx');
  const integrationId = c.req.param('integrationId') ?? '';
  refuseLimitedNetwork(ctx, integrationId);
  const payload = await readText(c.req.raw, MAX_BODY_BYTES);
  const integration = isIdOf('stripe', integrationId)
    ? await findIntegrationRow(ctx.db, integrationId)
    : null;
  const secrets = integration === null ? [] : await activeSecrets(ctx, integration);
  const event = await verifyStripeEvent(
    payload,
    c.req.header('stripe-signature') ?? '',
    secrets.length === 0 ? [DUMMY_SECRET] : secrets,
    ctx.now,
  );
  // A signature of the dummy secret verifies nothing.
  const isVerified = event !== null && secrets.length > 0;
  if (isVerified) noteVerified(integrationId);
  else await noteUnverified(ctx);
  if (integration !== null && secrets.length > 0) {
    ctx.waitUntil(noteSignature(ctx.db, integration, isVerified, ctx.now));
  }
  const isAccepted =
    isVerified &&
    integration !== null &&
    event.livemode === integration.livemode &&
    (event.account === undefined || event.account === integration.accountId);
  if (!isAccepted) return c.json({ received: false }, 400);

  const messages = await storeEvents(ctx.db, integration, [event], ctx.now);
  for (const message of messages) ctx.waitUntil(sendMessage(ctx.env, message));
  return c.json({ received: true });
}

async function activeSecrets(
  { settings, now }: RequestContext,
  integration: StripeIntegrationRow,
): Promise<string[]> {
  const { webhookSecret, previousWebhookSecret, previousWebhookSecretUntil } = integration;
  const isPreviousActive = (previousWebhookSecretUntil ?? 0) > now;
  const sealed = [webhookSecret, isPreviousActive ? previousWebhookSecret : null];
  return Promise.all(
    sealed.flatMap((each) =>
      each === null ? [] : [openSecret(settings, integration, 'webhook-secret', each)],
    ),
  );
}
