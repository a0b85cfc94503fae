/**
 * Adds an integration's webhook endpoint: automatically through Stripe's API, or manually, where the caller provides
 * the signing secret. Replacing a webhook leaves no gap: events signed with the previous secret are accepted for
 * another day.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  ALL_STRIPE_EVENTS,
  type addStripeWebhookSchema,
  type StripeIntegration,
} from '#contracts/console/stripe';
import { nextUpdatedAt, rowExists } from '#worker/db/commit-if';
import { stripeIntegration } from '#worker/db/schema/stripe';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { ApiError, changedMeanwhile, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { STRIPE_API_VERSION, type StripeClient } from '#worker/platform/stripe';
import { change } from '#worker/queue/change';
import { isNotDeleted, type StripeIntegrationRow, webhookUrlOf } from '../integration/integration-store.ts';
import { openIntegrationClient } from '../integration/open-integration-client.ts';
import { getIntegrationRow, getStripeIntegration } from '../integration/read-integrations.ts';
import { sealSecret } from '../integration/seal-secret.ts';
import { describeFailure, getStripeFailure, stripeFailureOf } from '../integration/stripe-failure.ts';
import { stripeUnavailable } from './verify-secret-key.ts';

/** Stripe keeps a rolled secret valid for the same time. */
const PREVIOUS_SECRET_MS = 24 * 60 * 60_000;

interface Endpoint {
  /** Null: created manually, so its id is unknown. */
  readonly id: string | null;
  readonly secret: string;
}

/**
 * @throws {ApiError} not-found; forbidden for platform staff who enter a secret; invalid-request if Stripe rejects it, with
 * advice; unavailable; conflict after a concurrent change
 */
export async function addStripeWebhook(
  ctx: RequestContext,
  scope: MemberScope,
  id: string,
  body: z.output<typeof addStripeWebhookSchema>,
): Promise<StripeIntegration> {
  const current = await getIntegrationRow(ctx.db, scope, id);
  if (body.mode === 'manual') {
    ensureIsMember(scope, 'enter a signing secret');
    await store(ctx, scope, current, { id: null, secret: body.signingSecret });
    return getStripeIntegration(ctx, scope, id);
  }

  const stripe = await openIntegrationClient(ctx.settings, current);
  const url = webhookUrlOf(ctx.settings.baseUrl, id);
  const existingIds = await callStripe(() => listEndpointIds(stripe, url));
  const created = await callStripe(() => createEndpoint(stripe, url, id));
  try {
    await store(ctx, scope, current, created);
  } catch (error) {
    await removeEndpoints(ctx, stripe, [created.id]);
    throw error;
  }
  await removeEndpoints(ctx, stripe, new Set([...existingIds, current.webhookEndpointId]));
  return getStripeIntegration(ctx, scope, id);
}

/** Existing endpoints, including one that a crash left behind. Listed before a new one is created, so never a concurrent one. */
async function listEndpointIds(stripe: StripeClient, url: string): Promise<string[]> {
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  return data.filter((endpoint) => endpoint.url === url).map(({ id }) => id);
}

async function createEndpoint(
  stripe: StripeClient,
  url: string,
  id: string,
): Promise<Endpoint & { id: string }> {
  const endpoint = await stripe.webhookEndpoints.create({
    url,
    enabled_events: [...ALL_STRIPE_EVENTS],
    api_version: STRIPE_API_VERSION,
    description: 'Tessera: customers, subscriptions and products',
    metadata: { tessera_integration: id },
  });
  if (endpoint.secret === undefined) throw new Error('Stripe created a webhook without a signing secret');
  return { id: endpoint.id, secret: endpoint.secret };
}

async function store(
  ctx: RequestContext,
  scope: MemberScope,
  current: StripeIntegrationRow,
  { id: endpointId, secret }: Endpoint,
): Promise<void> {
  const { db, now } = ctx;
  const { orgId, id } = current;
  const isManual = endpointId === null;
  const isAsRead = sql`${stripeIntegration.webhookSecret} IS ${current.webhookSecret}`;
  const webhookSecret = await sealSecret(ctx.settings, current, 'webhook-secret', secret);
  await change(ctx, scope, {
    when: {
      exists: [rowExists(stripeIntegration, orgId, id, isNotDeleted), () => notFound('The integration')],
      isAsRead: [
        rowExists(stripeIntegration, orgId, id, isAsRead),
        async () => changedMeanwhile('The webhook', await getStripeIntegration(ctx, scope, id)),
      ],
    },
    write: [
      db
        .update(stripeIntegration)
        .set({
          // A secret that was rolled in Stripe is entered manually; the known endpoint is kept, to be deleted with the integration.
          webhookEndpointId: endpointId ?? current.webhookEndpointId,
          webhookSecret,
          previousWebhookSecret: current.webhookSecret,
          previousWebhookSecretUntil: current.webhookSecret === null ? null : now + PREVIOUS_SECRET_MS,
          webhookManuallyAdded: isManual,
          webhookHealth: null,
          webhookRefusedAt: null,
          updatedAt: nextUpdatedAt(stripeIntegration, now),
        })
        .where(and(eq(stripeIntegration.id, id), eq(stripeIntegration.orgId, orgId))),
    ],
    audit: {
      action: 'stripe-integration.webhook-added',
      targetId: id,
      detail: { mode: isManual ? 'manual' : 'automatic', endpointId },
    },
    publish: [],
  });
}

/** Best effort: events from a remaining endpoint are rejected after a day, and the next replacement deletes it. */
async function removeEndpoints(
  ctx: RequestContext,
  stripe: StripeClient,
  ids: Iterable<string | null>,
): Promise<void> {
  for (const id of ids) {
    if (id === null) continue;
    try {
      await stripe.webhookEndpoints.del(id);
    } catch (error) {
      if (stripeFailureOf(error)?.kind === 'missing') continue;
      ctx.log.warn('Stripe webhook endpoint could not be deleted', { endpointId: id, error });
    }
  }
}

async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const failure = getStripeFailure(error);
    if (failure.kind === 'busy' || failure.kind === 'unavailable') throw stripeUnavailable();
    const advice =
      failure.kind === 'not-allowed'
        ? ' Allow it to write webhook endpoints, or add the webhook manually.'
        : '';
    throw new ApiError('invalid-request', `${describeFailure(failure)}${advice}`);
  }
}
