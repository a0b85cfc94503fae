/**
 * Opens Stripe's checkout of the Grow plan. As long as one can still be paid the same one is opened again, and one that was
 * paid is put into force instead, so that nobody buys two subscriptions.
 */
import type { SubscriptionStatus } from '#contracts/billing';
import { auditRow } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { ApiError, notFound } from '#worker/http/api-error';
import type { Caller, RequestContext, Scope } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { isMissing, isStripeError } from '#worker/platform/stripe-error';
import { askForPerson } from './billing-account.ts';
import { type BillingRow, changeBilling, findBilling } from './billing-store.ts';
import { ensureCustomer } from './ensure-customer.ts';
import { findPrices } from './find-prices.ts';
import { fulfilCheckout } from './fulfil-checkout.ts';
import { onceFree } from './once-free.ts';

/** Not in force, and not over: what is owed is paid in the portal, and then it goes on. */
const UNSETTLED: ReadonlySet<SubscriptionStatus> = new Set(['unpaid', 'paused']);
/** One that expires sooner is not opened again. */
const MIN_OPEN_MS = 5 * 60_000;

interface OpenSession {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: number;
}

/** @throws {ApiError} conflict on grow, or with a subscription to settle; unavailable without Stripe */
export async function openCheckout(
  ctx: RequestContext,
  caller: Caller,
  { orgId }: Scope,
): Promise<{ redirectToUrl: string }> {
  const row = await findBilling(ctx.db, orgId);
  if (row === null) throw notFound('The organisation');
  if (row.plan === 'grow') throw isOnGrow();
  if (row.subscriptionStatus !== null && UNSETTLED.has(row.subscriptionStatus)) {
    throw new ApiError(
      'conflict',
      'There is a Grow subscription with an open invoice. Settle it in the billing portal, and the plan is back.',
    );
  }
  const { redirectToUrl } = await askForPerson(ctx, async (stripe) => {
    const standing = await findOpen(ctx, stripe, row);
    if (standing === null && (await isPaid(ctx, row))) throw isOnGrow();
    const open = standing ?? (await create(ctx, stripe, row, caller));
    await commit(ctx.db, [
      changeBilling(ctx.db, orgId, { checkoutSessionId: open.id, checkoutExpiresAt: open.expiresAt }),
      auditRow(ctx, {
        orgId,
        actorUserId: caller.userId,
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

/** Whether the last checkout was paid, and what was bought is in force now: nobody came back from it, and no event yet. */
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
  const { id, url, expires_at } = await onceFree(() =>
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
      // The next one after the last: whoever asks at the same moment is given the same.
      { idempotencyKey: `tessera-checkout:${customer}:${checkoutSessionId ?? 'first'}:${prices.base}` },
    ),
  );
  if (url === null) throw new Error('Stripe made a checkout without an address');
  return { id, url, expiresAt: expires_at * 1000 };
}
