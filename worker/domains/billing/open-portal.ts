/** Opens Stripe's billing portal for invoices, payment methods and cancellation. */
import { auditRow } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { ApiError, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { callStripeForUser } from './billing-account.ts';
import { findBilling } from './billing-store.ts';

/** @throws {ApiError} conflict without a Stripe customer; unavailable without Stripe */
export async function openPortal(
  ctx: RequestContext,
  scope: MemberScope,
): Promise<{ redirectToUrl: string }> {
  const { orgId } = scope;
  const row = await findBilling(ctx.db, orgId);
  if (row === null) throw notFound('The organisation');
  const { customerId } = row;
  if (customerId === null) {
    throw new ApiError(
      'conflict',
      'There are no invoices yet: the billing portal opens with the first upgrade.',
    );
  }
  const { id, url } = await callStripeForUser(ctx, (stripe) =>
    stripe.billingPortal.sessions.create({
      customer: customerId,
      return_url: `${ctx.settings.baseUrl}/o/${orgId}/billing`,
    }),
  );
  await commit(ctx.db, [auditRow(ctx, scope, { action: 'billing.portal-opened', targetId: id })]);
  return { redirectToUrl: url };
}
