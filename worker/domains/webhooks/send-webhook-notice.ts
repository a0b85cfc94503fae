/**
 * Consumer of webhook.notice-due: tells one owner or admin that a webhook was disabled. The outbox row is deleted after sending, so a mail
 * is not lost and a redelivered message does nothing.
 */
import { eq } from 'drizzle-orm';
import type { WebhookNoticeDue } from '#runtime/messages';
import { webhook } from '#worker/db/schema/webhooks';
import { findRecipient } from '#worker/domains/organisations/notice-recipient';
import type { WorkContext } from '#worker/http/request-context';
import { deliverMail } from '#worker/platform/mail';
import { composeMail } from '#worker/platform/mail-message';
import { outboxDone } from '#worker/queue/outbox';

const REASONS = {
  gone: 'it answered that it is gone for good (410)',
  failing: 'it has confirmed no event for five days',
} as const;

/** Nothing is sent to somebody who has left, or about a webhook that is gone or enabled again. @throws mail errors: the queue retries */
export async function sendWebhookNotice(ctx: WorkContext, message: WebhookNoticeDue): Promise<void> {
  const { db, env, settings, now } = ctx;
  const { orgId, webhookId, because, outboxId } = message;
  const [to, row] = await Promise.all([
    findRecipient(db, message),
    db
      .select({ url: webhook.url, disabledBecause: webhook.disabledBecause })
      .from(webhook)
      .where(eq(webhook.id, webhookId))
      .get(),
  ]);
  if (to !== undefined && row !== undefined && row.disabledBecause !== null) {
    const mail = composeMail({
      to: to.email,
      subject: `A webhook of ${to.organisation.name} is disabled`,
      paragraphs: [
        `Hello ${to.name}, Tessera sends no more events of ${to.organisation.name} to ${row.url}, because ${REASONS[because]}.`,
        'What has happened since then is kept for 30 days. Mend the address and enable the webhook on its page. “Resend failed” then sends what was missed.',
      ],
      action: { label: 'View webhook', url: `${settings.baseUrl}/o/${orgId}/webhooks/${webhookId}` },
    });
    await deliverMail(env, settings, mail, now);
  }
  await outboxDone(db, outboxId);
}
