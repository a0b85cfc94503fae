/**
 * Sends one person one mail about the monthly allowance. The message stands in the outbox until the mail is on its way, so
 * it is not lost; one that is delivered again after that finds nothing to do.
 */
import { eq } from 'drizzle-orm';
import { monthOf } from '#engine/usage/calendar';
import { user } from '#worker/db/schema/auth';
import { outbox } from '#worker/db/schema/operations';
import { organization } from '#worker/db/schema/organisations';
import type { WorkContext } from '#worker/http/request-context';
import { deliverMail } from '#worker/platform/mail';
import type { UsageNoticeDue } from '#worker/queue/messages';
import { outboxDone } from '#worker/queue/outbox';
import { usageMail } from './usage-mail.ts';

/** @throws what the sending fails with: the queue tries again */
export async function sendUsageNotice(ctx: WorkContext, message: UsageNoticeDue): Promise<void> {
  const { db, env, settings, now } = ctx;
  const { outboxId, orgId, userId, level, monthAt } = message;
  const waiting = await db.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, outboxId)).get();
  if (waiting === undefined) return;
  const [person, organisation] = await Promise.all([
    db
      .select({ name: user.name, email: user.email, enabled: user.enabled })
      .from(user)
      .where(eq(user.id, userId))
      .get(),
    db.select({ name: organization.name }).from(organization).where(eq(organization.id, orgId)).get(),
  ]);
  const isOfUse = monthAt === monthOf(now);
  if (isOfUse && person?.enabled && organisation !== undefined) {
    const mail = usageMail(person, { id: orgId, name: organisation.name }, level, monthAt, settings.baseUrl);
    await deliverMail(env, settings, mail, now);
  }
  await outboxDone(db, outboxId);
}
