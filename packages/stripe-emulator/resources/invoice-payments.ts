// Invoice payments: https://docs.stripe.com/api/invoice-payment. They lead from a payment to its invoice.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { resourceMissing } from '../core/stripe-error.ts';
import type { PaymentIntentRecord } from '../store/payment-records.ts';
import { paymentIdOf, showInvoicePayment } from './invoice-payment-record.ts';
import { getRecord, innerList, type List, pageOf } from './list-page.ts';

export function listInvoicePayments(context: Context, params: Params): List<Stripe.InvoicePayment> {
  params.accept('limit', 'created', 'starting_after', 'ending_before');
  const invoice = params.text('invoice');
  const payment = params.object('payment');
  payment?.choice('type', ['payment_intent']);
  const intentId = payment?.text('payment_intent');
  const status = params.choice('status', ['canceled', 'open', 'paid']);
  const ids = intentId === undefined ? undefined : [intentId];
  const keys = invoice === undefined ? undefined : [invoice];
  const found = context.emulator.objects
    .all(context.scope, 'payment_intent', { ids, keys })
    .flatMap((intent) => shown(context, intent))
    .filter((each) => status === undefined || each.status === status);
  return pageOf(params, { url: '/v1/invoice_payments', name: 'invoice_payment', items: found });
}

export function retrieveInvoicePayment(context: Context, id: string): Stripe.InvoicePayment {
  const intent = context.emulator.objects.find(context.scope, 'payment_intent', paymentIdOf(id));
  const [found] = intent === undefined ? [] : shown(context, intent);
  if (found === undefined) throw resourceMissing('invoice_payment', id);
  return found;
}

function shown(context: Context, intent: PaymentIntentRecord): Stripe.InvoicePayment[] {
  if (intent.invoice === null) return [];
  return [showInvoicePayment(context, intent, getRecord(context, 'invoice', intent.invoice))];
}

/** The payments of one invoice. */
export function paymentsOf(context: Context, invoice: string): List<Stripe.InvoicePayment> {
  const intents = context.emulator.objects.all(context.scope, 'payment_intent', { keys: [invoice] });
  return innerList(
    '/v1/invoice_payments',
    intents.flatMap((intent) => shown(context, intent)),
  );
}
