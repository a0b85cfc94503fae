// Invoice items, which are lines of a customer's next invoice: https://docs.stripe.com/api/invoiceitems.
import Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing } from '../core/stripe-error.ts';
import type { InvoiceItemRecord, InvoiceRecord, PriceRecord } from '../store/records.ts';
import { getCustomer } from './customer-record.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { readInvoice, relineInvoice } from './one-off-invoices.ts';
import { readPriceData } from './price-data.ts';
import { priceOfUnits } from './price-of-units.ts';

/** Parameters that Stripe supports and the emulator ignores. */
const ignored: (keyof Stripe.InvoiceItemCreateParams)[] = [
  ...(['customer_account', 'discounts', 'quantity_decimal', 'subscription', 'tax_behavior'] as const),
  ...(['tax_code', 'tax_rates'] as const),
];

export function createInvoiceItem(context: Context, params: Params): Stripe.InvoiceItem {
  const invoiceId = params.text('invoice');
  const invoice = invoiceId === undefined ? null : readInvoice(context, invoiceId, 'invoice');
  const customerId = params.text('customer') ?? invoice?.customer;
  if (customerId === undefined) throw parameterMissing('customer');
  const customer = getCustomer(context, customerId);
  if (invoice !== null && invoice.customer !== customer.id) {
    throw invalidRequest('The invoice belongs to another customer.', { param: 'invoice' });
  }
  params.accept(...ignored);
  const period = params.object('period');
  const quantity = params.integer('quantity', { min: 0 }) ?? 1;
  const record: InvoiceItemRecord = {
    id: newId('ii', 24),
    created: context.now,
    ...readAmount(context, params, quantity, invoice),
    customer: customer.id,
    description: params.text('description') ?? null,
    discountable: params.boolean('discountable') ?? true,
    invoice: invoice?.id ?? null,
    metadata: params.metadata(),
    period: {
      start: period?.requiredInteger('start') ?? context.now,
      end: period?.requiredInteger('end') ?? context.now,
    },
    quantity,
  };
  context.emulator.objects.insert(context.scope, 'invoiceitem', record, attributesOf(record));
  const shown = showInvoiceItem(context, record);
  emitEvent(context, 'invoiceitem.created', shown);
  if (invoice !== null) relineInvoice(context, invoice);
  return shown;
}

type Amount = Pick<InvoiceItemRecord, 'amount' | 'currency' | 'price'>;

function readAmount(
  context: Context,
  params: Params,
  quantity: number,
  invoice: InvoiceRecord | null,
): Amount {
  const price = readOneTimePrice(context, params);
  const amount = params.integer('amount');
  const unit = params.text('unit_amount_decimal');
  const currency = params.currency('currency');
  if (price === null && amount === undefined && unit === undefined) throw parameterMissing('amount');
  if (price === null && currency === undefined) throw parameterMissing('currency');
  const read: Amount =
    price === null
      ? {
          amount: amount ?? Math.round(Number(unit) * quantity),
          currency: currency ?? '',
          price: null,
        }
      : { amount: priceOfUnits(price, quantity), currency: price.currency, price: price.id };
  if (invoice !== null && invoice.lines.length > 0 && invoice.currency !== read.currency) {
    throw invalidRequest(
      `The currency of the invoice item (\`${read.currency}\`) doesn't match the invoice's (\`${invoice.currency}\`).`,
      { param: 'currency' },
    );
  }
  return read;
}

function readOneTimePrice(context: Context, params: Params): PriceRecord | null {
  const data = params.object('price_data');
  if (data !== undefined) return readPriceData(context, data);
  const pricing = params.object('pricing');
  if (pricing === undefined) return null;
  const param = pricing.nameOf('price');
  const price = getRecord(context, 'price', pricing.requiredText('price'), param);
  if (price.recurring === null) return price;
  throw invalidRequest(
    'The price specified is set to `type=recurring` but this field only accepts prices with `type=one_time`.',
    { param },
  );
}

/** An item of a finalized invoice cannot be deleted. */
export function deleteInvoiceItem(context: Context, id: string): Stripe.DeletedInvoiceItem {
  const record = getRecord(context, 'invoiceitem', id);
  const invoice = record.invoice === null ? null : readInvoice(context, record.invoice, 'id');
  context.emulator.objects.remove(context.scope, 'invoiceitem', id);
  emitEvent(context, 'invoiceitem.deleted', showInvoiceItem(context, record));
  if (invoice !== null) relineInvoice(context, invoice);
  return { id, object: 'invoiceitem', deleted: true };
}

export function listInvoiceItems(context: Context, params: Params): List<Stripe.InvoiceItem> {
  const isPending = params.boolean('pending') ?? false;
  const invoice = params.text('invoice');
  params.accept('customer_account');
  return listPage(context, params, {
    kind: 'invoiceitem',
    url: '/v1/invoiceitems',
    filters: {
      created: readCreated(params),
      parent: params.text('customer'),
      keys: invoice === undefined ? undefined : [invoice],
      fields: isPending ? [['$.invoice', null]] : [],
    },
    show: (record) => showInvoiceItem(context, record),
  });
}

export function showInvoiceItem(context: Context, record: InvoiceItemRecord): Stripe.InvoiceItem {
  const price = record.price === null ? null : getRecord(context, 'price', record.price);
  return {
    ...record,
    object: 'invoiceitem',
    customer_account: null,
    date: record.created,
    discounts: [],
    livemode: context.livemode,
    net_amount: record.amount,
    parent: null,
    pricing:
      price === null
        ? null
        : {
            price_details: { price: price.id, product: price.product },
            type: 'price_details',
            unit_amount_decimal:
              price.unit_amount_decimal === null ? null : Stripe.Decimal.from(price.unit_amount_decimal),
          },
    proration: false,
    quantity_decimal: Stripe.Decimal.from(record.quantity),
    tax_rates: [],
    test_clock: null,
  };
}

export function attributesOf({ customer, invoice }: InvoiceItemRecord) {
  return { parent: customer, key: invoice };
}
