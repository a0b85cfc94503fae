// Invoices that are listed, paid and closed: https://docs.stripe.com/api/invoices. `one-off-invoices.ts` creates them.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest } from '../core/stripe-error.ts';
import type { InvoiceRecord } from '../store/records.ts';
import { outcomeOf } from './charge-payment.ts';
import { awaitPayment, closeInvoice, finalizeInvoice, payInvoice } from './invoice-changes.ts';
import { showInvoice, showLine } from './invoice-record.ts';
import { getRecord, type List, listPage, pageOf, readCreated } from './list-page.ts';
import { cardOf, declinedCard, readMethod } from './payment-methods.ts';
import { activate } from './settle-payment.ts';
import { atTestClock } from './test-clock-record.ts';

/** Charges the payment method. Paying the latest invoice makes the subscription active again. */
export function payById(outer: Context, params: Params, id: string): Stripe.Invoice {
  const given = getRecord(outer, 'invoice', id);
  const context = atTestClock(outer, getRecord(outer, 'customer', given.customer));
  params.accept('forgive', 'mandate', 'off_session', 'source');
  const isOutOfBand = params.boolean('paid_out_of_band') ?? false;
  const methodId = params.text('payment_method');
  const invoice = given.status === 'draft' ? finalizeInvoice(context, given) : given;
  if (invoice.status === 'paid') throw invalidRequest('Invoice is already paid');
  if (invoice.status === 'void') throw invalidRequest('This invoice can no longer be paid.');
  if (isOutOfBand || invoice.total <= 0)
    return settled(context, payInvoice(context, invoice, { isOutOfBand }));
  if (isProcessing(context, invoice)) {
    throw invalidRequest('This invoice has a payment that is processing.', {
      code: 'payment_intent_unexpected_state',
    });
  }
  const method =
    methodId === undefined
      ? cardOf(context, getRecord(context, 'customer', invoice.customer), chargedTo(context, invoice))
      : readMethod(context, invoice.customer, methodId, 'payment_method');
  const outcome = outcomeOf(method);
  if (outcome === 'failed') throw declinedCard();
  if (outcome === 'processing') return showInvoice(context, awaitPayment(context, invoice, method));
  return settled(context, payInvoice(context, invoice, { method }));
}

function settled(context: Context, paid: InvoiceRecord): Stripe.Invoice {
  const { id, subscription: subscriptionId } = paid;
  const subscription = subscriptionId === null ? null : getRecord(context, 'subscription', subscriptionId);
  if (subscription?.latest_invoice === id) activate(context, subscription);
  return showInvoice(context, paid);
}

function isProcessing(context: Context, { payment_intent: id }: InvoiceRecord): boolean {
  return id !== undefined && getRecord(context, 'payment_intent', id).status === 'processing';
}

function chargedTo(context: Context, invoice: InvoiceRecord) {
  return invoice.subscription === null ? invoice : getRecord(context, 'subscription', invoice.subscription);
}

export function finalizeById(outer: Context, params: Params, id: string): Stripe.Invoice {
  const invoice = getRecord(outer, 'invoice', id);
  const context = atTestClock(outer, getRecord(outer, 'customer', invoice.customer));
  const auto_advance = params.boolean('auto_advance') ?? invoice.auto_advance;
  if (invoice.status !== 'draft') {
    throw invalidRequest("This invoice is already finalized, you can't re-finalize a non-draft invoice.", {
      code: 'invoice_not_editable',
    });
  }
  const opened = finalizeInvoice(context, { ...invoice, auto_advance });
  return showInvoice(context, opened.total <= 0 ? payInvoice(context, opened) : opened);
}

export function voidById(context: Context, id: string): Stripe.Invoice {
  return close(context, id, 'void');
}

export function markUncollectibleById(context: Context, id: string): Stripe.Invoice {
  return close(context, id, 'uncollectible');
}

function close(outer: Context, id: string, status: 'uncollectible' | 'void'): Stripe.Invoice {
  const invoice = getRecord(outer, 'invoice', id);
  const context = atTestClock(outer, getRecord(outer, 'customer', invoice.customer));
  const isOpen = invoice.status === 'open' || (status === 'void' && invoice.status === 'uncollectible');
  if (!isOpen) {
    const action = status === 'void' ? 'void' : 'mark as uncollectible';
    throw invalidRequest(`You can only ${action} an open invoice. This invoice is ${invoice.status}.`);
  }
  return showInvoice(context, closeInvoice(context, invoice, status));
}

export function listInvoiceLines(context: Context, params: Params, id: string): List<Stripe.InvoiceLineItem> {
  params.accept('limit', 'starting_after', 'ending_before');
  const invoice = getRecord(context, 'invoice', id);
  const items = invoice.lines.map((line) => showLine(context, invoice, line));
  return pageOf(params, { url: `/v1/invoices/${id}/lines`, name: 'line item', items });
}

export function listInvoices(context: Context, params: Params): List<Stripe.Invoice> {
  const status = params.choice('status', ['draft', 'open', 'paid', 'uncollectible', 'void']);
  const subscription = params.text('subscription');
  params.accept('collection_method', 'due_date', 'customer_account');
  return listPage(context, params, {
    kind: 'invoice',
    url: '/v1/invoices',
    filters: {
      created: readCreated(params),
      parent: params.text('customer'),
      statuses: status && [status],
      fields: subscription === undefined ? [] : [['$.subscription', subscription]],
    },
    show: (record) => showInvoice(context, record),
  });
}
