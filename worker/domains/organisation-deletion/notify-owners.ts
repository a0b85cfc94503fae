/** Mails to all owners about the deletion, committed with the change that they report. */
import { eq } from 'drizzle-orm';
import type { DeletionNotice, DeletionNoticeDue } from '#runtime/messages';
import { outbox } from '#worker/db/schema/operations';
import { listOwners } from '#worker/domains/organisations/list-administrators';
import type { Scope, WorkContext } from '#worker/http/request-context';
import { deliverMail } from '#worker/platform/mail';
import type { Publish } from '#worker/queue/change';
import { outboxDone } from '#worker/queue/outbox';
import { deletionNoticeMail } from './deletion-mail.ts';

/** A mail to each owner, committed with the change. */
export function noticesToOwners(scope: Scope, notice: DeletionNotice): Publish {
  return async ({ db, newId }) => {
    const owners = await listOwners(db, scope);
    const messages = owners.map((to): DeletionNoticeDue => {
      return {
        type: 'organisation.deletion-notice-due',
        outboxId: newId('out'),
        orgId: scope.orgId,
        to,
        ...notice,
      };
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
