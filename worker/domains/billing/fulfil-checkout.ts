/**
 * Puts a paid checkout into force. The return page asks for it, and so does the webhook: in any order, twice and at the
 * same time, the result is the same and is recorded once.
 */
import type { Stripe } from 'stripe';
import type { WorkContext } from '#worker/http/request-context';
import { isMissing } from '#worker/platform/stripe-error';
import { openBillingAccount } from './billing-account.ts';
import { findBilling } from './billing-store.ts';
import { followSubscription } from './follow-subscription.ts';

export interface Fulfilment {
  readonly success: boolean;
  /** Null: it is no checkout of Tessera's, or of an organisation that is gone. */
  readonly orgId: string | null;
}

const NOT_OURS: Fulfilment = { success: false, orgId: null };

/**
 * @param sessionId cs_…
 * @throws what Stripe, the event stream or D1 fail with: another try does no harm
 */
export async function fulfilCheckout(ctx: WorkContext, sessionId: string): Promise<Fulfilment> {
  const stripe = await openBillingAccount(ctx);
  let session: Stripe.Checkout.Session;
  try {
    session = await stripe.checkout.sessions.retrieve(sessionId);
  } catch (error) {
    if (isMissing(error)) return NOT_OURS;
    throw error;
  }
  const orgId = await ownerOf(ctx, session);
  if (orgId === null) return NOT_OURS;
  const subscriptionId = idOf(session.subscription);
  const isPaid = session.status === 'complete' && session.payment_status !== 'unpaid';
  if (!isPaid || subscriptionId === null) return { success: false, orgId };
  const plan = await followSubscription(ctx, orgId, subscriptionId);
  return { success: plan === 'grow', orgId };
}

/** The organisation that opened it, by what only Tessera writes into a checkout of its own account. */
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
