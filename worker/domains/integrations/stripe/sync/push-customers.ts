/** Pushes facts of just stored customers to their ledgers directly. A failed push, and one too large for this invocation, goes through the queue. */
import { inArray } from 'drizzle-orm';
import type { StripeCustomersChanged } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import { outbox } from '#worker/db/schema/operations';
import { pushChangedCustomers } from '#worker/domains/customer-facts/push-customer-facts';
import type { WorkContext } from '#worker/http/request-context';

/** @param outboxIds outbox rows that exist if any customer facts changed */
export async function pushStoredCustomers(ctx: WorkContext, outboxIds: readonly string[]): Promise<void> {
  if (outboxIds.length === 0) return;
  const rows = await ctx.db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(inArray(outbox.id, [...outboxIds]));
  for (const { payload } of rows) {
    const message = payload as StripeCustomersChanged;
    try {
      await pushChangedCustomers(ctx, message);
    } catch (error) {
      ctx.log.warn('customer facts could not be pushed directly', {
        type: message.type,
        orgId: message.orgId,
        error,
      });
      await sendMessage(ctx.env, message);
    }
  }
}
