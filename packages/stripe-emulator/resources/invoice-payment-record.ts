// Invoice payments, which say which payment intent pays which invoice: https://docs.stripe.com/api/invoice-payment/object. Each is
// derived from its payment intent.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { PaymentIntentRecord } from '../store/payment-records.ts';
import type { InvoiceRecord } from '../store/records.ts';

/** `inpay_` and the letters of the payment intent's id. */
export function invoicePaymentIdOf({ id }: PaymentIntentRecord): string {
  return id.replace('pi_', 'inpay_');
}

export function paymentIdOf(invoicePaymentId: string): string {
  return invoicePaymentId.replace('inpay_', 'pi_');
}

export function showInvoicePayment(
  context: Context,
  intent: PaymentIntentRecord,
  { id, status_transitions }: InvoiceRecord,
): Stripe.InvoicePayment {
  const isPaid = intent.status === 'succeeded';
  const isCanceled = intent.status === 'canceled';
  return {
    id: invoicePaymentIdOf(intent),
    object: 'invoice_payment',
    amount_paid: isPaid ? intent.amount : null,
    amount_requested: intent.amount,
    created: intent.created,
    currency: intent.currency,
    invoice: id,
    is_default: true,
    livemode: context.livemode,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: isPaid ? 'paid' : isCanceled ? 'canceled' : 'open',
    status_transitions: {
      canceled_at: intent.canceled_at,
      paid_at: isPaid ? status_transitions.paid_at : null,
    },
  };
}
