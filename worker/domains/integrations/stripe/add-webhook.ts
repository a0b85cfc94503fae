/**
 * Gives an integration its webhook: made through Stripe's API, or by hand, in which case its signing secret is told. A
 * second time it takes the place of the first without a gap: what was signed with the secret before is believed for a day.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type addStripeWebhookSchema,
  STRIPE_WEBHOOK_EVENTS,
  type StripeIntegration,
} from '#contracts/stripe';
import { auditRow } from '#worker/db/audit';
import { commitIf, nextUpdatedAt, rowStands } from '#worker/db/commit-if';
import { stripeIntegration } from '#worker/db/schema/stripe';
import { ApiError, changedMeanwhile, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { STRIPE_API_VERSION, type StripeClient } from '#worker/platform/stripe';
import { clientOf } from './client-of.ts';
import {
  getIntegrationRow,
  getStripeIntegration,
  type StripeIntegrationRow,
  webhookUrlOf,
} from './integration-store.ts';
import { isNotDeleted } from './is-not-deleted.ts';
import { sealSecret } from './seal-secret.ts';
import { stripeFailureOf, wordsOf } from './stripe-failure.ts';
import { stripeUnavailable } from './verify-secret-key.ts';

/** As Stripe lets the secret before live on for when one is rolled. */
const PREVIOUS_SECRET_MS = 24 * 60 * 60_000;

interface Endpoint {
  /** Null: made by hand, and unknown here. */
  readonly id: string | null;
  readonly secret: string;
}

/**
 * @throws {ApiError} not-found; invalid-request where Stripe refuses it, with what to do; unavailable; conflict where
 * somebody else did the same at this moment
 */
export async function addStripeWebhook(
  ctx: RequestContext,
  scope: MemberScope,
  userId: string,
  id: string,
  body: z.output<typeof addStripeWebhookSchema>,
): Promise<StripeIntegration> {
  const standing = await getIntegrationRow(ctx.db, scope, id);
  if (body.mode === 'manual') {
    await store(ctx, scope, userId, standing, { id: null, secret: body.signingSecret });
    return getStripeIntegration(ctx, scope, id);
  }

  const stripe = await clientOf(ctx.settings, standing);
  const url = webhookUrlOf(ctx.settings.baseUrl, id);
  const earlier = await asked(() => listEndpointIds(stripe, url));
  const made = await asked(() => makeEndpoint(stripe, url, id));
  try {
    await store(ctx, scope, userId, standing, made);
  } catch (error) {
    await removeEndpoints(ctx, stripe, [made.id]);
    throw error;
  }
  await removeEndpoints(ctx, stripe, new Set([...earlier, standing.webhookEndpointId]));
  return getStripeIntegration(ctx, scope, id);
}

/** Those of before, also where a crash left one behind: never one that somebody makes from now on. */
async function listEndpointIds(stripe: StripeClient, url: string): Promise<string[]> {
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  return data.filter((endpoint) => endpoint.url === url).map(({ id }) => id);
}

async function makeEndpoint(
  stripe: StripeClient,
  url: string,
  id: string,
): Promise<Endpoint & { id: string }> {
  const endpoint = await stripe.webhookEndpoints.create({
    url,
    enabled_events: [...STRIPE_WEBHOOK_EVENTS],
    api_version: STRIPE_API_VERSION,
    description: 'Tessera: customers, subscriptions and products',
    metadata: { tessera_integration: id },
  });
  if (endpoint.secret === undefined) throw new Error('Stripe made a webhook without a signing secret');
  return { id: endpoint.id, secret: endpoint.secret };
}

async function store(
  ctx: RequestContext,
  scope: MemberScope,
  userId: string,
  standing: StripeIntegrationRow,
  { id: endpointId, secret }: Endpoint,
): Promise<void> {
  const { db, now } = ctx;
  const { orgId, id } = standing;
  const isManual = endpointId === null;
  const isAsRead = sql`${stripeIntegration.webhookSecret} IS ${standing.webhookSecret}`;
  const unmet = await commitIf(
    db,
    {
      exists: rowStands(stripeIntegration, orgId, id, undefined, isNotDeleted),
      isAsRead: rowStands(stripeIntegration, orgId, id, undefined, isAsRead),
    },
    [
      db
        .update(stripeIntegration)
        .set({
          // Whoever rolled the secret at Stripe tells it by hand: the endpoint stays the one to be removed one day.
          webhookEndpointId: endpointId ?? standing.webhookEndpointId,
          webhookSecret: await sealSecret(ctx.settings, standing, 'webhook-secret', secret),
          previousWebhookSecret: standing.webhookSecret,
          previousWebhookSecretUntil: standing.webhookSecret === null ? null : now + PREVIOUS_SECRET_MS,
          webhookManuallyAdded: isManual,
          updatedAt: nextUpdatedAt(stripeIntegration, now),
        })
        .where(and(eq(stripeIntegration.id, id), eq(stripeIntegration.orgId, orgId))),
      auditRow(ctx, {
        orgId,
        actorUserId: userId,
        action: 'stripe-integration.webhook-added',
        targetId: id,
        detail: { mode: isManual ? 'manual' : 'automatic', endpointId },
      }),
    ],
  );
  if (unmet === 'exists') throw notFound('The integration');
  if (unmet === 'isAsRead') {
    throw changedMeanwhile('The webhook', await getStripeIntegration(ctx, scope, id));
  }
}

/** What is left of them does no harm: what it sends is not believed after a day, and the next time it goes. */
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
      ctx.log.warn('a webhook at Stripe could not be removed', { endpointId: id, error });
    }
  }
}

async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const failure = stripeFailureOf(error);
    if (failure === null) throw error;
    if (failure.kind === 'busy' || failure.kind === 'unavailable') throw stripeUnavailable();
    const advice =
      failure.kind === 'not-allowed'
        ? ' Allow it to write webhook endpoints, or add the webhook by hand.'
        : '';
    throw new ApiError('invalid-request', `${wordsOf(failure)}${advice}`);
  }
}
