/**
 * Consumer of billing.notice-due: sends one owner or admin one mail about the subscription. Nothing is sent about a state that has passed,
 * whatever the order of the messages. The outbox row is deleted after sending, so a mail is not lost and a redelivered message does nothing.
 */

import { currentGrace } from '#engine/usage/grace-period';
import type { BillingNoticeDue } from '#runtime/messages';
import { findRecipient } from '#worker/domains/organisations/notice-recipient';
import type { WorkContext } from '#worker/http/request-context';
import { deliverMail } from '#worker/platform/mail';
import { outboxDone } from '#worker/queue/outbox';
import { billingMail } from './billing-mail.ts';
import { findBilling } from './billing-store.ts';

/** @throws mail errors: the queue retries */
export async function sendBillingNotice(ctx: WorkContext, message: BillingNoticeDue): Promise<void> {
  const { db, env, settings, now } = ctx;
  const { orgId, notice, outboxId } = message;
  const [to, row] = await Promise.all([findRecipient(db, message), findBilling(db, orgId)]);
  if (to !== undefined && row?.notice === notice) {
    const mail = billingMail(to, notice, currentGrace(row, now), settings.baseUrl);
    await deliverMail(env, settings, mail, now);
  }
  await outboxDone(db, outboxId);
}
