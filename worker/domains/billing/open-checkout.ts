/**
 * Opens Stripe's checkout for the Grow plan. An open session is reused and a paid one is applied, so that nobody buys
 * two subscriptions.
 */
import type { SubscriptionStatus } from '#contracts/console/billing';
import { auditRow } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { ApiError, notFound } from '#worker/http/api-error';
import type { Caller, MemberScope, RequestContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { isMissing, isStripeError } from '#worker/platform/stripe-error';
import { callStripeForUser } from './billing-account.ts';
import { type BillingRow, changeBilling, findBilling } from './billing-store.ts';
import { recordCheckout } from './checkout-store.ts';
import { createOnce } from './create-once.ts';
import { ensureCustomer } from './ensure-customer.ts';
import { findPrices } from './find-prices.ts';
import { fulfilCheckout } from './fulfil-checkout.ts';

/** Neither granting nor ended: paying the open invoice in the portal reactivates the subscription. */
const UNSETTLED: ReadonlySet<SubscriptionStatus> = new Set(['unpaid', 'paused']);
/** A session that expires sooner is not reused. */
const MIN_OPEN_MS = 5 * 60_000;

interface OpenSession {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: number;
}

/** @throws {ApiError} conflict on grow, or with a subscription to settle; unavailable without Stripe */
export async function openCheckout(
  ctx: RequestContext,
  scope: MemberScope,
): Promise<{ redirectToUrl: string }> {
  const { orgId } = scope;
  const row = await findBilling(ctx.db, orgId);
  if (row === null) throw notFound('The organisation');
  if (row.plan === 'grow') throw isOnGrow();
  if (row.subscriptionStatus !== null && UNSETTLED.has(row.subscriptionStatus)) {
    throw new ApiError(
      'conflict',
      'There is a Grow subscription with an open invoice. Settle it in the billing portal, and the plan is back.',
    );
  }
  const { redirectToUrl } = await callStripeForUser(ctx, async (stripe) => {
    const existing = await findOpen(ctx, stripe, row);
    if (existing === null && (await isPaid(ctx, row))) throw isOnGrow();
    const open = existing ?? (await create(ctx, stripe, row, scope.actor));
    await commit(ctx.db, [
      changeBilling(ctx.db, orgId, { checkoutSessionId: open.id, checkoutExpiresAt: open.expiresAt }),
      recordCheckout(ctx, { orgId, ...open }),
      auditRow(ctx, scope, {
        action: 'billing.checkout-opened',
        targetId: open.id,
        detail: { plan: 'grow' },
      }),
    ]);
    return { redirectToUrl: open.url };
  });
  return { redirectToUrl };
}

function isOnGrow(): ApiError {
  return new ApiError('conflict', 'The organisation is on the Grow plan already');
}

/** Applies the last checkout if it was paid, although neither the return page nor the webhook has reported it. */
async function isPaid(ctx: RequestContext, { checkoutSessionId }: BillingRow): Promise<boolean> {
  return checkoutSessionId !== null && (await fulfilCheckout(ctx, checkoutSessionId)).success;
}

async function findOpen(
  { now }: RequestContext,
  stripe: StripeClient,
  { checkoutSessionId, checkoutExpiresAt }: BillingRow,
): Promise<OpenSession | null> {
  if (checkoutSessionId === null || (checkoutExpiresAt ?? 0) < now + MIN_OPEN_MS) return null;
  try {
    const { id, status, url, expires_at } = await stripe.checkout.sessions.retrieve(checkoutSessionId);
    return status === 'open' && url !== null ? { id, url, expiresAt: expires_at * 1000 } : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function create(
  ctx: RequestContext,
  stripe: StripeClient,
  row: BillingRow,
  caller: Caller,
): Promise<OpenSession> {
  const customer = await ensureCustomer(ctx, stripe, row, caller);
  try {
    return await createFor(ctx, stripe, row, customer);
  } catch (error) {
    if (!isStripeError(error) || !isMissing(error) || error.param !== 'customer') throw error;
    return createFor(ctx, stripe, row, await ensureCustomer(ctx, stripe, row, caller, customer));
  }
}

async function createFor(
  ctx: RequestContext,
  stripe: StripeClient,
  { orgId, checkoutSessionId }: BillingRow,
  customer: string,
): Promise<OpenSession> {
  const { baseUrl } = ctx.settings;
  const prices = await findPrices(ctx, stripe);
  const metadata = { orgId, plan: 'grow' };
  const { id, url, expires_at } = await createOnce(
    // Contains the previous session's id, so that concurrent callers get the same new session.
    `tessera-checkout:${customer}:${checkoutSessionId ?? 'first'}:${prices.base}`,
    (options) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          line_items: [{ price: prices.base, quantity: 1 }, { price: prices.usage }],
          client_reference_id: orgId,
          metadata,
          subscription_data: { metadata },
          success_url: `${baseUrl}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
          cancel_url: `${baseUrl}/o/${orgId}/payment-canceled`,
        },
        options,
      ),
  );
  if (url === null) throw new Error('Stripe created a checkout session without a URL');
  return { id, url, expiresAt: expires_at * 1000 };
}
