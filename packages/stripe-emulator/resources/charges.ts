// Charges: https://docs.stripe.com/api/charges. They are made by payment intents.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { saveCharge, showCharge } from './charge-record.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';

export function updateCharge(context: Context, params: Params, id: string): Stripe.Charge {
  const record = getRecord(context, 'charge', id);
  params.accept('fraud_details', 'shipping', 'transfer_group', 'customer');
  const changed = {
    ...record,
    ...omitUndefined({
      description: params.emptyable('description'),
      receipt_email: params.emptyable('receipt_email'),
    }),
    metadata: params.metadata(record.metadata),
  };
  return showCharge(context, saveCharge(context, changed, 'charge.updated', true));
}

export function listCharges(context: Context, params: Params): List<Stripe.Charge> {
  const intent = params.text('payment_intent');
  params.accept('transfer_group');
  return listPage(context, params, {
    kind: 'charge',
    url: '/v1/charges',
    filters: {
      created: readCreated(params),
      parent: params.text('customer'),
      keys: intent === undefined ? undefined : [intent],
    },
    show: (record) => showCharge(context, record),
  });
}
