/** Opens Stripe's billing portal for invoices, payment methods and cancellation. */
import { ApiError, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { change } from '#worker/queue/change';
import { callStripeForUser } from './billing-account.ts';
import { findBilling } from './billing-store.ts';
import { ensurePortalConfiguration, findPortalConfiguration } from './portal-configuration.ts';

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
      'There are no invoices yet. The billing portal is available after the first upgrade.',
    );
  }
  const { id, url } = await callStripeForUser(ctx, async (stripe) =>
    stripe.billingPortal.sessions.create({
      customer: customerId,
      return_url: `${ctx.settings.baseUrl}/o/${orgId}/billing`,
      ...(await configurationOf(ctx, stripe)),
    }),
  );
  await change(ctx, scope, {
    write: [],
    audit: { action: 'billing.portal-opened', targetId: id },
    publish: [],
  });
  return { redirectToUrl: url };
}

/** Invoices must stay reachable: without a configuration of Tessera's, the account's default is used. */
async function configurationOf(
  ctx: RequestContext,
  stripe: StripeClient,
): Promise<{ readonly configuration?: string }> {
  let configuration = await findPortalConfiguration(ctx, stripe);
  if (configuration === null && ctx.settings.isDevelopment) {
    await ensurePortalConfiguration(stripe);
    configuration = await findPortalConfiguration(ctx, stripe);
  }
  if (configuration !== null) return { configuration };
  ctx.log.error(
    'Stripe has no configuration of the billing portal: publish the lookups under Actions on an organisation’s Settings page',
  );
  return {};
}
