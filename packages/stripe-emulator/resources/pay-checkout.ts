// Pays a checkout session: https://docs.stripe.com/payments/checkout/how-checkout-works. A bank debit completes it unpaid, and the bank's
// answer comes later: https://docs.stripe.com/payments/checkout/fulfill-orders#delayed-notification.
import { type Context, newId } from '../core/emulator.ts';
import type { DelayedMethod, PaymentIntentRecord, PaymentMethodRecord } from '../store/payment-records.ts';
import type { CheckoutSessionRecord, InvoiceRecord } from '../store/records.ts';
import { chargePayment } from './charge-payment.ts';
import { amountsOf } from './checkout-lines.ts';
import { saveSession, showCheckoutSession } from './checkout-session-record.ts';
import { addCustomer, newCustomerRecord } from './customer-record.ts';
import { discountsAt, giveDiscounts } from './discount-record.ts';
import { emitEvent } from './emit-event.ts';
import { addInvoice, markPaid, numberOf } from './invoice-changes.ts';
import { discountLines, linesOfCheckout } from './invoice-lines.ts';
import { totalOf } from './invoice-record.ts';
import { getRecord } from './list-page.ts';
import { addPaymentIntent, savePaymentIntent } from './payment-intent-record.ts';
import { addBankAccount, addTestCard } from './payment-methods.ts';
import { startSubscription } from './subscription-changes.ts';
import { discountSubscription } from './subscription-discounts.ts';
import { newSubscriptionRecord } from './subscription-record.ts';
import { atTestClock } from './test-clock-record.ts';

const day = 86_400;

export interface Payer {
  email: string;
  name: string;
  /** Absent: a card. */
  method?: DelayedMethod;
}

/**
 * Creates the customer if one is needed, the subscription with its invoice or the payment, and completes the session.
 *
 * @returns the URL to redirect to
 */
export function payCheckoutSession(outer: Context, session: CheckoutSessionRecord, payer: Payer): string {
  const context =
    session.customer === null ? outer : atTestClock(outer, getRecord(outer, 'customer', session.customer));
  const isAnonymous = session.mode === 'payment' && session.customer_creation !== 'always';
  const customer = session.customer ?? (isAnonymous ? null : addPayer(context, payer));
  const known = {
    ...session,
    customer,
    customer_name: payer.name || null,
    paid_email: payer.email || session.customer_email,
  };
  const complete: CheckoutSessionRecord = {
    ...(customer === null || session.mode === 'payment'
      ? payOnce(context, known, payer)
      : subscribe(context, { ...known, customer }, payer)),
    status: 'complete',
  };
  saveSession(context, complete);
  emitEvent(context, 'checkout.session.completed', showCheckoutSession(context, complete));
  if (complete.payment_status !== 'unpaid') invoiceFor(context, complete);
  return (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

function addPayer(context: Context, { email, name }: Payer): string {
  const record = newCustomerRecord(newId('cus'), context.now, { email, name: name || null });
  return addCustomer(context, record).id;
}

function addMethod(context: Context, customer: string | null, { method }: Payer): PaymentMethodRecord {
  return method === undefined
    ? addTestCard(context, customer, 'pm_card_visa')
    : addBankAccount(context, customer, method);
}

function subscribe(
  context: Context,
  session: CheckoutSessionRecord & { customer: string },
  payer: Payer,
): CheckoutSessionRecord {
  const { customer, lines, trial_period_days: trialDays } = session;
  const priced = lines.map((line) => ({ line, price: getRecord(context, 'price', line.price) }));
  const isDue = amountsOf(context, session).total > 0;
  const isCollected = isDue || session.payment_method_collection !== 'if_required';
  const begun = newSubscriptionRecord(
    {
      customer,
      items: priced
        .filter(({ price }) => price.recurring !== null)
        .map(({ line, price }) => ({ price, quantity: line.quantity })),
      startedAt: context.now,
      trialEndsAt: trialDays === null ? null : context.now + trialDays * day,
    },
    {
      automatic_tax: session.automatic_tax ?? false,
      metadata: session.subscription_metadata,
      description: session.subscription_description,
      // The subscription's own method; the customer's default stays as it is.
      default_payment_method: isCollected ? addMethod(context, customer, payer).id : null,
    },
  );
  const discounted = discountSubscription(context, begun, session.discounts);
  const once = priced.filter(({ price }) => price.recurring === null).map(({ line }) => line);
  const isDelayed = isDue && payer.method !== undefined;
  const subscription = startSubscription(
    context,
    discounted,
    isDelayed ? 'processing' : 'paid',
    linesOfCheckout(context, once),
  );
  const paid = isDelayed ? 'unpaid' : 'paid';
  return {
    ...session,
    invoice: subscription.latest_invoice,
    payment_status: isDue ? paid : 'no_payment_required',
    subscription: subscription.id,
  };
}

function payOnce(context: Context, session: CheckoutSessionRecord, payer: Payer): CheckoutSessionRecord {
  if (amountsOf(context, session).total === 0) return { ...session, payment_status: 'no_payment_required' };
  const owner = session.payment?.setup_future_usage ? session.customer : null;
  const { intent, isPaid } = charge(context, session, addMethod(context, owner, payer));
  return { ...session, payment_intent: intent.id, payment_status: isPaid ? 'paid' : 'unpaid' };
}

/** The card is declined: the session stays open, and its payment intent waits for another payment method. */
export function declineCheckout(context: Context, session: CheckoutSessionRecord): void {
  if (session.mode !== 'payment' || amountsOf(context, session).total === 0) return;
  const card = addTestCard(context, null, 'pm_card_chargeCustomerFail');
  const { intent } = charge(context, session, card);
  saveSession(context, { ...session, payment_intent: intent.id });
}

function charge(
  context: Context,
  session: CheckoutSessionRecord,
  method: PaymentMethodRecord,
): { intent: PaymentIntentRecord; isPaid: boolean } {
  const amount = amountsOf(context, session).total;
  const fields = {
    amount,
    currency: session.currency ?? context.account.currency,
    customer: session.customer,
    payment_method_types: session.payment_method_types ?? ['card'],
    ...session.payment,
  };
  const { payment_intent: id = null } = session;
  const begun =
    id === null
      ? addPaymentIntent(context, fields)
      : { ...getRecord(context, 'payment_intent', id), ...fields };
  const payer = { email: session.paid_email ?? session.customer_email, name: session.customer_name };
  const { intent, outcome } = chargePayment(context, begun, method, payer);
  return { intent, isPaid: outcome === 'succeeded' };
}

/** Tells the checkout of a bank's answer, if the payment came from one. */
export function completePayment(context: Context, intent: PaymentIntentRecord, isPaid: boolean): void {
  const { customer, id, invoice } = intent;
  const [session] = context.emulator.objects.all(context.scope, 'checkout.session', {
    ...(customer === null ? {} : { parent: customer }),
    fields: [invoice === null ? ['$.payment_intent', id] : ['$.invoice', invoice]],
  });
  if (session?.status !== 'complete' || session.payment_status !== 'unpaid') return;
  const settled: CheckoutSessionRecord = { ...session, payment_status: isPaid ? 'paid' : 'unpaid' };
  saveSession(context, settled);
  const outcome = isPaid ? 'succeeded' : 'failed';
  emitEvent(context, `checkout.session.async_payment_${outcome}`, showCheckoutSession(context, settled));
  if (isPaid) invoiceFor(context, settled);
}

/** Redeems the discount of a one-time payment, and makes its invoice if the session asks for one. */
function invoiceFor(context: Context, session: CheckoutSessionRecord): void {
  const { createsInvoice, customer, discounts: wanted = [], id, mode } = session;
  if (mode !== 'payment') return;
  const invoiceId = createsInvoice && customer !== null ? newId('in', 24) : null;
  const discounts = giveDiscounts(context, wanted, { customer, checkout_session: id, invoice: invoiceId });
  if (invoiceId === null || customer === null) return;
  const invoice = newCheckoutInvoice(context, { ...session, customer }, invoiceId, discounts);
  const { payment_intent: intentId } = invoice;
  if (intentId !== undefined) {
    savePaymentIntent(
      context,
      { ...getRecord(context, 'payment_intent', intentId), invoice: invoiceId },
      null,
    );
  }
  saveSession(context, { ...session, invoice: invoiceId });
  markPaid(context, addInvoice(context, invoice));
}

function newCheckoutInvoice(
  context: Context,
  { currency: given, customer, lines: bought, payment_intent }: CheckoutSessionRecord & { customer: string },
  id: string,
  discounts: string[],
): InvoiceRecord {
  const currency = given ?? context.account.currency;
  const applied = discountsAt(context, discounts, context.now);
  const lines = discountLines(context, linesOfCheckout(context, bought), applied, currency);
  return {
    id,
    created: context.now,
    attempt_count: 0,
    billing_reason: 'manual',
    collection_method: 'charge_automatically',
    currency,
    customer,
    ...(discounts.length === 0 ? {} : { discounts }),
    lines,
    number: numberOf(getRecord(context, 'customer', customer)),
    ...(payment_intent ? { payment_intent } : {}),
    period_end: context.now,
    period_start: context.now,
    status: 'open',
    status_transitions: {
      finalized_at: context.now,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subscription: null,
    total: totalOf(lines),
  };
}
