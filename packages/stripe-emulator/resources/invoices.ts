// Read access to invoices: https://docs.stripe.com/api/invoices.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { showInvoice } from './invoice-record.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';

export function retrieveInvoice(context: Context, id: string): Stripe.Invoice {
  return showInvoice(context, getRecord(context, 'invoice', id));
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
