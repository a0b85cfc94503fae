/**
 * Receives an integration's events from Stripe: checked, stored, answered at once; the queue works on them. Whoever is not
 * Stripe learns nothing, not even which integrations there are. Only what could not be stored is answered with a failure,
 * so that Stripe sends it again.
 */
import type { Context } from 'hono';
import type { AppEnv } from '#worker/http/mount';
import { readText } from '#worker/http/read-json';
import type { RequestContext } from '#worker/http/request-context';
import { verifyStripeEvent } from '#worker/platform/stripe-signature';
import { sendMessage } from '#worker/queue/send-message';
import { findIntegrationRow, type StripeIntegrationRow } from './integration-store.ts';
import { openSecret } from './seal-secret.ts';
import { storeEvents } from './store-events.ts';

const MAX_BODY_BYTES = 512 * 1024;
/** What an unknown integration's events are checked with, for as much work as a known one's. */
const NOBODYS_SECRET = 'whsec_nobody';

/** @throws {ApiError} payload-too-large */
export async function receiveStripeEvent(c: Context<AppEnv>): Promise<Response> {
  const ctx = c.get('ctx');
  const payload = await readText(c.req.raw, MAX_BODY_BYTES);
  const integration = await findIntegrationRow(ctx.db, c.req.param('integrationId') ?? '');
  const secrets = integration === null ? [] : await believedSecrets(ctx, integration);
  const event = await verifyStripeEvent(
    payload,
    c.req.header('stripe-signature') ?? '',
    secrets.length === 0 ? [NOBODYS_SECRET] : secrets,
    ctx.now,
  );
  const isMeant =
    event !== null &&
    integration !== null &&
    secrets.length > 0 &&
    event.livemode === integration.livemode &&
    (event.account === undefined || event.account === integration.accountId);
  if (!isMeant) return c.json({ received: false }, 400);

  const messages = await storeEvents(ctx.db, integration, [event], ctx.now);
  for (const message of messages) ctx.waitUntil(sendMessage(ctx.env, message));
  return c.json({ received: true });
}

async function believedSecrets(
  { settings, now }: RequestContext,
  integration: StripeIntegrationRow,
): Promise<string[]> {
  const { webhookSecret, previousWebhookSecret, previousWebhookSecretUntil } = integration;
  const isPreviousBelieved = (previousWebhookSecretUntil ?? 0) > now;
  const sealed = [webhookSecret, isPreviousBelieved ? previousWebhookSecret : null];
  return Promise.all(
    sealed.flatMap((each) =>
      each === null ? [] : [openSecret(settings, integration, 'webhook-secret', each)],
    ),
  );
}
