// Cards and bank accounts: https://docs.stripe.com/api/payment_methods. Stripe's test cards stand for new cards, as in its test mode.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing, StripeError } from '../core/stripe-error.ts';
import type { DelayedMethod, PaymentMethodRecord } from '../store/payment-records.ts';
import type { CustomerRecord, SubscriptionRecord } from '../store/records.ts';
import { getCustomer } from './customer-record.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, type List, listPage } from './list-page.ts';

/** The test cards that Stripe names, by what a charge of them does. */
const testCards = new Map<string, Omit<PaymentMethodRecord, 'created' | 'customer' | 'id'>>([
  ['pm_card_visa', { brand: 'visa', last4: '4242', isDeclined: false }],
  ['pm_card_mastercard', { brand: 'mastercard', last4: '4444', isDeclined: false }],
  ['pm_card_chargeCustomerFail', { brand: 'visa', last4: '0341', isDeclined: true }],
  ['pm_card_createDispute', { brand: 'visa', last4: '0259', isDeclined: false, isDisputed: true }],
]);

/** The bank debit of a currency. Stripe offers what an account has enabled; accounts of the emulator have all of them enabled. */
export function delayedMethodOf(currency: string | null): DelayedMethod | null {
  if (currency === 'eur') return 'sepa_debit';
  if (currency === 'gbp') return 'bacs_debit';
  return currency === 'usd' ? 'us_bank_account' : null;
}

/** The last digits of Stripe's test accounts. */
const testAccounts: Record<DelayedMethod, string> = {
  bacs_debit: '2345',
  sepa_debit: '3201',
  us_bank_account: '6789',
};

/** Attaches a card, or a new one for a test card's name. @returns the attached card's id */
export function attachCard(context: Context, customerId: string, id: string, param: string): string {
  if (!testCards.has(id)) {
    const existing = getRecord(context, 'payment_method', id, param);
    if (existing.customer === customerId) return id;
    if (existing.customer === null) {
      const attached = { ...existing, customer: customerId };
      context.emulator.objects.update(context.scope, 'payment_method', attached, { parent: customerId });
      emitEvent(context, 'payment_method.attached', showPaymentMethod(context, attached));
      return id;
    }
    throw invalidRequest('The payment method you provided has already been attached to a customer.', {
      param,
    });
  }
  const record = addTestCard(context, customerId, id);
  emitEvent(context, 'payment_method.attached', showPaymentMethod(context, record));
  return record.id;
}

/** Adds a new card without an event. @param name such as `pm_card_visa` */
export function addTestCard(context: Context, customer: string | null, name: string): PaymentMethodRecord {
  const card = testCards.get(name);
  if (card === undefined) throw invalidRequest(`No such test card: ${name}`);
  return add(context, customer, card);
}

/** Adds a new bank account without an event. */
export function addBankAccount(
  context: Context,
  customer: string | null,
  type: DelayedMethod,
): PaymentMethodRecord {
  return add(context, customer, { type, brand: '', last4: testAccounts[type], isDeclined: false });
}

function add(
  context: Context,
  customer: string | null,
  method: Omit<PaymentMethodRecord, 'created' | 'customer' | 'id'>,
): PaymentMethodRecord {
  const record: PaymentMethodRecord = { id: newId('pm', 24), created: context.now, customer, ...method };
  context.emulator.objects.insert(context.scope, 'payment_method', record, { parent: customer });
  return record;
}

export const delayedMethods = ['bacs_debit', 'sepa_debit', 'us_bank_account'] as const;

/** Bank accounts only: new cards are Stripe's test cards. Whether their debits succeed is decided by the control API. */
export function createPaymentMethod(context: Context, params: Params): Stripe.PaymentMethod {
  params.requiredText('type');
  const type = params.choice('type', delayedMethods) ?? 'sepa_debit';
  const details = params.object(type);
  if (details === undefined) throw parameterMissing(type);
  details.accept(
    'account_number',
    'account_holder_type',
    'account_type',
    'iban',
    'routing_number',
    'sort_code',
  );
  params.accept('allow_redisplay', 'billing_details', 'metadata');
  return showPaymentMethod(context, addBankAccount(context, null, type));
}

/** The payment method of an id, or a new card for a test card's name. @throws {StripeError} 400 unless it may pay for the customer */
export function readMethod(
  context: Context,
  customer: string | null,
  id: string,
  param: string,
): PaymentMethodRecord {
  if (testCards.has(id)) return addTestCard(context, customer, id);
  const method = getRecord(context, 'payment_method', id, param);
  if (method.customer === null || method.customer === customer) return method;
  throw invalidRequest(
    'The provided PaymentMethod is attached to another Customer. Please include the Customer that it belongs to.',
    { param },
  );
}

export function attachPaymentMethod(context: Context, params: Params, id: string): Stripe.PaymentMethod {
  const customer = getCustomer(context, params.requiredText('customer'));
  return retrievePaymentMethod(context, attachCard(context, customer.id, id, 'id'));
}

export function retrievePaymentMethod(context: Context, id: string): Stripe.PaymentMethod {
  return showPaymentMethod(context, getRecord(context, 'payment_method', id));
}

export function listPaymentMethods(context: Context, params: Params): List<Stripe.PaymentMethod> {
  const type = params.choice('type', ['card', ...delayedMethods]);
  return listPage(context, params, {
    kind: 'payment_method',
    url: '/v1/payment_methods',
    filters: {
      parent: params.requiredText('customer'),
      fields: type === undefined ? [] : [['$.type', type === 'card' ? null : type]],
    },
    show: (record) => showPaymentMethod(context, record),
  });
}

/** What a subscription or an invoice is charged to: its own method, or the customer's default. @throws {StripeError} if it has none */
export function cardOf(
  context: Context,
  customer: CustomerRecord,
  { default_payment_method }: { default_payment_method?: string | null },
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

/** What a subscription is charged to; null: nothing. */
export function methodOf(
  context: Context,
  record: Pick<SubscriptionRecord, 'customer' | 'default_payment_method'>,
): PaymentMethodRecord | null {
  const id =
    record.default_payment_method ?? getRecord(context, 'customer', record.customer).default_payment_method;
  return (
    (id === null ? undefined : context.emulator.objects.find(context.scope, 'payment_method', id)) ?? null
  );
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
  const { id, created, customer, brand, last4, type = 'card' } = record;
  const address = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };
  const shown = {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address, email: null, name: null, phone: null, tax_id: null },
    ...(type === 'card'
      ? { card: { brand, last4, exp_month: 12, exp_year: 2034, country: 'US', funding: 'credit' } }
      : { [type]: { last4, fingerprint: null } }),
    created,
    customer,
    customer_account: null,
    livemode: context.livemode,
    metadata: {},
    type,
  };
  return shown as unknown as Stripe.PaymentMethod;
}
