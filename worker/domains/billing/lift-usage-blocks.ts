/** Lifts usage blocks: when a new month begins, after an upgrade, and on request of platform staff. */
import { asc, lt, sql } from 'drizzle-orm';
import { activeBlockReason } from '#engine/usage/block-reason';
import { monthOf } from '#engine/usage/calendar';
import { organisationBilling } from '#worker/db/schema/billing';
import { commitForReplicas } from '#worker/domains/publishing/commit-for-replicas';
import { notFound } from '#worker/http/api-error';
import type { ActorScope, WorkContext } from '#worker/http/request-context';
import { changeBilling, findBilling } from './billing-store.ts';
import { unblockStatements } from './usage-block.ts';

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
  const statements = unblockStatements(ctx, { orgId, actor: null }, because);
  return (await commitForReplicas(ctx, { orgId }, { isBlocked }, statements)) === null;
}

/** After an upgrade: public keys are no longer capped at a share of the allowance. */
export async function endUsedShare(ctx: WorkContext, orgId: string): Promise<void> {
  const change = changeBilling(ctx.db, orgId, { usedMonthAt: null, usedPercent: null });
  await commitForReplicas(ctx, { orgId }, {}, [change]);
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
  const unmet = await commitForReplicas(ctx, scope, { isBlocked }, [
    ...unblockStatements(ctx, scope, 'lifted-by-staff'),
    changeBilling(ctx.db, orgId, { waivedMonthAt: monthOf(ctx.now) }),
  ]);
  return unmet === null;
}
