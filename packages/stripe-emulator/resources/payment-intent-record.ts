// Stored and rendered form of a payment intent: https://docs.stripe.com/api/payment_intents/object.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { PaymentIntentRecord } from '../store/payment-records.ts';
import { emitEvent } from './emit-event.ts';

export function showPaymentIntent(context: Context, record: PaymentIntentRecord): Stripe.PaymentIntent {
  const { failure, invoice, secret, ...same } = record;
  const isDelayed = record.payment_method_types.some((type) => type !== 'card');
  const shown = {
    ...same,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount_capturable: 0,
    amount_details: { tip: {} },
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    capture_method: 'automatic_async',
    client_secret: clientSecretOf(record),
    confirmation_method: 'automatic',
    customer_account: null,
    excluded_payment_method_types: null,
    last_payment_error: failure === null ? null : showFailure(failure),
    livemode: context.livemode,
    managed_payments: null,
    next_action: null,
    on_behalf_of: null,
    payment_method_configuration_details: null,
    payment_method_options: isDelayed ? {} : { card: { request_three_d_secure: 'automatic' } },
    payment_record: null,
    processing: null,
    review: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    transfer_data: null,
    transfer_group: null,
  };
  return shown as unknown as Stripe.PaymentIntent;
}

function showFailure({ charge, code, message }: NonNullable<PaymentIntentRecord['failure']>) {
  const isCard = code === 'card_declined';
  return {
    charge,
    code,
    ...(isCard ? { decline_code: 'generic_decline' } : {}),
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
    message,
    type: isCard ? 'card_error' : 'invalid_request_error',
  };
}

export function clientSecretOf({ id, secret }: PaymentIntentRecord): string {
  return `${id}_secret_${secret}`;
}

export const futureUsages = ['off_session', 'on_session'] as const;

export type NewPayment = Pick<PaymentIntentRecord, 'amount' | 'currency' | 'customer'> &
  Partial<PaymentIntentRecord>;

/** Adds a payment intent that waits for a payment method, and emits its event. */
export function addPaymentIntent(context: Context, fields: NewPayment): PaymentIntentRecord {
  const record: PaymentIntentRecord = {
    id: newId('pi', 24),
    created: context.now,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    secret: newId('x', 24).slice(2),
    description: null,
    failure: null,
    latest_charge: null,
    metadata: {},
    payment_method: null,
    payment_method_types: ['card'],
    receipt_email: null,
    setup_future_usage: null,
    status: 'requires_payment_method',
    invoice: null,
    ...fields,
  };
  context.emulator.objects.insert(context.scope, 'payment_intent', record, attributesOf(record));
  emitEvent(context, 'payment_intent.created', showPaymentIntent(context, record));
  return record;
}

/** @param type of the event; null: none, as when only fields are edited */
export function savePaymentIntent(
  context: Context,
  changed: PaymentIntentRecord,
  type: Stripe.Event.Type | null,
): PaymentIntentRecord {
  context.emulator.objects.update(context.scope, 'payment_intent', changed, attributesOf(changed));
  if (type !== null) emitEvent(context, type, showPaymentIntent(context, changed));
  return changed;
}

export function attributesOf({ customer, invoice, status }: PaymentIntentRecord) {
  return { parent: customer, key: invoice, status };
}
