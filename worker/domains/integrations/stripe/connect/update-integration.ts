/** Updates a Stripe integration: name, description, policy, user id key, skipped set-up steps, or a new key of the same account. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { StripeIntegration, updateStripeIntegrationSchema } from '#contracts/console/stripe';
import { DEFAULT_POLICY, type SubscriptionPolicy } from '#contracts/console/subscription-policy';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import type { StripeUserIdsChanged } from '#runtime/messages';
import { nextUpdatedAt } from '#worker/db/commit-if';
import { changedFields, recordEdit } from '#worker/db/field-changes';
import { stripeIntegration } from '#worker/db/schema/stripe';
import { factsVersion, takeFactsVersion } from '#worker/domains/customer-facts/next-facts-version';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { invalidField } from '#worker/http/api-error';
import { isAsEdited } from '#worker/http/edited-row';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { openStripe } from '#worker/platform/stripe';
import { change } from '#worker/queue/change';
import { NO_CONNECTION_ERROR, retryWaitingEvents } from '../integration/connection-error.ts';
import { isNotDeleted, type StripeIntegrationRow } from '../integration/integration-store.ts';
import { planRelease } from '../integration/plan-release.ts';
import { getIntegrationRow, getStripeIntegration } from '../integration/read-integrations.ts';
import { sealSecret } from '../integration/seal-secret.ts';
import { maskSecretKey, readKeyMode, verifySecretKey } from './verify-secret-key.ts';

/**
 * Idempotent: repeating an applied change succeeds, also with the earlier `updatedAt`.
 * @throws {ApiError} not-found; forbidden for platform staff who replace the key, the policy or the user id key; invalid-request naming secretKey;
 * unavailable if Stripe cannot verify a key; conflict with the current state after a concurrent edit
 */
export async function updateStripeIntegration(
  ctx: RequestContext,
  scope: MemberScope,
  id: string,
  { secretKey, subscriptionPolicy, updatedAt, ...body }: z.output<typeof updateStripeIntegrationSchema>,
): Promise<StripeIntegration> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const policy = subscriptionPolicy && withoutDefaults(subscriptionPolicy);
  const current = await getIntegrationRow(db, scope, id);
  if (secretKey !== undefined) ensureIsMember(scope, 'replace the Stripe key');
  const edit = changedFields(current, {
    ...body,
    subscriptionPolicy: isSame(policy, DEFAULT_POLICY) ? null : policy,
  });
  if (edit.subscriptionPolicy !== undefined) ensureIsMember(scope, 'change what subscriptions mean');
  if (edit.userIdKey !== undefined) ensureIsMember(scope, 'change what identifies customers');
  const userIds = edit.userIdKey === undefined ? null : userIdsChanged(ctx, orgId, id);
  const key = secretKey === undefined ? null : await readNewKey(ctx, current, secretKey);
  if (Object.keys(edit).length === 0 && key === null) return getStripeIntegration(ctx, scope, id);
  // Explanations name the integration beside its policy.
  const isNamed = edit.name !== undefined && current.subscriptionPolicy !== null;
  const isPublished = edit.subscriptionPolicy !== undefined || isNamed;

  await change(ctx, scope, {
    when: isAsEdited(ctx, scope, {
      what: 'The integration',
      table: stripeIntegration,
      id,
      updatedAt,
      further: isNotDeleted,
      readCurrent: () => getStripeIntegration(ctx, scope, id),
    }),
    write: [
      ...(userIds === null ? [] : [takeFactsVersion(db, orgId, now)]),
      db
        .update(stripeIntegration)
        .set({ ...edit, ...key, ...userIds?.fields, updatedAt: nextUpdatedAt(stripeIntegration, now) })
        .where(and(eq(stripeIntegration.id, id), eq(stripeIntegration.orgId, orgId))),
      ...(key === null ? [] : [retryWaitingEvents(db, id)]),
    ],
    audit: {
      action: 'stripe-integration.updated',
      targetId: id,
      detail: recordEdit(recorded(current, current.maskedKey), recorded(edit, key?.maskedKey)),
    },
    publish: [
      ...(isPublished ? [everyEnvironmentOf(scope)] : []),
      ...(userIds === null ? [] : [{ messages: [userIds.message] }]),
    ],
  });
  if (key !== null) ctx.waitUntil(planRelease(ctx, current));
  return getStripeIntegration(ctx, scope, id);
}

/** User ids by the former key have no effect from now on, and those by the new one when every customer has its own. */
function userIdsChanged(ctx: RequestContext, orgId: string, id: string) {
  const message: StripeUserIdsChanged = {
    type: 'stripe.user-ids-changed',
    outboxId: `out_user_ids_${id}`,
    orgId,
    integrationId: id,
    changeId: ctx.newId('out'),
    after: '',
    isInEffect: false,
  };
  return { message, fields: { userIdsReady: false, userIdsAt: factsVersion(orgId) } };
}

const isSame = (one: SubscriptionPolicy | undefined, other: SubscriptionPolicy) =>
  one !== undefined && canonicalJson(one) === canonicalJson(other);

/** What is as by default says nothing, as policies that were saved before there was a choice. */
function withoutDefaults({
  onPlanChange = 'carry',
  minDaysBetweenResets = 0,
  ...policy
}: SubscriptionPolicy): SubscriptionPolicy {
  return {
    ...policy,
    ...(onPlanChange !== 'carry' && { onPlanChange }),
    ...(minDaysBetweenResets > 0 && { minDaysBetweenResets }),
  };
}

/** As the audit log records it. */
function recorded<Fields extends Pick<Partial<StripeIntegrationRow>, 'subscriptionPolicy'>>(
  { subscriptionPolicy: policy, ...others }: Fields,
  maskedKey: string | undefined,
) {
  return {
    ...others,
    ...(policy === undefined
      ? {}
      : { onPlanChange: 'carry', minDaysBetweenResets: 0, ...(policy ?? DEFAULT_POLICY) }),
    ...(maskedKey === undefined ? {} : { secretKey: maskedKey }),
  };
}

/** A working key clears the connection error and makes the poll for missed events due immediately. */
async function readNewKey({ settings }: RequestContext, current: StripeIntegrationRow, secretKey: string) {
  const { livemode } = readKeyMode(secretKey);
  if (livemode !== current.livemode) {
    throw invalidField(
      'secretKey',
      `This integration uses ${current.livemode ? 'live' : 'test'} mode, but the key is for the other mode`,
    );
  }
  const stripe = await openStripe({ secretKey, apiBase: settings.stripeApiBase });
  const account = await verifySecretKey(stripe, livemode);
  if (account.id !== current.accountId) {
    throw invalidField('secretKey', 'This key belongs to a different Stripe account');
  }
  return {
    secretKey: await sealSecret(settings, current, 'secret-key', secretKey),
    maskedKey: maskSecretKey(secretKey),
    ...NO_CONNECTION_ERROR,
    lookedForEventsAt: null,
  };
}
