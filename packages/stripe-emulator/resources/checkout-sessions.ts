// Checkout sessions for subscriptions and one-time payments: https://docs.stripe.com/api/checkout/sessions. `pay-checkout.ts` pays them.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing } from '../core/stripe-error.ts';
import type { CheckoutSessionRecord } from '../store/records.ts';
import { amountsOf, showLineItems } from './checkout-lines.ts';
import {
  readCheckoutDiscounts,
  readLines,
  readMethodTypes,
  readPayment,
  readTax,
} from './checkout-params.ts';
import { attributesOf, saveSession, showCheckoutSession } from './checkout-session-record.ts';
import { getCustomer } from './customer-record.ts';
import { redeemedBy } from './discount-record.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { ensureCurrency } from './subscription-params.ts';

const day = 86_400;

/** Parameters that Stripe supports and the emulator ignores. */
const withoutEffect: (keyof Stripe.Checkout.SessionCreateParams)[] = [
  ...(['adaptive_pricing', 'after_expiration', 'branding_settings', 'consent_collection'] as const),
  ...(['currency', 'custom_fields', 'custom_text', 'integration_identifier', 'managed_payments'] as const),
  ...(['name_collection', 'origin_context', 'payment_method_configuration'] as const),
  ...(['payment_method_data', 'payment_method_options', 'phone_number_collection'] as const),
  ...(['saved_payment_method_options', 'submit_type', 'wallet_options'] as const),
];

export function createCheckoutSession(context: Context, params: Params): Stripe.Checkout.Session {
  const mode = params.choice('mode', ['payment', 'setup', 'subscription']);
  if (!params.has('line_items')) throw parameterMissing('line_items');
  if (mode === undefined) throw parameterMissing('mode');
  if (mode === 'setup') {
    throw invalidRequest('This emulator has checkout for payments and subscriptions only.', {
      param: 'mode',
    });
  }
  const uiMode = params.choice('ui_mode', ['hosted', 'hosted_page', 'embedded_page', 'elements', 'form']);
  if (uiMode && !uiMode.startsWith('hosted')) {
    throw invalidRequest('This emulator has the hosted checkout page only.', { param: 'ui_mode' });
  }
  params.accept(...withoutEffect);
  const customer = params.text('customer');
  const isTaxAutomatic = readTax(context, params, customer);
  const subscription = params.object('subscription_data');
  subscription?.accept('billing_cycle_anchor', 'proration_behavior', 'trial_settings', 'invoice_settings');
  subscription?.accept('billing_mode', 'default_tax_rates', 'application_fee_percent');
  if (subscription !== undefined && mode === 'payment') {
    throw invalidRequest('You can not pass `subscription_data` in `payment` mode.', {
      param: 'subscription_data',
    });
  }
  const lines = readLines(context, params, mode);
  const [first] = lines;
  const currency = (first && getRecord(context, 'price', first.price).currency) ?? null;
  if (customer !== undefined && mode === 'subscription') {
    ensureCurrency(context, customer, currency ?? undefined);
  }
  const collection = params.choice('payment_method_collection', ['always', 'if_required']);
  const record: CheckoutSessionRecord = {
    id: newId(context.livemode ? 'cs_live' : 'cs_test', 58),
    created: context.now,
    allow_promotion_codes: params.boolean('allow_promotion_codes') ?? null,
    automatic_tax: isTaxAutomatic,
    billing_address_collection: params.text('billing_address_collection') ?? null,
    cancel_url: params.url('cancel_url') ?? null,
    client_reference_id: params.text('client_reference_id') ?? null,
    currency,
    customer: customer === undefined ? null : getCustomer(context, customer).id,
    customer_email: params.text('customer_email') ?? null,
    customer_name: null,
    expires_at: params.integer('expires_at') ?? context.now + day,
    invoice: null,
    lines,
    locale: params.text('locale') ?? null,
    metadata: params.metadata(),
    mode,
    paid_email: null,
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    subscription_description: subscription?.text('description') ?? null,
    subscription_metadata: subscription?.metadata() ?? {},
    success_url: params.url('success_url') ?? params.requiredText('success_url'),
    trial_period_days: subscription?.integer('trial_period_days', { min: 1 }) ?? null,
    ...(collection === undefined ? {} : { payment_method_collection: collection }),
    ...readMethodTypes(params, currency),
    ...readPayment(params, mode),
  };
  if (record.customer !== null && record.customer_email !== null) {
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.', {
      param: 'customer',
    });
  }
  const discounted = { ...record, ...readCheckoutDiscounts(context, params, redemptionOf(context, record)) };
  context.emulator.objects.insert(context.scope, 'checkout.session', discounted, attributesOf(discounted));
  return showCheckoutSession(context, discounted);
}

function redemptionOf(context: Context, session: CheckoutSessionRecord) {
  const { customer, currency } = session;
  return { customer, currency: currency ?? '', amount: amountsOf(context, session).subtotal };
}

/**
 * Applies a promotion code that was entered on the page; an empty one removes it.
 *
 * @throws {StripeError} if there is no such code, or it cannot be redeemed
 */
export function enterPromotionCode(
  context: Context,
  session: CheckoutSessionRecord,
  entered: string,
): CheckoutSessionRecord {
  const { discounts: _, ...undiscounted } = session;
  if (entered === '') return saveSession(context, undiscounted);
  const keys = [entered.toUpperCase()];
  const codes = context.emulator.objects.all(context.scope, 'promotion_code', { keys, statuses: ['active'] });
  const code = codes.find(({ customer }) => customer === session.customer) ?? codes[0];
  if (code === undefined || session.allow_promotion_codes !== true) {
    throw invalidRequest('This code is invalid.', { param: 'promotion_code' });
  }
  const redemption = redemptionOf(context, session);
  const discounts = [redeemedBy(context, code.id, redemption, 'promotion_code')];
  const discounted = { ...undiscounted, discounts };
  const { discount, subtotal } = amountsOf(context, discounted);
  if (discount === 0 && subtotal > 0) {
    throw invalidRequest('This code does not apply to what you buy.', { param: 'promotion_code' });
  }
  return saveSession(context, discounted);
}

export function listCheckoutSessions(context: Context, params: Params): List<Stripe.Checkout.Session> {
  const subscription = params.text('subscription');
  const intent = params.text('payment_intent');
  const status = params.choice('status', ['open', 'complete', 'expired']);
  params.accept('customer_details', 'payment_link', 'customer_account');
  return listPage(context, params, {
    kind: 'checkout.session',
    url: '/v1/checkout/sessions',
    filters: {
      created: readCreated(params),
      parent: params.text('customer'),
      statuses: status && [status],
      fields: [
        ...(subscription === undefined ? [] : ([['$.subscription', subscription]] as const)),
        ...(intent === undefined ? [] : ([['$.payment_intent', intent]] as const)),
      ],
    },
    show: (record) => showCheckoutSession(context, record),
  });
}

export function listCheckoutLines(context: Context, params: Params, id: string): List<Stripe.LineItem> {
  params.accept('limit', 'starting_after', 'ending_before');
  return showLineItems(context, getRecord(context, 'checkout.session', id), params);
}

export function expireCheckoutSession(context: Context, id: string): Stripe.Checkout.Session {
  const record = getRecord(context, 'checkout.session', id);
  if (record.status !== 'open') {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ` +
        `\`${record.status}\`.`,
    );
  }
  const shown = showCheckoutSession(context, saveSession(context, { ...record, status: 'expired' }));
  emitEvent(context, 'checkout.session.expired', shown);
  return shown;
}
