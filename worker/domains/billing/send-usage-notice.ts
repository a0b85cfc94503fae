/**
 * Consumer of usage.notice-due: sends one member one mail about the monthly allowance. The outbox row is deleted
 * after sending, so a mail is not lost and a redelivered message does nothing.
 */
import { monthOf } from '#engine/usage/calendar';
import type { UsageNoticeDue } from '#runtime/messages';
import { findRecipient } from '#worker/domains/organisations/notice-recipient';
import type { WorkContext } from '#worker/http/request-context';
import { deliverMail } from '#worker/platform/mail';
import { outboxDone } from '#worker/queue/outbox';
import { usageMail } from './usage-mail.ts';

/** @throws mail errors: the queue retries */
export async function sendUsageNotice(ctx: WorkContext, message: UsageNoticeDue): Promise<void> {
  const { db, env, settings, now } = ctx;
  const { level, monthAt } = message;
  const to = monthAt === monthOf(now) ? await findRecipient(db, message) : undefined;
  if (to !== undefined) {
    const mail = usageMail(to, to.organisation, level, monthAt, settings.baseUrl);
    await deliverMail(env, settings, mail, now);
  }
  await outboxDone(db, message.outboxId);
}
