/**
 * Consumer of usage.level-passed: public keys are refused at their share of the monthly allowance. At 80% members get a
 * notice, at 100% a notice and the organisation a usage block. The event stream repeats the message until it is acknowledged; each notice is sent once
 * a month and the block is set once.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { activeBlockReason } from '#engine/usage/block-reason';
import { monthOf } from '#engine/usage/calendar';
import { currentGrace } from '#engine/usage/grace-period';
import { type UsageLevel, usageLevelOf, usedPercentOf } from '#engine/usage/usage-level';
import type { UsageLevelPassed, UsageNoticeDue } from '#runtime/messages';
import type { Statement } from '#worker/db/database';
import { usageNotice } from '#worker/db/schema/billing';
import { acknowledgeLevel } from '#worker/domains/events/instruct-stream';
import { listAdministrators } from '#worker/domains/organisations/list-administrators';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import type { WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { type BillingRow, changeBilling, findBilling, isOnPlan, isRevision } from './billing-store.ts';
import { blockUsage } from './usage-block.ts';

const MAX_TRIES = 5;

/** @throws errors of D1 or the event stream: the queue retries */
export async function settleUsage(ctx: WorkContext, message: UsageLevelPassed): Promise<void> {
  const { orgId, monthAt, level, total } = message;
  // A past month has no consequences.
  if (monthAt === monthOf(ctx.now)) await settleTotal(ctx, orgId, total);
  await acknowledgeLevel(ctx, { orgId }, monthAt, level);
}

/** Does nothing during a grace period: the schedule calls it again at its end. @param total API calls of this month so far */
export async function settleTotal(ctx: WorkContext, orgId: string, total: number): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const row = await findBilling(ctx.db, orgId);
    if (row === null || currentGrace(row, ctx.now) !== null) return;
    if (!(await commitUsedPercent(ctx, row, total))) continue;
    const { level } = usageLevelOf(row.plan, total);
    if (level === 'within') return;
    if (await commitLevel(ctx, row, level, total)) return;
  }
  throw new Error('The organisation changes faster than its usage can be settled');
}

/**
 * Publishes the used share, which public keys are capped at. It only rises within a month.
 * @returns false after a concurrent change
 */
async function commitUsedPercent(ctx: WorkContext, row: BillingRow, total: number): Promise<boolean> {
  const { orgId, plan } = row;
  const monthAt = monthOf(ctx.now);
  const usedPercent = usedPercentOf(plan, total);
  const before = row.usedMonthAt === monthAt ? (row.usedPercent ?? 0) : 0;
  if (usedPercent <= before || row.waivedMonthAt === monthAt) return true;
  const scope = { orgId, actor: null };
  const { unmet } = await change(ctx, scope, {
    when: { isOnPlan: isOnPlan(orgId, plan), isUnchanged: isRevision(row) },
    write: [changeBilling(ctx.db, orgId, { usedMonthAt: monthAt, usedPercent })],
    audit: null,
    publish: [everyEnvironmentOf(scope)],
  });
  return unmet === null;
}

/** @returns false after a concurrent change */
async function commitLevel(
  ctx: WorkContext,
  row: BillingRow,
  level: UsageLevel,
  total: number,
): Promise<boolean> {
  const { orgId } = row;
  const monthAt = monthOf(ctx.now);
  // A block of a past month refuses nobody, and is replaced by this month's.
  const isBlocked = activeBlockReason(row.blockReason, row.blockedMonthAt, ctx.now) !== null;
  const mustBlock = level === 'reached' && !isBlocked && row.waivedMonthAt !== monthAt;
  const notice = await newNotice(ctx, orgId, level, total);
  if (!mustBlock && notice === null) return true;

  const scope = { orgId, actor: null };
  const block = mustBlock ? blockUsage(ctx.db, scope, monthAt) : { write: [], audit: null };
  const { unmet } = await change(ctx, scope, {
    when: {
      isOnPlan: isOnPlan(orgId, row.plan),
      isWithoutGrace: isWithoutGrace(orgId, ctx.now),
      isNew: notice?.isNew ?? sql`TRUE`,
      isUnblocked: mustBlock ? isUnblockedIn(orgId, monthAt) : sql`TRUE`,
    },
    write: [...(notice?.statements ?? []), ...block.write],
    audit: block.audit,
    publish: [{ messages: notice?.mails ?? [] }, ...(mustBlock ? [everyEnvironmentOf(scope)] : [])],
  });
  return unmet === null;
}

/** Condition: no block, or one of an earlier month. */
function isUnblockedIn(orgId: string, monthAt: number): SQL {
  const reason = sql`(SELECT block_reason FROM organization WHERE id = ${orgId})`;
  const blockedMonthAt = sql`(SELECT blocked_month_at FROM organisation_billing WHERE org_id = ${orgId})`;
  return sql`(${reason} IS NULL OR coalesce(${blockedMonthAt} < ${monthAt}, FALSE))`;
}

/** Condition: no grace period has begun since. */
function isWithoutGrace(orgId: string, now: number): SQL {
  return sql`ifnull((SELECT grace_until FROM organisation_billing WHERE org_id = ${orgId}), 0) <= ${now}`;
}

interface NewNotice {
  readonly isNew: SQL;
  readonly statements: readonly Statement[];
  readonly mails: readonly UsageNoticeDue[];
}

/** Null: already sent. The notice at 100% also marks the one at 80% as sent. */
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
  const recipients = await listAdministrators(db, { orgId });
  const mails = recipients.map(({ userId }): UsageNoticeDue => {
    return { type: 'usage.notice-due', outboxId: ctx.newId('out'), orgId, userId, level, monthAt };
  });
  const levels: readonly UsageLevel[] = level === 'reached' ? ['near', 'reached'] : ['near'];
  return {
    isNew: sql`NOT EXISTS (SELECT 1 FROM ${usageNotice} WHERE ${isIt})`,
    statements: levels.map((each) =>
      db
        .insert(usageNotice)
        .values({ orgId, monthAt, level: each, total, createdAt: now })
        .onConflictDoNothing(),
    ),
    mails,
  };
}
