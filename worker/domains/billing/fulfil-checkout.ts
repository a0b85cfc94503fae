/**
 * Applies a completed checkout. A bank debit completes it unpaid: the subscription's status then says whether it gives Grow already, and
 * the checkout is followed until it is paid. Called by the return page, by the webhook and on schedule, in any order and concurrently; the
 * result is the same and is recorded once.
 */
import type { Stripe } from 'stripe';
import type { WorkContext } from '#worker/http/request-context';
import { isMissing } from '#worker/platform/stripe-error';
import { openBillingAccount } from './billing-account.ts';
import { findBilling } from './billing-store.ts';
import { settleCheckout } from './checkout-store.ts';
import { syncSubscription } from './sync-subscription.ts';

export interface Fulfilment {
  readonly success: boolean;
  /** Null: not a Tessera checkout, or the organisation was deleted. */
  readonly orgId: string | null;
}

export const NOT_OURS: Fulfilment = { success: false, orgId: null };

/**
 * @param sessionId cs_…
 * @throws errors of Stripe, the event stream or D1: safe to retry
 */
export async function fulfilCheckout(ctx: WorkContext, sessionId: string): Promise<Fulfilment> {
  const stripe = await openBillingAccount(ctx);
  let session: Stripe.Checkout.Session;
  try {
    session = await stripe.checkout.sessions.retrieve(sessionId);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await settleCheckout(ctx, sessionId);
    return NOT_OURS;
  }
  const orgId = await ownerOf(ctx, session);
  if (orgId === null) return NOT_OURS;
  if (session.status === 'expired') await settleCheckout(ctx, sessionId);
  const subscriptionId = idOf(session.subscription);
  if (session.status !== 'complete' || subscriptionId === null) return { success: false, orgId };
  const plan = await syncSubscription(ctx, orgId, subscriptionId);
  if (session.payment_status !== 'unpaid') await settleCheckout(ctx, sessionId);
  return { success: plan === 'grow', orgId };
}

/** The organisation that opened the checkout, by metadata that only Tessera writes. */
async function ownerOf({ db }: WorkContext, session: Stripe.Checkout.Session): Promise<string | null> {
  const { mode, metadata, client_reference_id: orgId } = session;
  if (mode !== 'subscription' || orgId === null || metadata?.orgId !== orgId || metadata.plan !== 'grow')
    return null;
  const row = await findBilling(db, orgId);
  return row !== null && row.customerId === idOf(session.customer) ? orgId : null;
}

function idOf(reference: string | { readonly id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
