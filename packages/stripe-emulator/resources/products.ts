// Products: https://docs.stripe.com/api/products.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest } from '../core/stripe-error.ts';
import type { ProductRecord } from '../store/records.ts';
import { changedFields } from './changed-fields.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';
import { addPrice, readPrice } from './price-record.ts';

export function showProduct(context: Context, record: ProductRecord): Stripe.Product {
  return {
    ...record,
    object: 'product',
    livemode: context.livemode,
    package_dimensions: null,
    tax_details: null,
    type: 'service',
  };
}

export function newProductRecord(id: string, created: number, fields: Partial<ProductRecord>): ProductRecord {
  return {
    id,
    created,
    updated: created,
    active: true,
    name: '',
    description: null,
    metadata: {},
    images: [],
    url: null,
    default_price: null,
    statement_descriptor: null,
    tax_code: null,
    unit_label: null,
    marketing_features: [],
    shippable: null,
    ...fields,
  };
}

export function createProduct(context: Context, params: Params): Stripe.Product {
  const id = params.text('id') ?? newId('prod');
  const name = params.requiredText('name');
  if (context.emulator.objects.find(context.scope, 'product', id)) {
    throw invalidRequest(`Product already exists.`, { code: 'resource_already_exists', param: 'id' });
  }
  const fields = { ...readFields(params), name, metadata: params.metadata() };
  const record = addProduct(context, newProductRecord(id, context.now, fields));
  const priceData = params.object('default_price_data');
  if (priceData === undefined) return showProduct(context, record);
  const price = addPrice(context, readPrice(context, priceData, id));
  return saveProduct(context, { ...record, default_price: price.id });
}

export function addProduct(context: Context, record: ProductRecord): ProductRecord {
  context.emulator.objects.insert(context.scope, 'product', record, attributesOf(record));
  emitEvent(context, 'product.created', showProduct(context, record));
  return record;
}

export function updateProduct(context: Context, params: Params, id: string): Stripe.Product {
  const record = getRecord(context, 'product', id);
  const defaultPrice = params.text('default_price');
  if (defaultPrice !== undefined) getRecord(context, 'price', defaultPrice, 'default_price');
  return saveProduct(context, {
    ...record,
    ...omitUndefined({ name: params.text('name'), default_price: defaultPrice }),
    ...readFields(params),
    metadata: params.metadata(record.metadata),
  });
}

/** Saves a product and emits an event if it changed. */
export function saveProduct(context: Context, changed: ProductRecord): Stripe.Product {
  const before = showProduct(context, getRecord(context, 'product', changed.id));
  const record = { ...changed, updated: context.now };
  const shown = showProduct(context, record);
  const previous = changedFields({ ...before, updated: context.now }, shown);
  context.emulator.objects.update(context.scope, 'product', record, attributesOf(record));
  if (previous !== null)
    emitEvent(context, 'product.updated', shown, { ...previous, updated: before.updated });
  return shown;
}

export function deleteProduct(context: Context, id: string): Stripe.DeletedProduct {
  const record = getRecord(context, 'product', id);
  const { objects } = context.emulator;
  if (objects.count(context.scope, 'price', { parent: id }) > 0) {
    throw invalidRequest('This product cannot be deleted because it has one or more user-created prices.');
  }
  objects.remove(context.scope, 'product', id);
  emitEvent(context, 'product.deleted', showProduct(context, record));
  return { id, object: 'product', deleted: true };
}

export function listProducts(context: Context, params: Params): List<Stripe.Product> {
  const active = params.boolean('active');
  const url = params.text('url');
  params.accept('shippable', 'type');
  return listPage(context, params, {
    kind: 'product',
    url: '/v1/products',
    filters: {
      created: readCreated(params),
      ids: params.texts('ids'),
      statuses: active === undefined ? undefined : [active ? 'active' : 'inactive'],
      fields: url === undefined ? [] : [['$.url', url]],
    },
    show: (record) => showProduct(context, record),
  });
}

export function attributesOf({ active }: ProductRecord) {
  return { status: active ? 'active' : 'inactive' };
}

function readFields(params: Params): Partial<ProductRecord> {
  params.accept('package_dimensions', 'type', 'attributes', 'caption', 'deactivate_on', 'tax_details');
  return omitUndefined({
    active: params.boolean('active'),
    description: params.emptyable('description'),
    images: params.texts('images'),
    url: params.emptyable('url'),
    statement_descriptor: params.text('statement_descriptor'),
    tax_code: params.emptyable('tax_code'),
    unit_label: params.emptyable('unit_label'),
    shippable: params.boolean('shippable'),
    marketing_features: params
      .objects('marketing_features')
      ?.map((feature) => ({ name: feature.requiredText('name') })),
  });
}
