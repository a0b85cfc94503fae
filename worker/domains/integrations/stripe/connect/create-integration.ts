/**
 * Connects an organisation's Stripe account by its secret key. The key is verified first, then encrypted and stored,
 * and the integration is published to replicas.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type createStripeIntegrationSchema,
  MAX_STRIPE_INTEGRATIONS,
  type StripeIntegration,
} from '#contracts/console/stripe';
import { readForeignName } from '#contracts/public/text';
import { stripeIntegration } from '#worker/db/schema/stripe';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { ApiError, duplicate } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { openStripe } from '#worker/platform/stripe';
import { change } from '#worker/queue/change';
import { isNotDeleted } from '../integration/integration-store.ts';
import { getStripeIntegration } from '../integration/read-integrations.ts';
import { sealSecret } from '../integration/seal-secret.ts';
import { maskSecretKey, readKeyMode, verifySecretKey } from './verify-secret-key.ts';

/**
 * @throws {ApiError} forbidden for platform staff; invalid-request naming secretKey; unavailable if Stripe cannot be reached; conflict if the
 * account is already connected, or at the limit
 */
export async function createStripeIntegration(
  ctx: RequestContext,
  scope: MemberScope,
  body: z.output<typeof createStripeIntegrationSchema>,
): Promise<StripeIntegration> {
  const { db, now, settings } = ctx;
  const { orgId } = scope;
  // Subscriptions of the connected account grant plans, for as long as it is connected.
  ensureIsMember(scope, 'connect a Stripe account');
  const { secretKey } = body;
  const { livemode } = readKeyMode(secretKey);
  const stripe = await openStripe({ secretKey, apiBase: settings.stripeApiBase });
  const account = await verifySecretKey(stripe, livemode);

  const id = ctx.newId('stripe');
  const row = {
    id,
    orgId,
    livemode,
    name: body.name ?? readForeignName(account.name ?? '') ?? 'Stripe',
    description: body.description ?? null,
    accountId: account.id,
    secretKey: await sealSecret(settings, { orgId, id }, 'secret-key', secretKey),
    maskedKey: maskSecretKey(secretKey),
    quickStart: body.quickStart ?? false,
    createdAt: now,
    updatedAt: now,
  };
  const isCounted = and(eq(stripeIntegration.orgId, orgId), isNotDeleted);
  const count = sql`(SELECT count(*) FROM ${stripeIntegration} WHERE ${isCounted})`;
  const tooMany = `An organisation can have at most ${MAX_STRIPE_INTEGRATIONS} Stripe integrations`;
  const isConnected = `This Stripe account is already connected in ${modeName(livemode)} mode`;
  await change(ctx, scope, {
    when: {
      isBelowLimit: [sql`${count} < ${MAX_STRIPE_INTEGRATIONS}`, () => new ApiError('conflict', tooMany)],
    },
    unique: { 'stripe_integration.account_id': () => duplicate('secretKey', isConnected) },
    write: [db.insert(stripeIntegration).values(row)],
    audit: {
      action: 'stripe-integration.created',
      targetId: id,
      detail: { name: row.name, accountId: account.id, livemode, key: row.maskedKey },
    },
    publish: [everyEnvironmentOf(scope)],
  });
  return getStripeIntegration(ctx, scope, id);
}

function modeName(livemode: boolean): string {
  return livemode ? 'live' : 'test';
}
