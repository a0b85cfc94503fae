/** Connects an organisation's Stripe account by its secret key: verified first, then sealed, and made known to replicas. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type createStripeIntegrationSchema,
  MAX_STRIPE_INTEGRATIONS,
  type StripeIntegration,
} from '#contracts/stripe';
import { auditRow } from '#worker/db/audit';
import { isUniqueViolation } from '#worker/db/database';
import { stripeIntegration } from '#worker/db/schema/stripe';
import { commitForReplicas } from '#worker/domains/artifacts/commit-for-replicas';
import { ApiError, duplicate } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { openStripe } from '#worker/platform/stripe';
import { getStripeIntegration } from './integration-store.ts';
import { sealSecret } from './seal-secret.ts';
import { maskSecretKey, readKeyMode, verifySecretKey } from './verify-secret-key.ts';

const MAX_NAME = 100;
const MIN_NAME = 3;

/**
 * @throws {ApiError} invalid-request naming secretKey; unavailable where Stripe cannot be asked; conflict where the
 * account is connected already, or there are too many
 */
export async function createStripeIntegration(
  ctx: RequestContext,
  scope: MemberScope,
  userId: string,
  body: z.output<typeof createStripeIntegrationSchema>,
): Promise<StripeIntegration> {
  const { db, now, settings } = ctx;
  const { orgId } = scope;
  const { secretKey } = body;
  const { livemode } = readKeyMode(secretKey);
  const stripe = await openStripe({ secretKey, apiBase: settings.stripeApiBase });
  const account = await verifySecretKey(stripe, livemode);

  const id = ctx.newId('stripe');
  const row = {
    ...{ id, orgId, livemode },
    name: body.name ?? nameFor(account.name),
    description: body.description ?? null,
    accountId: account.id,
    secretKey: await sealSecret(settings, { orgId, id }, 'secret-key', secretKey),
    maskedKey: maskSecretKey(secretKey),
    quickStart: body.quickStart ?? false,
    createdAt: now,
    updatedAt: now,
  };
  const isCounted = and(eq(stripeIntegration.orgId, orgId), isNull(stripeIntegration.deletedAt));
  const standing = sql`(SELECT count(*) FROM ${stripeIntegration} WHERE ${isCounted})`;
  try {
    const unmet = await commitForReplicas(
      ctx,
      scope,
      { isBelowLimit: sql`${standing} < ${MAX_STRIPE_INTEGRATIONS}` },
      [
        db.insert(stripeIntegration).values(row),
        auditRow(ctx, {
          orgId,
          actorUserId: userId,
          action: 'stripe-integration.created',
          targetId: id,
          detail: { name: row.name, accountId: account.id, livemode, key: row.maskedKey },
        }),
      ],
    );
    if (unmet !== null) {
      throw new ApiError(
        'conflict',
        `An organisation can have at most ${MAX_STRIPE_INTEGRATIONS} Stripe integrations`,
      );
    }
  } catch (error) {
    if (!isUniqueViolation(error, 'stripe_integration.account_id')) throw error;
    throw duplicate('secretKey', `This Stripe account is connected already in ${modeName(livemode)} mode`);
  }
  return getStripeIntegration(ctx, scope, id);
}

function nameFor(accountName: string | null): string {
  const name = (accountName ?? '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .trim();
  return name.length >= MIN_NAME && name.isWellFormed() ? name : 'Stripe';
}

function modeName(livemode: boolean): string {
  return livemode ? 'live' : 'test';
}
