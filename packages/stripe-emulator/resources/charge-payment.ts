// What happens to the money of a payment intent: charges succeed, fail, or wait for a bank. The invoice and the checkout that it pays
// are told by the callers (settle-payment.ts).
import { type Context, newId } from '../core/emulator.ts';
import type { ChargeRecord, PaymentIntentRecord, PaymentMethodRecord } from '../store/payment-records.ts';
import { attributesOf, saveCharge, showCharge } from './charge-record.ts';
import { openDispute } from './dispute-changes.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord } from './list-page.ts';
import { savePaymentIntent } from './payment-intent-record.ts';

/** `processing`: a bank debit, of which Stripe learns later whether it succeeded. */
export type PaymentOutcome = 'failed' | 'processing' | 'succeeded';

export function outcomeOf({ isDeclined, type }: PaymentMethodRecord): PaymentOutcome {
  if (type !== undefined) return 'processing';
  return isDeclined ? 'failed' : 'succeeded';
}

/** Who pays, as the charge's billing details have it. */
export interface Payer {
  email: string | null;
  name: string | null;
}

/**
 * Charges a payment method.
 *
 * @param method null: the emulator pays without one, as for subscriptions of the control page
 * @param outcome default: what the method does
 */
export function chargePayment(
  context: Context,
  intent: PaymentIntentRecord,
  method: PaymentMethodRecord | null,
  payer: Payer,
  outcome: PaymentOutcome = method === null ? 'succeeded' : outcomeOf(method),
): { intent: PaymentIntentRecord; outcome: PaymentOutcome } {
  const charge: ChargeRecord = {
    id: newId(method?.type === undefined ? 'ch' : 'py', 24),
    created: context.now,
    amount: intent.amount,
    amount_refunded: 0,
    balance_transaction: null,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    dispute: null,
    ...payer,
    failure_code: null,
    failure_message: null,
    metadata: intent.metadata,
    payment_intent: intent.id,
    payment_method: method?.id ?? null,
    receipt_email: intent.receipt_email,
    status: 'pending',
  };
  context.emulator.objects.insert(context.scope, 'charge', charge, attributesOf(charge));
  const begun: PaymentIntentRecord = {
    ...intent,
    failure: null,
    latest_charge: charge.id,
    payment_method: method?.id ?? null,
  };
  if (outcome === 'processing') {
    emitEvent(context, 'charge.pending', showCharge(context, charge));
    const processing = { ...begun, status: 'processing' as const };
    return { intent: savePaymentIntent(context, processing, 'payment_intent.processing'), outcome };
  }
  if (outcome === 'failed') {
    const declined = { code: 'card_declined', message: 'Your card was declined.' };
    return { intent: fail(context, begun, charge, declined), outcome };
  }
  const paid = succeed(context, begun, charge);
  if (method?.isDisputed) openDispute(context, getRecord(context, 'charge', charge.id));
  return { intent: paid, outcome };
}

/** Ends the wait for a bank. */
export function endProcessing(
  context: Context,
  intent: PaymentIntentRecord,
  isPaid: boolean,
): PaymentIntentRecord {
  const charge = getRecord(context, 'charge', intent.latest_charge ?? '');
  if (isPaid) return succeed(context, intent, charge);
  const message = "The customer's account has insufficient funds to cover this payment.";
  return fail(context, intent, charge, { code: 'insufficient_funds', message });
}

/** Stripe captures asynchronously: the balance transaction comes with a later event. */
function succeed(context: Context, intent: PaymentIntentRecord, charge: ChargeRecord): PaymentIntentRecord {
  const paid = saveCharge(context, { ...charge, status: 'succeeded' }, 'charge.succeeded');
  const succeeded = { ...intent, amount_received: intent.amount, status: 'succeeded' as const };
  savePaymentIntent(context, succeeded, 'payment_intent.succeeded');
  saveCharge(context, { ...paid, balance_transaction: newId('txn', 24) }, 'charge.updated', true);
  return succeeded;
}

function fail(
  context: Context,
  intent: PaymentIntentRecord,
  charge: ChargeRecord,
  { code, message }: { code: string; message: string },
): PaymentIntentRecord {
  const failed = { ...charge, failure_code: code, failure_message: message, status: 'failed' as const };
  saveCharge(context, failed, 'charge.failed');
  return savePaymentIntent(
    context,
    {
      ...intent,
      failure: { code, message, charge: charge.id, payment_method: charge.payment_method },
      payment_method: null,
      status: 'requires_payment_method',
    },
    'payment_intent.payment_failed',
  );
}

export function cancelPayment(
  context: Context,
  intent: PaymentIntentRecord,
  reason: string | null,
): PaymentIntentRecord {
  const canceled = {
    ...intent,
    canceled_at: context.now,
    cancellation_reason: reason,
    status: 'canceled' as const,
  };
  return savePaymentIntent(context, canceled, 'payment_intent.canceled');
}
