/** Mails to all owners about the deletion, committed with the change that they report. */
import { and, eq } from 'drizzle-orm';
import type { DeletionNotice, DeletionNoticeDue } from '#runtime/messages';
import { user } from '#worker/db/schema/auth';
import { outbox } from '#worker/db/schema/operations';
import { member } from '#worker/db/schema/organisations';
import type { Scope, WorkContext } from '#worker/http/request-context';
import { deliverMail } from '#worker/platform/mail';
import type { Publish } from '#worker/queue/change';
import { outboxDone } from '#worker/queue/outbox';
import { deletionNoticeMail } from './deletion-mail.ts';

/** A mail to each owner, committed with the change. */
export function noticesToOwners({ orgId }: Scope, notice: DeletionNotice): Publish {
  return async ({ db, newId }) => {
    const owners = await db
      .select({ email: user.email, name: user.name })
      .from(member)
      .innerJoin(user, eq(user.id, member.userId))
      .where(and(eq(member.organizationId, orgId), eq(member.role, 'owner'), eq(user.enabled, true)));
    const messages = owners.map((to): DeletionNoticeDue => {
      return { type: 'organisation.deletion-notice-due', outboxId: newId('out'), orgId, to, ...notice };
    });
    return { messages };
  };
}

/**
 * Consumer of organisation.deletion-notice-due. The outbox row is deleted after sending, so a mail is not lost and a redelivered
 * message does nothing.
 * @throws mail errors: the queue retries
 */
export async function sendDeletionNotice(ctx: WorkContext, message: DeletionNoticeDue): Promise<void> {
  const { db, env, settings, now } = ctx;
  const isPending = eq(outbox.id, message.outboxId);
  if ((await db.select({ id: outbox.id }).from(outbox).where(isPending).get()) === undefined) return;
  await deliverMail(env, settings, deletionNoticeMail(message, settings.baseUrl), now);
  await outboxDone(db, message.outboxId);
}
