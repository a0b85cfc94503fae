/** Reads from Stripe what an organisation's next invoice would be. The billing page works without it. */
import type { z } from 'zod';
import type { nextInvoiceSchema } from '#contracts/console/billing';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { isMissing } from '#worker/platform/stripe-error';
import { callStripeForUser } from './billing-account.ts';
import { findBilling } from './billing-store.ts';

/** @throws {ApiError} not-found; unavailable without Stripe */
export async function previewInvoice(
  ctx: RequestContext,
  { orgId }: Scope,
): Promise<z.output<typeof nextInvoiceSchema>> {
  const row = await findBilling(ctx.db, orgId);
  if (row === null) throw notFound('The organisation');
  const { subscriptionId: subscription } = row;
  if (subscription === null) return { invoice: null };
  return callStripeForUser(ctx, async (stripe) => {
    try {
      const { total, currency } = await stripe.invoices.createPreview({ subscription });
      return { invoice: { totalMinor: total, currency } };
    } catch (error) {
      // Stripe answers 404 where nothing more is invoiced.
      if (isMissing(error)) return { invoice: null };
      throw error;
    }
  });
}
