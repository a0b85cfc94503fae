/**
 * Consumer of usage.notice-due: sends one member one mail about the monthly allowance. The outbox row is deleted
 * after sending, so a mail is not lost and a redelivered message does nothing.
 */
import { eq } from 'drizzle-orm';
import { monthOf } from '#engine/usage/calendar';
import type { UsageNoticeDue } from '#runtime/messages';
import { user } from '#worker/db/schema/auth';
import { outbox } from '#worker/db/schema/operations';
import { organization } from '#worker/db/schema/organisations';
import type { WorkContext } from '#worker/http/request-context';
import { deliverMail } from '#worker/platform/mail';
import { outboxDone } from '#worker/queue/outbox';
import { usageMail } from './usage-mail.ts';

/** @throws mail errors: the queue retries */
export async function sendUsageNotice(ctx: WorkContext, message: UsageNoticeDue): Promise<void> {
  const { db, env, settings, now } = ctx;
  const { outboxId, orgId, userId, level, monthAt } = message;
  const pending = await db.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, outboxId)).get();
  if (pending === undefined) return;
  const [recipient, organisation] = await Promise.all([
    db
      .select({ name: user.name, email: user.email, enabled: user.enabled })
      .from(user)
      .where(eq(user.id, userId))
      .get(),
    db.select({ name: organization.name }).from(organization).where(eq(organization.id, orgId)).get(),
  ]);
  const isCurrentMonth = monthAt === monthOf(now);
  if (isCurrentMonth && recipient?.enabled && organisation !== undefined) {
    const mail = usageMail(
      recipient,
      { id: orgId, name: organisation.name },
      level,
      monthAt,
      settings.baseUrl,
    );
    await deliverMail(env, settings, mail, now);
  }
  await outboxDone(db, outboxId);
}
