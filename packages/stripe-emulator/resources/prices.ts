// Prices: https://docs.stripe.com/api/prices.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { parameterMissing } from '../core/stripe-error.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';
import { addPrice, readPrice, savePrice, showPrice } from './price-record.ts';
import { addProduct, newProductRecord } from './products.ts';

export function createPrice(context: Context, params: Params): Stripe.Price {
  const isTransferred = params.boolean('transfer_lookup_key') ?? false;
  return addPrice(context, readPrice(context, params, readProduct(context, params)), isTransferred);
}

export function updatePrice(context: Context, params: Params, id: string): Stripe.Price {
  const record = getRecord(context, 'price', id);
  params.accept('currency_options');
  const fields = omitUndefined({
    active: params.boolean('active'),
    lookup_key: params.emptyable('lookup_key'),
    nickname: params.emptyable('nickname'),
    tax_behavior: params.choice('tax_behavior', ['inclusive', 'exclusive', 'unspecified']),
  });
  const isTransferred = params.boolean('transfer_lookup_key') ?? false;
  return savePrice(
    context,
    { ...record, ...fields, metadata: params.metadata(record.metadata) },
    isTransferred,
  );
}

export function listPrices(context: Context, params: Params): List<Stripe.Price> {
  const active = params.boolean('active');
  const currency = params.text('currency');
  const type = params.choice('type', ['one_time', 'recurring']);
  const recurring = params.object('recurring');
  const fields: [string, string][] = [];
  const add = (path: string, value: string | undefined) => {
    if (value !== undefined) fields.push([path, value]);
  };
  add('$.currency', currency);
  add('$.type', type);
  add('$.recurring.interval', recurring?.text('interval'));
  add('$.recurring.meter', recurring?.text('meter'));
  add('$.recurring.usage_type', recurring?.text('usage_type'));
  return listPage(context, params, {
    kind: 'price',
    url: '/v1/prices',
    filters: {
      created: readCreated(params),
      parent: params.text('product'),
      keys: params.texts('lookup_keys'),
      statuses: active === undefined ? undefined : [active ? 'active' : 'inactive'],
      fields,
    },
    show: (record) => showPrice(context, record),
  });
}

function readProduct(context: Context, params: Params): string {
  const id = params.text('product');
  if (id !== undefined) return getRecord(context, 'product', id, 'product').id;
  const data = params.object('product_data');
  if (data === undefined) throw parameterMissing('product');
  data.accept('statement_descriptor', 'tax_code', 'tax_details');
  const fields = omitUndefined({
    name: data.requiredText('name'),
    active: data.boolean('active'),
    unit_label: data.text('unit_label'),
    metadata: data.metadata(),
  });
  return addProduct(context, newProductRecord(data.text('id') ?? newId('prod'), context.now, fields)).id;
}
