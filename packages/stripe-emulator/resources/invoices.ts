// Read access to invoices: https://docs.stripe.com/api/invoices.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest } from '../core/stripe-error.ts';
import { payInvoice, showInvoice } from './invoice-record.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { cardOf, declinedCard } from './payment-methods.ts';
import { saveSubscription } from './subscription-changes.ts';
import { atTestClock } from './test-clock-record.ts';

/** Charges the card. Paying the latest invoice makes the subscription active again. */
export function payById(outer: Context, params: Params, id: string): Stripe.Invoice {
  const invoice = getRecord(outer, 'invoice', id);
  const subscription = getRecord(outer, 'subscription', invoice.subscription);
  const context = atTestClock(outer, subscription);
  params.accept('forgive', 'mandate', 'off_session', 'payment_method', 'source');
  const isPaidElsewhere = params.boolean('paid_out_of_band') ?? false;
  if (invoice.status === 'paid') throw invalidRequest('Invoice is already paid');
  if (invoice.status === 'void') throw invalidRequest('This invoice can no longer be paid.');
  const customer = getRecord(context, 'customer', invoice.customer);
  if (!isPaidElsewhere && cardOf(context, customer, subscription).isDeclined) throw declinedCard();
  const paid = payInvoice(context, invoice);
  const isStopped = ['incomplete', 'past_due', 'unpaid'].includes(subscription.status);
  if (isStopped && subscription.latest_invoice === id) {
    saveSubscription(context, { ...subscription, status: 'active', retry_at: null });
  }
  return showInvoice(context, paid);
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
