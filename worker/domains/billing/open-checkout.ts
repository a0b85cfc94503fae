/**
 * Opens Stripe's checkout for the Grow plan. Stripe is asked before an upgrade is refused. An open session is reused, a paid
 * one is applied and others expire, so that nobody buys two subscriptions.
 */
import type { Stripe } from 'stripe';
import type { SubscriptionStatus } from '#contracts/console/billing';
import { ApiError, notFound } from '#worker/http/api-error';
import type { Caller, MemberScope, RequestContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { isMissing, isStripeError } from '#worker/platform/stripe-error';
import { change } from '#worker/queue/change';
import { callStripeForUser } from './billing-account.ts';
import { type BillingRow, changeBilling, findBilling } from './billing-store.ts';
import { listUnsettled, recordCheckout } from './checkout-store.ts';
import { createOnce } from './create-once.ts';
import { ensureCustomer } from './ensure-customer.ts';
import { expireCheckout } from './expire-checkout.ts';
import { findPrices } from './find-prices.ts';
import { fulfilCheckout } from './fulfil-checkout.ts';
import { syncSubscription } from './sync-subscription.ts';

/** Neither granting nor ended: paying the open invoice in the portal reactivates the subscription. */
const UNSETTLED: ReadonlySet<SubscriptionStatus> = new Set(['past_due', 'unpaid', 'paused']);
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
  const known = await findBilling(ctx.db, orgId);
  if (known === null) throw notFound('The organisation');
  // Assigned manually, without a subscription that Stripe could be asked about.
  if (known.plan === 'grow' && known.subscriptionId === null) throw isOnGrow();
  return callStripeForUser(ctx, async (stripe) => {
    const subscriptionIds = await readSubscriptionIds(stripe, known.customerId);
    const goneId = subscriptionIds === null ? known.customerId : null;
    const row = await readCurrent(ctx, known, subscriptionIds ?? []);
    if (row.plan === 'grow') throw isOnGrow();
    const { subscriptionId, subscriptionStatus } = row;
    // Without its id, the status is of a subscription that platform staff have detached.
    if (subscriptionId !== null && subscriptionStatus !== null && UNSETTLED.has(subscriptionStatus)) {
      throw new ApiError(
        'conflict',
        'Your Grow subscription has an unpaid invoice. Pay it in the billing portal to restore the plan.',
      );
    }
    const open =
      (await settleCheckouts(ctx, stripe, orgId, subscriptionIds !== null)) ??
      (await create(ctx, stripe, row, scope.actor, goneId));
    await change(ctx, scope, {
      write: [
        changeBilling(ctx.db, orgId, { checkoutSessionId: open.id }),
        recordCheckout(ctx, { orgId, ...open }),
      ],
      audit: { action: 'billing.checkout-opened', targetId: open.id, detail: { plan: 'grow' } },
      publish: [],
    });
    return { redirectToUrl: open.url };
  });
}

function isOnGrow(): ApiError {
  return new ApiError('conflict', 'The organisation is already on the Grow plan');
}

/**
 * The state after Stripe was asked about the known subscription, and about others of the customer that no webhook has
 * reported.
 */
async function readCurrent(
  ctx: RequestContext,
  row: BillingRow,
  subscriptionIds: readonly string[],
): Promise<BillingRow> {
  const { orgId, subscriptionId } = row;
  for (const id of new Set([...(subscriptionId === null ? [] : [subscriptionId]), ...subscriptionIds])) {
    await syncSubscription(ctx, orgId, id);
  }
  const current = await findBilling(ctx.db, orgId);
  if (current === null) throw notFound('The organisation');
  return current;
}

/** The ids of the customer's subscriptions that have not ended; null: Stripe has no such customer any longer. */
async function readSubscriptionIds(
  stripe: StripeClient,
  customerId: string | null,
): Promise<readonly string[] | null> {
  if (customerId === null) return null;
  try {
    const customer = await stripe.customers.retrieve(customerId, { expand: ['subscriptions'] });
    return customer.deleted ? null : (customer.subscriptions?.data ?? []).map(({ id }) => id);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Settles the organisation's earlier sessions, so that at most one can be paid: expires those that are about to expire, and
 * applies paid ones.
 * @param mayReuse false: the customer is gone, so no session of it can be paid
 * @returns the newest session that can still be paid
 * @throws {ApiError} conflict if one of them was paid, or waits for a bank
 */
async function settleCheckouts(
  ctx: RequestContext,
  stripe: StripeClient,
  orgId: string,
  mayReuse: boolean,
): Promise<OpenSession | null> {
  let reusable: OpenSession | null = null;
  for (const id of await listUnsettled(ctx.db, orgId)) {
    const session = await readSession(stripe, id);
    const isOpen = session?.status === 'open';
    if (isOpen && mayReuse && reusable === null) reusable = reusableOf(ctx, session);
    if (isOpen && reusable?.id !== id) await expireCheckout(stripe, id);
    if (reusable?.id !== id && (await fulfilCheckout(ctx, id)).success) throw isOnGrow();
    const isUnpaid = session?.status === 'complete' && session.payment_status === 'unpaid';
    if (isUnpaid && (await findBilling(ctx.db, orgId))?.subscriptionStatus === 'incomplete') {
      throw new ApiError(
        'conflict',
        'A payment for Grow is still with your bank. Grow starts when the bank confirms it.',
      );
    }
  }
  return reusable;
}

function reusableOf({ now }: RequestContext, session: Stripe.Checkout.Session): OpenSession | null {
  const { id, url, expires_at: expiresAtS } = session;
  const expiresAt = expiresAtS * 1000;
  return url === null || expiresAt < now + MIN_OPEN_MS ? null : { id, url, expiresAt };
}

async function readSession(stripe: StripeClient, id: string): Promise<Stripe.Checkout.Session | null> {
  try {
    return await stripe.checkout.sessions.retrieve(id);
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
  goneId: string | null,
): Promise<OpenSession> {
  const customer = await ensureCustomer(ctx, stripe, row, caller, goneId);
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
  const { baseUrl, billing } = ctx.settings;
  const isTaxAutomatic = billing?.isTaxAutomatic === true;
  const prices = await findPrices(ctx, stripe);
  const metadata = { orgId, plan: 'grow' };
  const { id, url, expires_at } = await createOnce(
    // Contains the previous session's id, so that concurrent callers get the same new session.
    `tessera-checkout-with-${isTaxAutomatic ? 'tax' : 'tax-id'}:${customer}:${checkoutSessionId ?? 'first'}:${prices.base}`,
    (options) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          line_items: [{ price: prices.base, quantity: 1 }, { price: prices.usage }],
          client_reference_id: orgId,
          metadata,
          allow_promotion_codes: true,
          billing_address_collection: 'required',
          tax_id_collection: { enabled: true },
          // The subscription and its invoices inherit it.
          ...(isTaxAutomatic && { automatic_tax: { enabled: true } }),
          // For a customer that exists, Stripe requires the name to collect a tax id, and the address to calculate tax.
          customer_update: { name: 'auto', address: 'auto' },
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
