/** Opens Stripe's billing portal, where invoices, cards and the end of a subscription are seen to. */
import { auditRow } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { ApiError, notFound } from '#worker/http/api-error';
import type { Caller, RequestContext, Scope } from '#worker/http/request-context';
import { askForPerson } from './billing-account.ts';
import { findBilling } from './billing-store.ts';

/** @throws {ApiError} conflict for an organisation that Stripe does not know; unavailable without Stripe */
export async function openPortal(
  ctx: RequestContext,
  caller: Caller,
  { orgId }: Scope,
): Promise<{ redirectToUrl: string }> {
  const row = await findBilling(ctx.db, orgId);
  if (row === null) throw notFound('The organisation');
  const { customerId } = row;
  if (customerId === null) {
    throw new ApiError(
      'conflict',
      'There are no invoices yet: the billing portal opens with the first upgrade.',
    );
  }
  const { id, url } = await askForPerson(ctx, (stripe) =>
    stripe.billingPortal.sessions.create({
      customer: customerId,
      return_url: `${ctx.settings.baseUrl}/o/${orgId}/billing`,
    }),
  );
  await commit(ctx.db, [
    auditRow(ctx, { orgId, actorUserId: caller.userId, action: 'billing.portal-opened', targetId: id }),
  ]);
  return { redirectToUrl: url };
}
