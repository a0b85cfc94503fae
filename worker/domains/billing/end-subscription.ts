/**
 * Ends everything that an organisation could still pay, before it is deleted: open checkouts expire, the usage so far is
 * reported, and its subscriptions are cancelled with a final invoice. The customer stays in Stripe, with its invoices.
 */
import type { WorkContext } from '#worker/http/request-context';
import { isMissing } from '#worker/platform/stripe-error';
import { openBillingAccount } from './billing-account.ts';
import { findBilling } from './billing-store.ts';
import { listUnsettled } from './checkout-store.ts';
import { expireCheckout } from './expire-checkout.ts';
import { publishBillableUsage } from './publish-billable-usage.ts';
import { hasUnsentUsage } from './send-billable-usage.ts';
import { syncSubscription } from './sync-subscription.ts';

/**
 * Repeatable: what has ended already is skipped. Does nothing without a configured Stripe account.
 * @returns false if more usage is to be sent first: call it again
 * @throws errors of Stripe, the event stream or D1, and if usage could not be sent: safe to retry
 */
export async function endSubscription(ctx: WorkContext, orgId: string): Promise<boolean> {
  const row = await findBilling(ctx.db, orgId);
  if (ctx.settings.billing === null || row === null || row.customerId === null) return true;
  const stripe = await openBillingAccount(ctx);
  for (const id of await listUnsettled(ctx.db, orgId)) await expireCheckout(stripe, id);
  const { failed } = await publishBillableUsage(ctx, orgId);
  if (failed > 0) throw new Error(`The usage of ${failed} hours could not be sent to Stripe`);
  if (await hasUnsentUsage(ctx, orgId)) return false;
  try {
    for await (const { id } of stripe.subscriptions.list({ customer: row.customerId })) {
      await stripe.subscriptions.cancel(id, { invoice_now: true, prorate: true });
    }
  } catch (error) {
    // The customer was deleted in Stripe, and its subscriptions with it.
    if (!isMissing(error)) throw error;
  }
  if (row.subscriptionId !== null) await syncSubscription(ctx, orgId, row.subscriptionId);
  return true;
}
