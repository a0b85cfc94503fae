// What a payment's outcome means for the invoice that it pays, for the invoice's subscription, and for the checkout that it came from.
import type { Context } from '../core/emulator.ts';
import { invalidRequest } from '../core/stripe-error.ts';
import type { PaymentIntentRecord } from '../store/payment-records.ts';
import type { InvoiceRecord, SubscriptionRecord } from '../store/records.ts';
import { endProcessing, type PaymentOutcome } from './charge-payment.ts';
import { markFailed, markPaid } from './invoice-changes.ts';
import { getRecord } from './list-page.ts';
import { completePayment } from './pay-checkout.ts';
import { saveSubscription } from './subscription-changes.ts';
import { fallPastDue } from './subscription-cycle.ts';
import { atTestClock } from './test-clock-record.ts';

/** The bank answers: the payment succeeds or is returned. @throws {StripeError} 400 unless it waits for a bank */
export function settlePayment(
  outer: Context,
  given: PaymentIntentRecord,
  isPaid: boolean,
): PaymentIntentRecord {
  if (given.status !== 'processing') {
    throw invalidRequest(
      `The payment ${given.id} is ${given.status}: only one that is processing can be settled.`,
    );
  }
  const customer = given.customer === null ? {} : getRecord(outer, 'customer', given.customer);
  const context = atTestClock(outer, customer);
  const settled = endProcessing(context, given, isPaid);
  applyOutcome(context, settled, isPaid ? 'succeeded' : 'failed');
  completePayment(context, settled, isPaid);
  return settled;
}

/** Changes the invoice of a payment, and its subscription. */
export function applyOutcome(
  context: Context,
  { invoice: id }: PaymentIntentRecord,
  outcome: PaymentOutcome,
): void {
  if (id === null) return;
  const invoice = getRecord(context, 'invoice', id);
  const subscription =
    invoice.subscription === null ? null : getRecord(context, 'subscription', invoice.subscription);
  const isLatest = subscription?.latest_invoice === id;
  if (outcome === 'succeeded') {
    markPaid(context, invoice);
    if (subscription !== null && isLatest) activate(context, subscription);
  } else if (outcome === 'processing') {
    if (subscription?.status === 'incomplete' && isLatest) awaitBank(context, subscription);
  } else {
    failed(context, invoice, isLatest ? subscription : null);
  }
}

/** Paying the latest invoice makes the subscription active again. */
export function activate(context: Context, record: SubscriptionRecord): void {
  if (!['incomplete', 'past_due', 'unpaid'].includes(record.status)) return;
  const { isPaymentProcessing: _, ...settled } = record;
  saveSubscription(context, { ...settled, status: 'active', retry_at: null });
}

function awaitBank(context: Context, record: SubscriptionRecord): void {
  const isActive = context.account.whileProcessing !== 'incomplete';
  saveSubscription(
    context,
    isActive ? { ...record, status: 'active' } : { ...record, isPaymentProcessing: true },
  );
}

/** An incomplete subscription stays so until it expires; another one is past due. */
function failed(context: Context, invoice: InvoiceRecord, record: SubscriptionRecord | null): void {
  if (record === null || !['active', 'incomplete', 'past_due', 'trialing'].includes(record.status)) {
    markFailed(context, invoice, null);
  } else if (record.status === 'incomplete') {
    markFailed(context, invoice, null);
    const { isPaymentProcessing: _, ...waiting } = record;
    saveSubscription(context, waiting);
  } else {
    fallPastDue(context, record, invoice);
  }
}
