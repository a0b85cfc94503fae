/** Changes a Stripe integration: its words, what of its set-up was skipped, or its key for another of the same account. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { StripeIntegration, updateStripeIntegrationSchema } from '#contracts/stripe';
import { auditRow } from '#worker/db/audit';
import { commitIf, nextUpdatedAt, rowStands } from '#worker/db/commit-if';
import { stripeIntegration } from '#worker/db/schema/stripe';
import { changedMeanwhile, invalidField, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { openStripe } from '#worker/platform/stripe';
import { getIntegrationRow, getStripeIntegration, type StripeIntegrationRow } from './integration-store.ts';
import { isNotDeleted } from './is-not-deleted.ts';
import { sealSecret } from './seal-secret.ts';
import { releaseEvents } from './trouble.ts';
import { maskSecretKey, readKeyMode, verifySecretKey } from './verify-secret-key.ts';

type Edit = Partial<
  Pick<StripeIntegrationRow, 'name' | 'description' | 'initialSyncSkipped' | 'quickstartWaitForEventSkipped'>
>;

/**
 * Repeating a change that stands already is harmless, also with the `updatedAt` of before.
 * @throws {ApiError} not-found; invalid-request naming secretKey; unavailable where Stripe cannot be asked about a key;
 * conflict with what stands where somebody else's edit came between
 */
export async function updateStripeIntegration(
  ctx: RequestContext,
  scope: MemberScope,
  userId: string,
  id: string,
  body: z.output<typeof updateStripeIntegrationSchema>,
): Promise<StripeIntegration> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const standing = await getIntegrationRow(db, scope, id);
  const edit = changesOf(standing, body);
  const key = body.secretKey === undefined ? null : await readNewKey(ctx, standing, body.secretKey);
  const changed = [...Object.keys(edit), ...(key === null ? [] : ['secretKey'])];
  if (changed.length === 0) return getStripeIntegration(ctx, scope, id);

  const unmet = await commitIf(
    db,
    {
      exists: rowStands(stripeIntegration, orgId, id, undefined, isNotDeleted),
      isFresh: rowStands(stripeIntegration, orgId, id, body.updatedAt),
    },
    [
      db
        .update(stripeIntegration)
        .set({ ...edit, ...key, updatedAt: nextUpdatedAt(stripeIntegration, now) })
        .where(and(eq(stripeIntegration.id, id), eq(stripeIntegration.orgId, orgId))),
      ...(key === null ? [] : [releaseEvents(db, id)]),
      auditRow(ctx, {
        orgId,
        actorUserId: userId,
        action: 'stripe-integration.updated',
        targetId: id,
        detail: {
          changed,
          ...(key === null ? {} : { key: { from: standing.maskedKey, to: key.maskedKey } }),
        },
      }),
    ],
  );
  if (unmet === 'exists') throw notFound('The integration');
  if (unmet === 'isFresh') {
    throw changedMeanwhile('The integration', await getStripeIntegration(ctx, scope, id));
  }
  return getStripeIntegration(ctx, scope, id);
}

/** Of what was sent, what is different. */
function changesOf(
  standing: StripeIntegrationRow,
  sent: z.output<typeof updateStripeIntegrationSchema>,
): Edit {
  const names = ['name', 'description', 'initialSyncSkipped', 'quickstartWaitForEventSkipped'] as const;
  const isChanged = (name: (typeof names)[number]) =>
    sent[name] !== undefined && sent[name] !== standing[name];
  return Object.fromEntries(names.filter(isChanged).map((name) => [name, sent[name]]));
}

/** With a key that works, what the old one was refused for is over: what was missed meanwhile is looked for at once. */
async function readNewKey({ settings }: RequestContext, standing: StripeIntegrationRow, secretKey: string) {
  const { livemode } = readKeyMode(secretKey);
  if (livemode !== standing.livemode) {
    throw invalidField(
      'secretKey',
      `This integration is one of ${standing.livemode ? 'live' : 'test'} mode; the key is of the other`,
    );
  }
  const stripe = await openStripe({ secretKey, apiBase: settings.stripeApiBase });
  const account = await verifySecretKey(stripe, livemode);
  if (account.id !== standing.accountId) {
    throw invalidField('secretKey', 'This key is one of another Stripe account');
  }
  return {
    secretKey: await sealSecret(settings, standing, 'secret-key', secretKey),
    maskedKey: maskSecretKey(secretKey),
    ...{ trouble: null, troubleAt: null, lookedForEventsAt: null },
  };
}
