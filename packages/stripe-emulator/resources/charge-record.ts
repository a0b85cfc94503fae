// Stored and rendered form of a charge: https://docs.stripe.com/api/charges/object.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { ChargeRecord, PaymentMethodRecord } from '../store/payment-records.ts';
import { changedFields } from './changed-fields.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord } from './list-page.ts';

export function showCharge(context: Context, record: ChargeRecord): Stripe.Charge {
  const { dispute, email, name, status } = record;
  const isPaid = status === 'succeeded';
  const method = methodOf(context, record.payment_method);
  const shown = {
    id: record.id,
    object: 'charge',
    amount: record.amount,
    amount_captured: isPaid ? record.amount : 0,
    amount_refunded: record.amount_refunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: record.balance_transaction,
    billing_details: { address: noAddress, email, name, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: status !== 'failed',
    created: record.created,
    currency: record.currency,
    customer: record.customer,
    description: record.description,
    disputed: dispute !== null,
    failure_balance_transaction: null,
    failure_code: record.failure_code,
    failure_message: record.failure_message,
    fraud_details: {},
    livemode: context.livemode,
    metadata: record.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(record),
    paid: isPaid,
    payment_intent: record.payment_intent,
    payment_method: record.payment_method,
    payment_method_details: method === null ? null : detailsOf(method),
    receipt_email: record.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: isPaid && record.amount_refunded === record.amount,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status,
    transfer_data: null,
    transfer_group: null,
  };
  return shown as unknown as Stripe.Charge;
}

const noAddress = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
};

function methodOf(context: Context, id: string | null): PaymentMethodRecord | null {
  return id === null ? null : getRecord(context, 'payment_method', id);
}

function detailsOf({ brand, last4, type }: PaymentMethodRecord) {
  if (type !== undefined)
    return { type, [type]: { last4, bank_code: null, fingerprint: null, mandate: null } };
  const checks = { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' };
  const card = { brand, checks, country: 'US', exp_month: 12, exp_year: 2034, funding: 'credit', last4 };
  return {
    type: 'card',
    card: { ...card, installments: null, network: brand, three_d_secure: null, wallet: null },
  };
}

function outcomeOf({ status }: ChargeRecord) {
  const isDeclined = status === 'failed';
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: isDeclined ? 'declined_by_network' : 'approved_by_network',
    reason: isDeclined ? 'generic_decline' : null,
    risk_level: 'normal',
    seller_message: isDeclined
      ? 'The bank did not return any further details with this decline.'
      : 'Payment complete.',
    type: isDeclined ? 'issuer_declined' : 'authorized',
  };
}

export function attributesOf({ customer, payment_intent, status }: ChargeRecord) {
  return { parent: customer, key: payment_intent, status };
}

/** Saves a charge and emits an event of its own type. */
export function saveCharge(
  context: Context,
  changed: ChargeRecord,
  type: Stripe.Event.Type,
  isPreviousSent = false,
): ChargeRecord {
  const shown = showCharge(context, changed);
  const before = showCharge(context, getRecord(context, 'charge', changed.id));
  context.emulator.objects.update(context.scope, 'charge', changed, attributesOf(changed));
  emitEvent(context, type, shown, isPreviousSent ? changedFields(before, shown) : null);
  return changed;
}
