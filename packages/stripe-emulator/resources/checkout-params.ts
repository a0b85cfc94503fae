// Reads the parameters that create a checkout session: its lines, tax, discounts and payment.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing } from '../core/stripe-error.ts';
import type { CheckoutLine, CheckoutPayment, CheckoutSessionRecord, PriceRecord } from '../store/records.ts';
import type { Redemption } from './coupon-record.ts';
import { getCustomer } from './customer-record.ts';
import { readDiscounts } from './discount-record.ts';
import { getRecord } from './list-page.ts';
import { futureUsages } from './payment-intent-record.ts';
import { delayedMethodOf } from './payment-methods.ts';
import { readPriceData } from './price-data.ts';

const ignoredOfLine: (keyof Stripe.Checkout.SessionCreateParams.LineItem)[] = [
  ...(['adjustable_quantity', 'metadata', 'tax_rates'] as const),
];

type Mode = 'payment' | 'subscription';

export function readLines(context: Context, params: Params, mode: Mode): CheckoutLine[] {
  const entries = params.objects('line_items');
  if (entries === undefined || entries.length === 0) throw parameterMissing('line_items');
  const lines = entries.map((entry) => readLine(context, entry, mode));
  const prices = lines.map(({ price }) => getRecord(context, 'price', price));
  if (mode === 'subscription' && prices.every(({ recurring }) => recurring === null)) {
    throw invalidRequest(
      'You must provide at least one recurring price in `subscription` mode when using prices.',
      { param: 'line_items' },
    );
  }
  const other = prices.find(({ currency }) => currency !== prices[0]?.currency);
  if (other !== undefined) {
    throw invalidRequest('All prices on a Checkout Session must have the same currency.', {
      param: 'line_items',
    });
  }
  return lines;
}

function readLine(context: Context, line: Params, mode: Mode): CheckoutLine {
  line.accept(...ignoredOfLine);
  const price = readLinePrice(context, line);
  const quantity = line.integer('quantity', { min: 1 });
  const id = newId('li', 24);
  if (mode === 'payment' && price.recurring !== null) {
    throw invalidRequest(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only ' +
        'one-time prices.',
      { param: line.nameOf('price') },
    );
  }
  if (price.recurring?.usage_type === 'metered') {
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

function readLinePrice(context: Context, line: Params): PriceRecord {
  const data = line.object('price_data');
  if (data !== undefined) return readPriceData(context, data);
  return getRecord(context, 'price', line.requiredText('price'), line.nameOf('price'));
}

/** At most one discount, and none beside `allow_promotion_codes`. */
export function readCheckoutDiscounts(
  context: Context,
  params: Params,
  redemption: Redemption,
): Pick<CheckoutSessionRecord, 'discounts'> {
  const isEntered = params.boolean('allow_promotion_codes') === true;
  const read = readDiscounts(context, params, redemption);
  if (read === undefined || read.length === 0) return {};
  if (isEntered) {
    throw invalidRequest('You may only specify one of these parameters: allow_promotion_codes, discounts.', {
      param: 'allow_promotion_codes',
    });
  }
  if (read.length > 1) {
    throw invalidRequest('You can apply at most one discount to a Checkout Session.', { param: 'discounts' });
  }
  return { discounts: read.flatMap((each) => ('id' in each ? [] : [each])) };
}

/**
 * The types of payment methods that are offered: cards, and the bank debit of the currency, as by an account that has enabled it.
 * `allowed_payment_method_types` and `excluded_payment_method_types` leave some out.
 */
export function readMethodTypes(
  params: Params,
  currency: string | null,
): Pick<
  CheckoutSessionRecord,
  'allowed_payment_method_types' | 'excluded_payment_method_types' | 'payment_method_types'
> {
  const delayed = delayedMethodOf(currency);
  const allowed = params.texts('allowed_payment_method_types');
  const excluded = params.texts('excluded_payment_method_types');
  const offered = ['card', ...(delayed === null ? [] : [delayed])].filter(
    (type) => (allowed === undefined || allowed.includes(type)) && !excluded?.includes(type),
  );
  if (offered.length === 0) {
    throw invalidRequest('No payment method types are left for this Checkout Session in its currency.', {
      param: allowed === undefined ? 'excluded_payment_method_types' : 'allowed_payment_method_types',
    });
  }
  return {
    payment_method_types: offered,
    ...(allowed === undefined ? {} : { allowed_payment_method_types: allowed }),
    ...(excluded === undefined ? {} : { excluded_payment_method_types: excluded }),
  };
}

/** Mode `payment` only. */
export function readPayment(params: Params, mode: Mode): Partial<CheckoutSessionRecord> {
  const data = params.object('payment_intent_data');
  const invoice = params.object('invoice_creation');
  const creation = params.choice('customer_creation', ['always', 'if_required']);
  for (const [name, given] of [
    ['payment_intent_data', data],
    ['invoice_creation', invoice],
    ['customer_creation', creation],
  ] as const) {
    if (given === undefined || mode === 'payment') continue;
    throw invalidRequest(`You can not pass \`${name}\` in \`subscription\` mode.`, { param: name });
  }
  if (mode !== 'payment') return {};
  data?.accept('application_fee_amount', 'on_behalf_of', 'shipping', 'statement_descriptor', 'transfer_data');
  data?.accept('statement_descriptor_suffix', 'transfer_group');
  data?.choice('capture_method', ['automatic', 'automatic_async']);
  invoice?.accept('invoice_data');
  const createsInvoice = invoice?.requiredBoolean('enabled') ?? false;
  const payment: CheckoutPayment = {
    description: data?.text('description') ?? null,
    metadata: data?.metadata() ?? {},
    receipt_email: data?.text('receipt_email') ?? null,
    setup_future_usage: data?.choice('setup_future_usage', futureUsages) ?? null,
  };
  const needsCustomer = createsInvoice || payment.setup_future_usage !== null;
  return {
    payment,
    customer_creation: needsCustomer ? 'always' : (creation ?? 'if_required'),
    ...(createsInvoice ? { createsInvoice } : {}),
  };
}

/**
 * Whether tax is automatic. What the checkout asks of an existing customer must be allowed to be stored there:
 * https://docs.stripe.com/tax/checkout/tax-ids, https://docs.stripe.com/payments/checkout/taxes.
 */
export function readTax(context: Context, params: Params, customer: string | undefined): boolean {
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
