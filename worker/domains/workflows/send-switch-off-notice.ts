/**
 * Consumer of workflow.switch-off-notice-due: sends one owner or admin the mail. The outbox row is deleted after sending, so a mail is
 * not lost and a redelivered message does nothing.
 */
import { and, eq } from 'drizzle-orm';
import type { SwitchOffNoticeDue } from '#runtime/messages';
import { liveEnvironment } from '#worker/db/live-environments';
import { user } from '#worker/db/schema/auth';
import { environment } from '#worker/db/schema/environments';
import { outbox } from '#worker/db/schema/operations';
import { member, organization } from '#worker/db/schema/organisations';
import type { WorkContext } from '#worker/http/request-context';
import { deliverMail } from '#worker/platform/mail';
import { outboxDone } from '#worker/queue/outbox';
import { switchOffMail } from './switch-off-mail.ts';

/** Nothing is sent to somebody who has left, or about an environment that is gone. @throws mail errors: the queue retries */
export async function sendSwitchOffNotice(ctx: WorkContext, message: SwitchOffNoticeDue): Promise<void> {
  const { db, env, settings, now } = ctx;
  const { outboxId, orgId, userId, environmentId } = message;
  const pending = await db.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, outboxId)).get();
  if (pending === undefined) return;
  const [recipient, place] = await Promise.all([
    db
      .select({ name: user.name, email: user.email })
      .from(user)
      .innerJoin(member, and(eq(member.userId, user.id), eq(member.organizationId, orgId)))
      .where(and(eq(user.id, userId), eq(user.enabled, true)))
      .get(),
    db
      .select({ environmentName: environment.name, organisationName: organization.name })
      .from(environment)
      .innerJoin(organization, eq(organization.id, environment.orgId))
      .where(liveEnvironment(orgId, environmentId))
      .get(),
  ]);
  if (recipient !== undefined && place !== undefined) {
    await deliverMail(
      env,
      settings,
      switchOffMail(recipient, { ...message, ...place }, settings.baseUrl),
      now,
    );
  }
  await outboxDone(db, outboxId);
}
