/**
 * The return page of a checkout. It has no session, so its calls are limited per client network, and only ids that Tessera
 * has issued reach Stripe.
 */
import { rateLimited } from '#worker/http/api-error';
import { clientNetwork } from '#worker/http/client-network';
import type { RequestContext } from '#worker/http/request-context';
import { callStripeForUser, openBillingAccount } from './billing-account.ts';
import { isOpenedCheckout } from './checkout-store.ts';
import { type Fulfilment, fulfilCheckout, NOT_OURS } from './fulfil-checkout.ts';

/** The period of CHECKOUT_RETURN_LIMIT in wrangler.toml. */
const LIMIT_PERIOD_S = 60;

/** @throws {ApiError} rate-limited; unavailable without Stripe */
export async function returnFromCheckout(ctx: RequestContext, sessionId: string): Promise<Fulfilment> {
  const { success } = await ctx.env.CHECKOUT_RETURN_LIMIT.limit({ key: clientNetwork(ctx.request) });
  if (!success) {
    throw rateLimited('Too many requests from this network. Please try again in a minute.', LIMIT_PERIOD_S);
  }
  await openBillingAccount(ctx);
  if (!(await isOpenedCheckout(ctx.db, sessionId))) return NOT_OURS;
  return callStripeForUser(ctx, () => fulfilCheckout(ctx, sessionId));
}
