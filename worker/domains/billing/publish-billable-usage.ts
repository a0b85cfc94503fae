/** Counts and sends an organisation's usage immediately instead of hourly, on request of platform staff. */
import { hourOf } from '#engine/usage/calendar';
import type { WorkContext } from '#worker/http/request-context';
import { openBillingAccount } from './billing-account.ts';
import { countBillableUsage } from './count-billable-usage.ts';
import { sendBillableUsage } from './send-billable-usage.ts';

/**
 * @returns the number of hours that Stripe accepted, and of those that failed and will be retried
 * @throws {ApiError} unavailable without an account
 */
export async function publishBillableUsage(
  ctx: WorkContext,
  orgId: string,
): Promise<{ readonly sent: number; readonly failed: number }> {
  await openBillingAccount(ctx);
  await countBillableUsage(ctx, orgId, hourOf(ctx.now), ctx.now);
  return sendBillableUsage(ctx, orgId);
}
