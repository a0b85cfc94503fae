/** Tells ledgers of customers that were just stored, without waiting for a queue; where that fails the queue does it. */
import { inArray } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { outbox } from '#worker/db/schema/operations';
import { tellChangedCustomers } from '#worker/domains/customers/tell-customer-facts';
import type { Env } from '#worker/env';
import { log } from '#worker/platform/log';
import type { StripeCustomersChanged } from '#worker/queue/messages';
import { sendMessage } from '#worker/queue/send-message';

/**
 * @param outboxIds of rows that are there if anything changed that ledgers must know
 * @returns how many names of customers it was about
 */
export async function announceCustomers(env: Env, db: Db, outboxIds: readonly string[]): Promise<number> {
  if (outboxIds.length === 0) return 0;
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(inArray(outbox.id, [...outboxIds]));
  let told = 0;
  for (const { payload } of rows) {
    const message = payload as StripeCustomersChanged;
    told += message.customers.length;
    try {
      await tellChangedCustomers(env, message);
    } catch (error) {
      log.warn('could not be told at once', { type: message.type, orgId: message.orgId, error });
      await sendMessage(env, message);
    }
  }
  return told;
}
