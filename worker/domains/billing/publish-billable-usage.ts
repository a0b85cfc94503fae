/** Counts and sends an organisation's usage at once, rather than with the hour: by the hand of platform staff. */
import { hourOf } from '#engine/usage/calendar';
import type { WorkContext } from '#worker/http/request-context';
import { openBillingAccount } from './billing-account.ts';
import { countBillableUsage } from './count-billable-usage.ts';
import { sendBillableUsage } from './send-billable-usage.ts';

/**
 * @returns how many hours' usage Stripe took and how many it did not, which are tried again by themselves
 * @throws {ApiError} unavailable where there is no account
 */
export async function publishBillableUsage(
  ctx: WorkContext,
  orgId: string,
): Promise<{ readonly sent: number; readonly failed: number }> {
  await openBillingAccount(ctx);
  await countBillableUsage(ctx, orgId, hourOf(ctx.now), ctx.now);
  return sendBillableUsage(ctx, orgId);
}
