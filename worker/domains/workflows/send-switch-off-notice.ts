/**
 * Consumer of workflow.switch-off-notice-due: sends one owner or admin the mail. The outbox row is deleted after sending, so a mail is
 * not lost and a redelivered message does nothing.
 */
import type { SwitchOffNoticeDue } from '#runtime/messages';
import { liveEnvironment } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { findRecipient } from '#worker/domains/organisations/notice-recipient';
import type { WorkContext } from '#worker/http/request-context';
import { deliverMail } from '#worker/platform/mail';
import { outboxDone } from '#worker/queue/outbox';
import { switchOffMail } from './switch-off-mail.ts';

/** Nothing is sent to somebody who has left, or about an environment that is gone. @throws mail errors: the queue retries */
export async function sendSwitchOffNotice(ctx: WorkContext, message: SwitchOffNoticeDue): Promise<void> {
  const { db, env, settings, now } = ctx;
  const { outboxId, orgId, environmentId } = message;
  const [to, place] = await Promise.all([
    findRecipient(db, message),
    db
      .select({ environmentName: environment.name })
      .from(environment)
      .where(liveEnvironment(orgId, environmentId))
      .get(),
  ]);
  if (to !== undefined && place !== undefined) {
    const mail = switchOffMail(to, { ...message, ...place }, settings.baseUrl);
    await deliverMail(env, settings, mail, now);
  }
  await outboxDone(db, outboxId);
}
