// Stored and rendered form of a customer, and its changes: https://docs.stripe.com/api/customers/object.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import { resourceMissing } from '../core/stripe-error.ts';
import type { CustomerRecord } from '../store/records.ts';
import { changedFields } from './changed-fields.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord } from './list-page.ts';

export function showCustomer(context: Context, record: CustomerRecord): Stripe.Customer {
  const { deleted: _, default_payment_method, ...same } = record;
  return {
    ...same,
    object: 'customer',
    customer_account: null,
    default_source: null,
    discount: null,
    invoice_prefix: record.id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method,
      footer: null,
      rendering_options: null,
    },
    livemode: context.livemode,
    shipping: null,
    test_clock: record.test_clock ?? null,
  };
}

export function newCustomerRecord(
  id: string,
  created: number,
  fields: Partial<CustomerRecord> = {},
): CustomerRecord {
  return {
    id,
    created,
    email: null,
    name: null,
    phone: null,
    description: null,
    metadata: {},
    address: null,
    balance: 0,
    currency: null,
    delinquent: false,
    deleted: false,
    default_payment_method: null,
    preferred_locales: [],
    tax_exempt: 'none',
    next_invoice_sequence: 1,
    ...fields,
  };
}

/** Adds a customer and emits its event. */
export function addCustomer(context: Context, record: CustomerRecord): Stripe.Customer {
  context.emulator.objects.insert(context.scope, 'customer', record, attributesOf(record));
  const shown = showCustomer(context, record);
  emitEvent(context, 'customer.created', shown);
  return shown;
}

/** Saves a customer and emits an event if it changed. */
export function saveCustomer(context: Context, changed: CustomerRecord): Stripe.Customer {
  const { objects } = context.emulator;
  const before = showCustomer(context, getRecord(context, 'customer', changed.id));
  const shown = showCustomer(context, changed);
  const previous = changedFields(before, shown);
  objects.update(context.scope, 'customer', changed, attributesOf(changed));
  if (previous !== null) emitEvent(context, 'customer.updated', shown, previous);
  return shown;
}

/** @throws {StripeError} if the customer does not exist or is deleted */
export function getCustomer(context: Context, id: string, param = 'customer'): CustomerRecord {
  const record = getRecord(context, 'customer', id, param);
  if (record.deleted) throw resourceMissing('customer', id, param);
  return record;
}

export function attributesOf({ email, deleted }: CustomerRecord) {
  return { key: email, status: deleted ? 'deleted' : null };
}
