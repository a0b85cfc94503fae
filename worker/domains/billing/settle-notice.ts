/**
 * Mails owners and admins when the state of their organisation's subscription changes. The state and its mails are committed together,
 * so that each change is mailed about once, whoever reads it first and however often.
 */
import { and, eq, isNotNull } from 'drizzle-orm';
import { noticeKeyOf } from '#engine/usage/billing-notice';
import type { BillingNoticeDue } from '#runtime/messages';
import { organisationDeletion } from '#worker/db/schema/organisation-deletions';
import { listAdministrators } from '#worker/domains/organisations/list-administrators';
import type { WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { changeBilling, findBilling, isRevision } from './billing-store.ts';

const MAX_TRIES = 5;

/** Call it after a change of the stored subscription or plan, and from time to time. */
export async function settleNotice(ctx: WorkContext, orgId: string): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const row = await findBilling(ctx.db, orgId);
    if (row === null) return;
    const notice = noticeKeyOf(row, ctx.now);
    if (notice === row.notice) return;
    const messages = notice === null ? [] : await mailsOf(ctx, orgId, notice);
    const { unmet } = await change(
      ctx,
      { orgId, actor: null },
      {
        when: { isAsRead: isRevision(row) },
        write: [changeBilling(ctx.db, orgId, { notice })],
        audit: null,
        publish: [{ messages }],
      },
    );
    if (unmet === null) return;
  }
  throw new Error('The subscription changes faster than its notices can be settled');
}

/** Nobody needs to know that an organisation's subscription ends with the organisation. */
async function mailsOf(ctx: WorkContext, orgId: string, notice: string): Promise<BillingNoticeDue[]> {
  const isBeingDeleted = and(
    eq(organisationDeletion.orgId, orgId),
    isNotNull(organisationDeletion.startedAt),
  );
  if ((await ctx.db.$count(organisationDeletion, isBeingDeleted)) > 0) return [];
  const recipients = await listAdministrators(ctx.db, { orgId });
  return recipients.map(({ userId }) => ({
    type: 'billing.notice-due',
    outboxId: ctx.newId('out'),
    orgId,
    userId,
    notice,
  }));
}
