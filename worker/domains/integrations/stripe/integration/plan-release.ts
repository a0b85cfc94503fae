/** Plans the message that has an integration's waiting events processed. At most one is on its way. */
import { and, eq, gt, isNull, lt, or } from 'drizzle-orm';
import { sendMessage } from '#runtime/send-message';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeIntegrationRow } from './integration-store.ts';

/** A planned message that is later than this was lost. */
const LOST_AFTER_MS = 30_000;

/** @param at epoch milliseconds, 0 for now; a message that is planned for an earlier instant stays */
export async function planRelease(
  { env, db }: Pick<WorkContext, 'env' | 'db'>,
  { id: integrationId, orgId }: Pick<StripeIntegrationRow, 'id' | 'orgId'>,
  at = 0,
): Promise<void> {
  // The queue delays the message in real time.
  const now = Date.now();
  const { id, releaseAt } = stripeIntegration;
  const isUnplanned = or(isNull(releaseAt), gt(releaseAt, at), lt(releaseAt, now - LOST_AFTER_MS));
  const planned = await db
    .update(stripeIntegration)
    .set({ releaseAt: Math.max(at, now) })
    .where(and(eq(id, integrationId), isUnplanned))
    .returning({ id });
  if (planned.length === 0) return;
  const message = { type: 'stripe.events-released', orgId, integrationId } as const;
  await sendMessage(env, message, Math.ceil(Math.max(at - now, 0) / 1000));
}
