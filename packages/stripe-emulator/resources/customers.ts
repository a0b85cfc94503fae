// Customers: https://docs.stripe.com/api/customers.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest } from '../core/stripe-error.ts';
import type { CustomerRecord } from '../store/records.ts';
import {
  addCustomer,
  attributesOf,
  getCustomer,
  newCustomerRecord,
  saveCustomer,
  showCustomer,
} from './customer-record.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';
import { addTestCard, attachCard, ensureOwnCard } from './payment-methods.ts';
import { cancelSubscription, subscriptionsOf } from './subscription-changes.ts';
import { atTestClock } from './test-clock-record.ts';

function showDeleted({ id }: CustomerRecord): Stripe.DeletedCustomer {
  return { id, object: 'customer', deleted: true };
}

export function createCustomer(context: Context, params: Params): Stripe.Customer {
  const clock = readTestClock(context, params);
  const record = newCustomerRecord(newId('cus'), atTestClock(context, clock).now, readFields(params));
  const card = readCards(context, params, record);
  return addCustomer(context, { ...record, ...clock, ...card, metadata: params.metadata() });
}

/** Attaches `payment_method`; the default one must be attached, also in the same call. */
function readCards(
  context: Context,
  params: Params,
  { id, default_payment_method: wanted }: CustomerRecord,
): Pick<CustomerRecord, 'default_payment_method'> {
  const given = params.text('payment_method');
  const attached = given === undefined ? null : attachCard(context, id, given, 'payment_method');
  if (wanted !== null) {
    if (wanted === given) return { default_payment_method: attached };
    ensureOwnCard(context, id, wanted, 'invoice_settings[default_payment_method]');
    return { default_payment_method: wanted };
  }
  const isGiven = attached === null && context.account.givesCards === true;
  return {
    default_payment_method: isGiven ? addTestCard(context, id, 'pm_card_visa').id : null,
  };
}

const maxCustomersPerClock = 3;

function readTestClock(context: Context, params: Params): Pick<CustomerRecord, 'test_clock'> {
  const id = params.text('test_clock');
  if (id === undefined) return {};
  getRecord(context, 'test_helpers.test_clock', id, 'test_clock');
  const count = context.emulator.objects.count(context.scope, 'customer', { fields: [['$.test_clock', id]] });
  if (count < maxCustomersPerClock) return { test_clock: id };
  throw invalidRequest(`A test clock can have at most ${maxCustomersPerClock} customers.`, {
    param: 'test_clock',
  });
}

export function retrieveCustomer(context: Context, id: string): Stripe.Customer | Stripe.DeletedCustomer {
  const record = getRecord(context, 'customer', id);
  return record.deleted ? showDeleted(record) : showCustomer(context, record);
}

export function updateCustomer(context: Context, params: Params, id: string): Stripe.Customer {
  const record = getCustomer(context, id, 'id');
  const fields = readFields(params);
  const { default_payment_method: card } = fields;
  if (card) ensureOwnCard(context, id, card, 'invoice_settings[default_payment_method]');
  return saveCustomer(context, { ...record, ...fields, metadata: params.metadata(record.metadata) });
}

/** Cancels the customer's subscriptions immediately. The customer can still be retrieved, as deleted. */
export function deleteCustomer(context: Context, id: string): Stripe.DeletedCustomer {
  const record = getCustomer(context, id, 'id');
  const { objects } = context.emulator;
  for (const subscription of subscriptionsOf(context, id)) cancelSubscription(context, subscription);
  const deleted = { ...getRecord(context, 'customer', id), deleted: true };
  objects.update(context.scope, 'customer', deleted, attributesOf(deleted));
  emitEvent(context, 'customer.deleted', showCustomer(context, record));
  return showDeleted(record);
}

export function listCustomers(context: Context, params: Params): List<Stripe.Customer> {
  const email = params.text('email');
  const clock = params.text('test_clock');
  return listPage(context, params, {
    kind: 'customer',
    url: '/v1/customers',
    filters: {
      created: readCreated(params),
      keys: email === undefined ? undefined : [email],
      // Customers on test clocks are listed by their clock only.
      fields: [['$.test_clock', clock ?? null]],
    },
    show: (record) => showCustomer(context, record),
  });
}

function readFields(params: Params): Partial<CustomerRecord> {
  const invoiceSettings = params.object('invoice_settings');
  invoiceSettings?.accept('custom_fields', 'footer', 'rendering_options');
  params.accept('shipping', 'tax', 'tax_id_data', 'source', 'cash_balance', 'default_source');
  params.accept('invoice_prefix', 'business_name', 'individual_name');
  return omitUndefined({
    email: params.emptyable('email'),
    name: params.emptyable('name'),
    phone: params.emptyable('phone'),
    description: params.emptyable('description'),
    balance: params.integer('balance'),
    address: readAddress(params),
    preferred_locales: params.texts('preferred_locales'),
    tax_exempt: params.choice('tax_exempt', ['none', 'exempt', 'reverse']),
    next_invoice_sequence: params.integer('next_invoice_sequence', { min: 1 }),
    default_payment_method: invoiceSettings?.emptyable('default_payment_method'),
  });
}

function readAddress(params: Params): Stripe.Address | null | undefined {
  if (!params.has('address')) return undefined;
  const address = params.object('address');
  if (address === undefined) return null;
  const part = (name: keyof Stripe.Address) => address.emptyable(name) ?? null;
  return {
    city: part('city'),
    country: part('country'),
    line1: part('line1'),
    line2: part('line2'),
    postal_code: part('postal_code'),
    state: part('state'),
  };
}
