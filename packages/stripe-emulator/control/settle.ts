// What banks do, for tests and the control page: they answer payments and refunds that wait for them, and open and close disputes.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import { closeDispute, type DisputeReason, openDispute, showDispute } from '../resources/dispute-changes.ts';
import { getRecord } from '../resources/list-page.ts';
import { showPaymentIntent } from '../resources/payment-intent-record.ts';
import { showRefund } from '../resources/refund-record.ts';
import { settleRefund } from '../resources/refunds.ts';
import { settlePayment } from '../resources/settle-payment.ts';

export type BankAnswer = 'succeed' | 'fail';

/** @throws {StripeError} unless the payment waits for a bank */
export function answerPayment(context: Context, id: string, answer: BankAnswer): Stripe.PaymentIntent {
  const intent = getRecord(context, 'payment_intent', id);
  return showPaymentIntent(context, settlePayment(context, intent, answer === 'succeed'));
}

/** @throws {StripeError} if it has failed, or succeeds again */
export function answerRefund(context: Context, id: string, answer: BankAnswer): Stripe.Refund {
  return showRefund(context, settleRefund(context, getRecord(context, 'refund', id), answer === 'succeed'));
}

/** @param reason default: fraudulent */
export function disputeCharge(context: Context, id: string, reason?: DisputeReason): Stripe.Dispute {
  return showDispute(context, openDispute(context, getRecord(context, 'charge', id), reason));
}

export function endDispute(context: Context, id: string, outcome: 'lost' | 'won'): Stripe.Dispute {
  return showDispute(context, closeDispute(context, getRecord(context, 'dispute', id), outcome));
}
