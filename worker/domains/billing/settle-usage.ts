/**
 * What follows when a month's API calls pass a level: at 80 % of the allowance a notice, at 100 % a notice and the usage
 * block. The event stream says so until it is acknowledged; each notice is given once a month, the block set once.
 */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { monthOf } from '#engine/usage/calendar';
import { type UsageLevel, usageStanding } from '#engine/usage/usage-standing';
import { commitIf } from '#worker/db/commit-if';
import type { Statement } from '#worker/db/database';
import { user } from '#worker/db/schema/auth';
import { usageNotice } from '#worker/db/schema/billing';
import { member } from '#worker/db/schema/organisations';
import { commitForReplicas } from '#worker/domains/artifacts/commit-for-replicas';
import { openEventStream } from '#worker/domains/events/open-event-stream';
import type { WorkContext } from '#worker/http/request-context';
import type { UsageLevelPassed, UsageNoticeDue } from '#worker/queue/messages';
import { outboxRow } from '#worker/queue/outbox';
import { sendMessage } from '#worker/queue/send-message';
import { type BillingRow, findBilling, isOnPlan } from './billing-store.ts';
import { blockStatements } from './usage-block.ts';

const MAX_TRIES = 5;

/** @throws what D1 or the event stream fail with: the message is delivered again */
export async function settleUsage(ctx: WorkContext, message: UsageLevelPassed): Promise<void> {
  const { orgId, monthAt, level, total } = message;
  // Of a month that is over nothing follows any more.
  if (monthAt === monthOf(ctx.now)) await settleTotal(ctx, orgId, total);
  const stream = await openEventStream(ctx, { orgId });
  await stream.acknowledgeLevel(monthAt, level);
}

/** @param total API calls of this month so far */
export async function settleTotal(ctx: WorkContext, orgId: string, total: number): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const row = await findBilling(ctx.db, orgId);
    if (row === null) return;
    const { standing } = usageStanding(row.plan, total);
    if (standing === 'within') return;
    if (await commitLevel(ctx, row, standing, total)) return;
  }
  throw new Error('The organisation changes faster than its usage can be settled');
}

/** @returns false where something changed meanwhile */
async function commitLevel(
  ctx: WorkContext,
  row: BillingRow,
  level: UsageLevel,
  total: number,
): Promise<boolean> {
  const { orgId } = row;
  const monthAt = monthOf(ctx.now);
  const mustBlock = level === 'reached' && row.blockReason === null && row.waivedMonthAt !== monthAt;
  const notice = await newNotice(ctx, orgId, level, total);
  if (!mustBlock && notice === null) return true;

  const conditions: Record<string, SQL> = {
    isOnPlan: isOnPlan(orgId, row.plan),
    ...(notice === null ? {} : { isNew: notice.isNew }),
    ...(mustBlock
      ? { isUnblocked: sql`(SELECT block_reason FROM organization WHERE id = ${orgId}) IS NULL` }
      : {}),
  };
  const statements = notice?.statements ?? [];
  const unmet = mustBlock
    ? await commitForReplicas(ctx, { orgId }, conditions, [
        ...statements,
        ...blockStatements(ctx, orgId, monthAt),
      ])
    : await commitIf(ctx.db, conditions, statements);
  if (unmet !== null) return false;
  for (const mail of notice?.mails ?? []) ctx.waitUntil(sendMessage(ctx.env, mail));
  return true;
}

interface NewNotice {
  readonly isNew: SQL;
  readonly statements: readonly Statement[];
  readonly mails: readonly UsageNoticeDue[];
}

/** Null: it was given already. Whoever is told of the whole allowance need not be told of most of it afterwards. */
async function newNotice(
  ctx: WorkContext,
  orgId: string,
  level: UsageLevel,
  total: number,
): Promise<NewNotice | null> {
  const { db, now } = ctx;
  const monthAt = monthOf(now);
  const isIt = and(
    eq(usageNotice.orgId, orgId),
    eq(usageNotice.monthAt, monthAt),
    eq(usageNotice.level, level),
  );
  if ((await db.select({ level: usageNotice.level }).from(usageNotice).where(isIt).get()) !== undefined)
    return null;
  const recipients = await whoDecides(ctx, orgId);
  const mails = recipients.map(({ userId }): UsageNoticeDue => {
    return { type: 'usage.notice-due', outboxId: ctx.newId('out'), orgId, userId, level, monthAt };
  });
  const levels: readonly UsageLevel[] = level === 'reached' ? ['near', 'reached'] : ['near'];
  return {
    isNew: sql`NOT EXISTS (SELECT 1 FROM ${usageNotice} WHERE ${isIt})`,
    statements: [
      ...levels.map((each) =>
        db
          .insert(usageNotice)
          .values({ orgId, monthAt, level: each, total, createdAt: now })
          .onConflictDoNothing(),
      ),
      ...mails.map((mail) => outboxRow(db, mail, now)),
    ],
    mails,
  };
}

/** Owners and admins: whoever may change the plan. */
function whoDecides({ db }: WorkContext, orgId: string): Promise<{ userId: string }[]> {
  return db
    .select({ userId: member.userId })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(
      and(eq(member.organizationId, orgId), inArray(member.role, ['owner', 'admin']), eq(user.enabled, true)),
    )
    .orderBy(member.userId);
}
