// Checkout sessions for subscriptions, and the actions of the checkout page:
// https://docs.stripe.com/api/checkout/sessions.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing } from '../core/stripe-error.ts';
import type { CheckoutLine, CheckoutSessionRecord } from '../store/records.ts';
import { showLineItems } from './checkout-lines.ts';
import { attributesOf, showCheckoutSession } from './checkout-session-record.ts';
import { addCustomer, getCustomer, newCustomerRecord } from './customer-record.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { addTestCard } from './payment-methods.ts';
import { startSubscription } from './subscription-changes.ts';
import { ensureCurrency } from './subscription-params.ts';
import { newSubscriptionRecord } from './subscription-record.ts';
import { atTestClock } from './test-clock-record.ts';

const day = 86_400;

/** Parameters that Stripe supports and the emulator ignores. */
const withoutEffect = [
  ...['adaptive_pricing', 'after_expiration', 'consent_collection', 'currency', 'custom_fields'],
  ...['custom_text', 'customer_creation', 'discounts', 'invoice_creation', 'managed_payments'],
  ...['name_collection', 'origin_context', 'payment_method_collection', 'payment_method_configuration'],
  ...['payment_method_data', 'payment_method_options', 'payment_method_types', 'phone_number_collection'],
  ...['saved_payment_method_options', 'submit_type', 'branding_settings', 'wallet_options'],
  ...['integration_identifier', 'allowed_payment_method_types', 'excluded_payment_method_types'],
];

export function createCheckoutSession(context: Context, params: Params): Stripe.Checkout.Session {
  const lines = params.objects('line_items');
  if (lines === undefined || lines.length === 0) throw parameterMissing('line_items');
  const mode = params.choice('mode', ['payment', 'setup', 'subscription']);
  if (mode === undefined) throw parameterMissing('mode');
  if (mode !== 'subscription') {
    throw invalidRequest('This emulator has checkout for subscriptions only.', { param: 'mode' });
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
  const items = lines.map((line) => readLine(context, line));
  const [first] = items;
  const currency = first && getRecord(context, 'price', first.price).currency;
  if (customer !== undefined) ensureCurrency(context, customer, currency);
  const record: CheckoutSessionRecord = {
    id: newId(context.livemode ? 'cs_live' : 'cs_test', 58),
    created: context.now,
    allow_promotion_codes: params.boolean('allow_promotion_codes') ?? null,
    automatic_tax: isTaxAutomatic,
    billing_address_collection: params.text('billing_address_collection') ?? null,
    cancel_url: params.text('cancel_url') ?? null,
    client_reference_id: params.text('client_reference_id') ?? null,
    currency: currency ?? null,
    customer: customer === undefined ? null : getCustomer(context, customer).id,
    customer_email: params.text('customer_email') ?? null,
    customer_name: null,
    expires_at: params.integer('expires_at') ?? context.now + day,
    invoice: null,
    lines: items,
    locale: params.text('locale') ?? null,
    metadata: params.metadata(),
    mode,
    paid_email: null,
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    subscription_description: subscription?.text('description') ?? null,
    subscription_metadata: subscription?.metadata() ?? {},
    success_url: params.requiredText('success_url'),
    trial_period_days: subscription?.integer('trial_period_days', { min: 1 }) ?? null,
  };
  if (record.customer !== null && record.customer_email !== null) {
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.', {
      param: 'customer',
    });
  }
  context.emulator.objects.insert(context.scope, 'checkout.session', record, attributesOf(record));
  return showCheckoutSession(context, record);
}

export function listCheckoutSessions(context: Context, params: Params): List<Stripe.Checkout.Session> {
  const subscription = params.text('subscription');
  const status = params.choice('status', ['open', 'complete', 'expired']);
  params.accept('customer_details', 'payment_intent', 'payment_link', 'customer_account');
  return listPage(context, params, {
    kind: 'checkout.session',
    url: '/v1/checkout/sessions',
    filters: {
      created: readCreated(params),
      parent: params.text('customer'),
      statuses: status && [status],
      fields: subscription === undefined ? [] : [['$.subscription', subscription]],
    },
    show: (record) => showCheckoutSession(context, record),
  });
}

export function listCheckoutLines(context: Context, params: Params, id: string): List<Stripe.LineItem> {
  params.accept('limit', 'starting_after', 'ending_before');
  return showLineItems(context, getRecord(context, 'checkout.session', id));
}

export function expireCheckoutSession(context: Context, id: string): Stripe.Checkout.Session {
  const record = getRecord(context, 'checkout.session', id);
  if (record.status !== 'open') {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ` +
        `\`${record.status}\`.`,
    );
  }
  const expired: CheckoutSessionRecord = { ...record, status: 'expired' };
  context.emulator.objects.update(context.scope, 'checkout.session', expired, attributesOf(expired));
  const shown = showCheckoutSession(context, expired);
  emitEvent(context, 'checkout.session.expired', shown);
  return shown;
}

/**
 * Pays the session: creates the customer if there is none, the subscription and its paid invoice.
 *
 * @returns the URL to redirect to
 */
export function payCheckoutSession(
  outer: Context,
  record: CheckoutSessionRecord,
  payer: { email: string; name: string },
): string {
  const context =
    record.customer === null ? outer : atTestClock(outer, getRecord(outer, 'customer', record.customer));
  const { objects } = context.emulator;
  const customer =
    record.customer ??
    addCustomer(
      context,
      newCustomerRecord(newId('cus'), context.now, { email: payer.email, name: payer.name || null }),
    ).id;
  const trialDays = record.trial_period_days;
  const begun = newSubscriptionRecord(
    {
      customer,
      items: record.lines.map(({ price, quantity }) => ({
        price: getRecord(context, 'price', price),
        quantity,
      })),
      startedAt: context.now,
      trialEndsAt: trialDays === null ? null : context.now + trialDays * day,
    },
    {
      automatic_tax: record.automatic_tax ?? false,
      metadata: record.subscription_metadata,
      description: record.subscription_description,
      // The subscription's own card; the customer's default stays as it is.
      default_payment_method: addTestCard(context, customer, 'pm_card_visa').id,
    },
  );
  const subscription = startSubscription(context, begun);
  const complete: CheckoutSessionRecord = {
    ...record,
    customer,
    customer_name: payer.name || null,
    invoice: subscription.latest_invoice,
    paid_email: payer.email || record.customer_email,
    payment_status: trialDays === null ? 'paid' : 'no_payment_required',
    status: 'complete',
    subscription: subscription.id,
  };
  objects.update(context.scope, 'checkout.session', complete, attributesOf(complete));
  emitEvent(context, 'checkout.session.completed', showCheckoutSession(context, complete));
  return (record.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', record.id);
}

/**
 * Whether tax is automatic. What the checkout asks of an existing customer must be allowed to be stored there:
 * https://docs.stripe.com/tax/checkout/tax-ids, https://docs.stripe.com/payments/checkout/taxes.
 */
function readTax(context: Context, params: Params, customer: string | undefined): boolean {
  const tax = params.object('automatic_tax');
  tax?.accept('liability');
  const taxIds = params.object('tax_id_collection');
  taxIds?.accept('required');
  const update = params.object('customer_update');
  if (update !== undefined && customer === undefined) {
    throw invalidRequest('`customer_update` can only be used with `customer`.');
  }
  const isUpdated = (field: 'address' | 'name' | 'shipping') =>
    update?.choice(field, ['auto', 'never']) === 'auto';
  const [address, name, shipping] = [isUpdated('address'), isUpdated('name'), isUpdated('shipping')];
  const enabled = (object: Params | undefined) => object?.requiredBoolean('enabled') ?? false;
  if (enabled(taxIds) && customer !== undefined && !name) {
    throw invalidRequest(
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing ' +
        'customer, please set `customer_update[name]` to `auto`.',
    );
  }
  if (!enabled(tax)) return false;
  if (customer !== undefined && !address && !shipping && getCustomer(context, customer).address === null) {
    throw invalidRequest(
      'Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the ' +
        "Customer or set `customer_update[address]` to 'auto' to save the billing address entered in Checkout to the " +
        'Customer.',
      { code: 'customer_tax_location_invalid' },
    );
  }
  return true;
}

function readLine(context: Context, line: Params): CheckoutLine {
  line.accept('adjustable_quantity', 'dynamic_tax_rates', 'tax_rates');
  const price = getRecord(context, 'price', line.requiredText('price'), line.nameOf('price'));
  const quantity = line.integer('quantity', { min: 1 });
  const id = newId('li', 24);
  if (price.recurring === null) {
    throw invalidRequest('This emulator has recurring prices only in checkout.', {
      param: line.nameOf('price'),
    });
  }
  if (price.recurring.usage_type === 'metered') {
    if (quantity === undefined) return { id, price: price.id };
    throw invalidRequest('Quantity should not be specified where usage_type is `metered`.', {
      param: line.nameOf('quantity'),
    });
  }
  if (quantity === undefined) {
    throw invalidRequest('Quantity is required. Add `quantity` to `line_items[0]`.', {
      param: line.nameOf('quantity'),
    });
  }
  return { id, price: price.id, quantity };
}
