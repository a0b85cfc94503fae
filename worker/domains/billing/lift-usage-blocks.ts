/** Ends usage blocks: of months that are over, and where platform staff say so. */
import { asc, lt, sql } from 'drizzle-orm';
import { monthOf } from '#engine/usage/calendar';
import { organisationBilling } from '#worker/db/schema/billing';
import { commitForReplicas } from '#worker/domains/artifacts/commit-for-replicas';
import { notFound } from '#worker/http/api-error';
import type { WorkContext } from '#worker/http/request-context';
import { changeBilling, findBilling } from './billing-store.ts';
import { unblockStatements } from './usage-block.ts';

const MAX_PER_RUN = 50;

/**
 * A new month has a new allowance. Bounded: what is left comes with the next run.
 * @returns how many blocks ended
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
      log.error('a usage block could not be ended', { orgId, error });
    }
  }
  return ended;
}

/**
 * @param monthAt the month whose block it is
 * @returns false where it was lifted already
 */
export async function liftUsageBlock(
  ctx: WorkContext,
  orgId: string,
  monthAt: number,
  because: 'upgraded' | 'month-began',
): Promise<boolean> {
  const isBlocked = sql`(SELECT blocked_month_at FROM ${organisationBilling} WHERE org_id = ${orgId}) = ${monthAt}`;
  const statements = unblockStatements(ctx, orgId, because);
  return (await commitForReplicas(ctx, { orgId }, { isBlocked }, statements)) === null;
}

/**
 * By the hand of platform staff: checks are answered again, for the rest of the month whatever is used.
 * @returns whether there was a block
 * @throws {ApiError} not-found
 */
export async function clearUsageBlocks(
  ctx: WorkContext,
  orgId: string,
  actorUserId: string | null = null,
): Promise<boolean> {
  const row = await findBilling(ctx.db, orgId);
  if (row === null) throw notFound('The organisation');
  if (row.blockReason === null) return false;
  const isBlocked = sql`(SELECT block_reason FROM organization WHERE id = ${orgId}) IS NOT NULL`;
  const unmet = await commitForReplicas(ctx, { orgId }, { isBlocked }, [
    ...unblockStatements(ctx, orgId, 'lifted-by-staff', actorUserId),
    changeBilling(ctx.db, orgId, { waivedMonthAt: monthOf(ctx.now) }),
  ]);
  return unmet === null;
}
