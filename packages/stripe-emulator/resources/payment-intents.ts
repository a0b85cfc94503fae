// Payment intents: https://docs.stripe.com/api/payment_intents. They are captured automatically.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing, StripeError } from '../core/stripe-error.ts';
import type { PaymentIntentRecord } from '../store/payment-records.ts';
import { cancelPayment, chargePayment, outcomeOf } from './charge-payment.ts';
import { getCustomer } from './customer-record.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';
import {
  addPaymentIntent,
  futureUsages,
  savePaymentIntent,
  showPaymentIntent,
} from './payment-intent-record.ts';
import { addBankAccount, delayedMethodOf, delayedMethods, readMethod } from './payment-methods.ts';
import { applyOutcome } from './settle-payment.ts';
import { atTestClock } from './test-clock-record.ts';

/** Parameters that Stripe supports and the emulator ignores. */
const ignored: (keyof Stripe.PaymentIntentCreateParams)[] = [
  ...(['amount_details', 'application_fee_amount', 'automatic_payment_methods'] as const),
  ...(['confirmation_method', 'customer_account', 'error_on_requires_action'] as const),
  ...(['excluded_payment_method_types', 'hooks', 'mandate', 'mandate_data', 'off_session'] as const),
  ...(['on_behalf_of', 'payment_details', 'payment_method_configuration'] as const),
  ...(['payment_method_options', 'radar_options', 'return_url', 'shipping'] as const),
  ...(['statement_descriptor', 'statement_descriptor_suffix', 'transfer_data'] as const),
  ...(['transfer_group', 'use_stripe_sdk'] as const),
];

/** Stripe's limit, in minor units. */
const maxAmount = 99_999_999;

export function createPaymentIntent(outer: Context, params: Params): Stripe.PaymentIntent {
  const customerId = params.text('customer');
  const customer = customerId === undefined ? null : getCustomer(outer, customerId);
  const context = atTestClock(outer, customer ?? {});
  const amount = params.integer('amount', { min: 1, max: maxAmount });
  if (amount === undefined) throw parameterMissing('amount');
  const currency = params.currency('currency');
  if (currency === undefined) throw parameterMissing('currency');
  params.accept(...ignored);
  params.choice('capture_method', ['automatic', 'automatic_async']);
  const intent = addPaymentIntent(context, {
    amount,
    currency,
    customer: customer?.id ?? null,
    metadata: params.metadata(),
    payment_method_types: readTypes(params, currency),
    ...readFields(params),
  });
  const method = readGivenMethod(context, params, intent);
  const chosen =
    method === null
      ? intent
      : savePaymentIntent(
          context,
          { ...intent, payment_method: method, status: 'requires_confirmation' },
          null,
        );
  return params.boolean('confirm') ? confirm(context, chosen) : showPaymentIntent(context, chosen);
}

/** Cards, and the bank debit of the currency. */
function readTypes(params: Params, currency: string): string[] {
  const allowed = params.texts('allowed_payment_method_types');
  const delayed = delayedMethodOf(currency);
  const types = ['card', ...(delayed === null ? [] : [delayed])];
  return allowed === undefined ? types : types.filter((type) => allowed.includes(type));
}

function readFields(params: Params): Partial<PaymentIntentRecord> {
  return omitUndefined({
    description: params.emptyable('description'),
    receipt_email: params.emptyable('receipt_email'),
    setup_future_usage: params.choice('setup_future_usage', futureUsages),
  });
}

/** A payment method's id, or the bank account that `payment_method_data` describes. */
function readGivenMethod(context: Context, params: Params, { customer }: PaymentIntentRecord): string | null {
  const id = params.text('payment_method');
  const data = params.object('payment_method_data');
  data?.accept('allow_redisplay', 'billing_details', 'metadata', ...delayedMethods);
  const type = data?.choice('type', delayedMethods);
  if (type !== undefined) return addBankAccount(context, customer, type).id;
  return id === undefined ? null : readMethod(context, customer, id, 'payment_method').id;
}

export function updatePaymentIntent(outer: Context, params: Params, id: string): Stripe.PaymentIntent {
  const record = getRecord(outer, 'payment_intent', id);
  const context = contextFor(outer, record);
  params.accept(...ignored, 'allowed_payment_method_types', 'capture_method');
  const amount = params.integer('amount', { min: 1, max: maxAmount });
  if (amount !== undefined && isOver(record)) throw unexpectedState(record, 'updated');
  const method = readGivenMethod(context, params, record);
  const changed: PaymentIntentRecord = {
    ...record,
    ...omitUndefined({ amount, currency: params.currency('currency') }),
    ...readFields(params),
    ...(method === null ? {} : { payment_method: method, status: 'requires_confirmation' as const }),
    metadata: params.metadata(record.metadata),
  };
  return showPaymentIntent(context, savePaymentIntent(context, changed, null));
}

export function confirmPaymentIntent(outer: Context, params: Params, id: string): Stripe.PaymentIntent {
  const record = getRecord(outer, 'payment_intent', id);
  const context = contextFor(outer, record);
  params.accept(...ignored, 'client_secret', 'receipt_email', 'setup_future_usage', 'capture_method');
  params.accept('allowed_payment_method_types');
  if (isOver(record)) throw unexpectedState(record, 'confirmed');
  const method = readGivenMethod(context, params, record) ?? record.payment_method;
  return confirm(context, { ...record, payment_method: method });
}

/** @throws {StripeError} 402 for a declined card */
function confirm(context: Context, intent: PaymentIntentRecord): Stripe.PaymentIntent {
  if (intent.payment_method === null) {
    throw invalidRequest(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the " +
        'PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment ' +
        'method or ConfirmationToken.',
      { code: 'payment_intent_unexpected_state' },
    );
  }
  const method = getRecord(context, 'payment_method', intent.payment_method);
  // The request is rolled back. Stripe's would leave a failed charge.
  if (outcomeOf(method) === 'failed') throw declined(context, intent);
  const customer = intent.customer === null ? null : getRecord(context, 'customer', intent.customer);
  const payer = { email: customer?.email ?? null, name: customer?.name ?? null };
  const types = method.type === undefined ? intent.payment_method_types : [method.type];
  const charged = chargePayment(context, { ...intent, payment_method_types: types }, method, payer);
  applyOutcome(context, charged.intent, charged.outcome);
  return showPaymentIntent(context, charged.intent);
}

function declined(context: Context, intent: PaymentIntentRecord): StripeError {
  const shown = showPaymentIntent(context, { ...intent, status: 'requires_payment_method' });
  return new StripeError(402, {
    type: 'card_error',
    code: 'card_declined',
    message: 'Your card was declined.',
    decline_code: 'generic_decline',
    payment_intent: shown,
  });
}

export function cancelPaymentIntent(outer: Context, params: Params, id: string): Stripe.PaymentIntent {
  const record = getRecord(outer, 'payment_intent', id);
  const context = contextFor(outer, record);
  const reason = params.choice('cancellation_reason', [
    'abandoned',
    'duplicate',
    'fraudulent',
    'requested_by_customer',
  ]);
  if (isOver(record)) throw unexpectedState(record, 'canceled');
  if (record.invoice !== null) {
    throw invalidRequest('You cannot cancel PaymentIntents of an invoice. Void the invoice instead.', {
      code: 'payment_intent_unexpected_state',
    });
  }
  return showPaymentIntent(context, cancelPayment(context, record, reason ?? null));
}

function contextFor(outer: Context, { customer }: PaymentIntentRecord): Context {
  return atTestClock(outer, customer === null ? {} : getRecord(outer, 'customer', customer));
}

function isOver({ status }: PaymentIntentRecord): boolean {
  return ['canceled', 'processing', 'succeeded'].includes(status);
}

function unexpectedState({ status }: PaymentIntentRecord, action: string): StripeError {
  return invalidRequest(`This PaymentIntent could not be ${action} because it has a status of ${status}.`, {
    code: 'payment_intent_unexpected_state',
  });
}

export function listPaymentIntents(context: Context, params: Params): List<Stripe.PaymentIntent> {
  params.accept('customer_account');
  return listPage(context, params, {
    kind: 'payment_intent',
    url: '/v1/payment_intents',
    filters: { created: readCreated(params), parent: params.text('customer') },
    show: (record) => showPaymentIntent(context, record),
  });
}
