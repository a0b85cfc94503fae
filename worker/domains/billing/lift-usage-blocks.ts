/** Lifts usage blocks: when a new month begins, after an upgrade, and on request of platform staff. */
import { asc, lt, sql } from 'drizzle-orm';
import { activeBlockReason } from '#engine/usage/block-reason';
import { monthOf } from '#engine/usage/calendar';
import { organisationBilling } from '#worker/db/schema/billing';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import { notFound } from '#worker/http/api-error';
import type { ActorScope, WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { changeBilling, findBilling } from './billing-store.ts';
import { unblockUsage } from './usage-block.ts';

/** Keeps the queries of one run far below the platform's limit. Blocks of past months refuse nobody, so none is waited for. */
const MAX_PER_RUN = 50;

/**
 * Tidies up the blocks of past months, oldest first. Bounded per run; the next run continues.
 * @returns the number of lifted blocks
 */
export async function endBlocksOfPastMonths(ctx: WorkContext): Promise<number> {
  const { db, now, log } = ctx;
  const due = await db
    .select({ orgId: organisationBilling.orgId, monthAt: organisationBilling.blockedMonthAt })
    .from(organisationBilling)
    .where(lt(organisationBilling.blockedMonthAt, monthOf(now)))
    .orderBy(asc(organisationBilling.blockedMonthAt))
    .limit(MAX_PER_RUN);
  let ended = 0;
  for (const { orgId, monthAt } of due) {
    try {
      if (monthAt !== null && (await liftUsageBlock(ctx, orgId, monthAt, 'month-began'))) ended += 1;
    } catch (error) {
      log.error('usage block could not be lifted', { orgId, error });
    }
  }
  return ended;
}

/**
 * @param monthAt the month of the block
 * @returns false if it was already lifted
 */
export async function liftUsageBlock(
  ctx: WorkContext,
  orgId: string,
  monthAt: number,
  because: 'upgraded' | 'month-began',
): Promise<boolean> {
  const isBlocked = sql`(SELECT blocked_month_at FROM ${organisationBilling} WHERE org_id = ${orgId}) = ${monthAt}`;
  const scope = { orgId, actor: null };
  const { unmet } = await change(ctx, scope, {
    when: { isBlocked },
    ...unblockUsage(ctx.db, scope, because),
    publish: [everyEnvironmentOf(scope)],
  });
  return unmet === null;
}

/** After an upgrade: public keys are no longer capped at a share of the allowance. */
export async function endUsedShare(ctx: WorkContext, orgId: string): Promise<void> {
  const scope = { orgId, actor: null };
  await change(ctx, scope, {
    write: [changeBilling(ctx.db, orgId, { usedMonthAt: null, usedPercent: null })],
    audit: null,
    publish: [everyEnvironmentOf(scope)],
  });
}

/**
 * By platform staff: unblocks access checks, and waives the allowance for the rest of the month. A block of a past month is
 * tidied up, and the new month's allowance applies.
 * @returns whether anything was blocked
 * @throws {ApiError} not-found
 */
export async function clearUsageBlocks(ctx: WorkContext, scope: ActorScope): Promise<boolean> {
  const { orgId } = scope;
  const row = await findBilling(ctx.db, orgId);
  if (row === null) throw notFound('The organisation');
  const { blockReason, blockedMonthAt } = row;
  if (activeBlockReason(blockReason, blockedMonthAt, ctx.now) === null) {
    if (blockedMonthAt !== null) await liftUsageBlock(ctx, orgId, blockedMonthAt, 'month-began');
    return false;
  }
  const isBlocked = sql`(SELECT block_reason FROM organization WHERE id = ${orgId}) IS NOT NULL`;
  const { write, audit } = unblockUsage(ctx.db, scope, 'lifted-by-staff');
  const { unmet } = await change(ctx, scope, {
    when: { isBlocked },
    write: [...write, changeBilling(ctx.db, orgId, { waivedMonthAt: monthOf(ctx.now) })],
    audit,
    publish: [everyEnvironmentOf(scope)],
  });
  return unmet === null;
}
