// Cards of customers: https://docs.stripe.com/api/payment_methods. Stripe's test cards stand for new cards, as in its test mode.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, StripeError } from '../core/stripe-error.ts';
import type { CustomerRecord, PaymentMethodRecord, SubscriptionRecord } from '../store/records.ts';
import { getCustomer } from './customer-record.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, type List, listPage } from './list-page.ts';

/** The test cards that Stripe names, by what a charge of them does. */
const testCards = new Map<string, Pick<PaymentMethodRecord, 'brand' | 'last4' | 'isDeclined'>>([
  ['pm_card_visa', { brand: 'visa', last4: '4242', isDeclined: false }],
  ['pm_card_mastercard', { brand: 'mastercard', last4: '4444', isDeclined: false }],
  ['pm_card_chargeCustomerFail', { brand: 'visa', last4: '0341', isDeclined: true }],
]);

/** Attaches a card, or a new one for a test card's name. @returns the attached card's id */
export function attachCard(context: Context, customerId: string, id: string, param: string): string {
  if (!testCards.has(id)) {
    const existing = getRecord(context, 'payment_method', id, param);
    if (existing.customer === customerId) return id;
    throw invalidRequest('The payment method you provided has already been attached to a customer.', {
      param,
    });
  }
  const record = addTestCard(context, customerId, id);
  emitEvent(context, 'payment_method.attached', showPaymentMethod(context, record));
  return record.id;
}

/** Adds a new card without an event. @param name such as `pm_card_visa` */
export function addTestCard(context: Context, customer: string, name: string): PaymentMethodRecord {
  const card = testCards.get(name);
  if (card === undefined) throw invalidRequest(`No such test card: ${name}`);
  const record: PaymentMethodRecord = { id: newId('pm', 24), created: context.now, customer, ...card };
  context.emulator.objects.insert(context.scope, 'payment_method', record, { parent: customer });
  return record;
}

export function attachPaymentMethod(context: Context, params: Params, id: string): Stripe.PaymentMethod {
  const customer = getCustomer(context, params.requiredText('customer'));
  return retrievePaymentMethod(context, attachCard(context, customer.id, id, 'id'));
}

export function retrievePaymentMethod(context: Context, id: string): Stripe.PaymentMethod {
  return showPaymentMethod(context, getRecord(context, 'payment_method', id));
}

export function listPaymentMethods(context: Context, params: Params): List<Stripe.PaymentMethod> {
  params.choice('type', ['card']);
  return listPage(context, params, {
    kind: 'payment_method',
    url: '/v1/payment_methods',
    filters: { parent: params.requiredText('customer') },
    show: (record) => showPaymentMethod(context, record),
  });
}

/** The card that a subscription is charged to: its own, or the customer's default. @throws {StripeError} if it has none */
export function cardOf(
  context: Context,
  customer: CustomerRecord,
  { default_payment_method }: Pick<SubscriptionRecord, 'default_payment_method'>,
): PaymentMethodRecord {
  const id = default_payment_method ?? customer.default_payment_method;
  if (id !== null) return getRecord(context, 'payment_method', id, 'default_payment_method');
  throw invalidRequest(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment ' +
      'method. For more information, visit ' +
      'https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.',
    { code: 'resource_missing' },
  );
}

/** Whether a charge of the subscription's card succeeds; null without a card. */
export function isCardGood(context: Context, record: SubscriptionRecord): boolean | null {
  const id =
    record.default_payment_method ?? getRecord(context, 'customer', record.customer).default_payment_method;
  const card = id === null ? undefined : context.emulator.objects.find(context.scope, 'payment_method', id);
  return card === undefined ? null : !card.isDeclined;
}

/** @throws {StripeError} 400 unless the card belongs to the customer */
export function ensureOwnCard(context: Context, customerId: string, id: string, param: string): void {
  const card = context.emulator.objects.find(context.scope, 'payment_method', id);
  if (card?.customer === customerId) return;
  throw invalidRequest(
    `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param },
  );
}

export function declinedCard(): StripeError {
  return new StripeError(402, {
    type: 'card_error',
    code: 'card_declined',
    message: 'Your card was declined.',
  });
}

function showPaymentMethod(context: Context, record: PaymentMethodRecord): Stripe.PaymentMethod {
  const { id, created, customer, brand, last4 } = record;
  const address = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };
  const shown = {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address, email: null, name: null, phone: null, tax_id: null },
    card: { brand, last4, exp_month: 12, exp_year: 2034, country: 'US', funding: 'credit' },
    created,
    customer,
    customer_account: null,
    livemode: context.livemode,
    metadata: {},
    type: 'card',
  };
  return shown as unknown as Stripe.PaymentMethod;
}
