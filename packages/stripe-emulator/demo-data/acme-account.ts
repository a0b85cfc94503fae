// Demo accounts of two fictional companies: Acme, with 12 products and 250 customers per mode, and Fennel, a smaller second
// account.
import { createAccount } from '../control/create-account.ts';
import { personNames } from '../control/people.ts';
import { type Context, contextOf, type Emulator, newId } from '../core/emulator.ts';
import { addInterval } from '../resources/add-interval.ts';
import { attributesOf as customerAttributes, newCustomerRecord } from '../resources/customer-record.ts';
import { attributesOf as priceAttributes } from '../resources/price-record.ts';
import { newProductRecord, attributesOf as productAttributes } from '../resources/products.ts';
import {
  newSubscriptionRecord,
  attributesOf as subscriptionAttributes,
} from '../resources/subscription-record.ts';
import type { CustomerRecord, PriceRecord, SubscriptionRecord } from '../store/records.ts';
import { findByKeySuffix, monthly } from './platform-account.ts';
import { type DemoProduct, demoProducts } from './products.ts';

/** Key suffixes, as in `sk_test_emulator_acme`. */
export const acmeKeySuffix = 'acme';
export const fennelKeySuffix = 'fennel';

const day = 86_400;

/** Creates missing accounts. Existing ones stay unchanged. */
export function ensureDemoAccounts(emulator: Emulator): void {
  fill(emulator, { mark: acmeKeySuffix, name: 'Acme Analytics', domain: 'acme-analytics', customers: 250 });
  fill(emulator, { mark: fennelKeySuffix, name: 'Fennel Studio', domain: 'fennel', customers: 40 });
}

interface Company {
  mark: string;
  name: string;
  domain: string;
  customers: number;
}

function fill(emulator: Emulator, { mark, name, domain, customers }: Company): void {
  if (findByKeySuffix(emulator, mark)) return;
  const { accountId } = createAccount(emulator, { mark, name, email: `finance@${domain}.example` });
  const account = emulator.accounts.find(accountId);
  if (account === undefined) throw new Error(`The account of ${name} was not kept`);
  for (const livemode of [false, true]) {
    const context = contextOf(emulator, account, livemode);
    const prices = demoProducts.map((product, index) => addDemoProduct(context, product, index));
    for (let index = 0; index < customers; index += 1) addDemoCustomer(context, index, customers, prices);
  }
}

/** A product's prices: monthly, and yearly for the price of ten months. */
interface DemoPrices {
  monthly: PriceRecord;
  yearly: PriceRecord;
}

function addDemoProduct(context: Context, product: DemoProduct, index: number): DemoPrices {
  const { objects } = context.emulator;
  const created = context.now - 400 * day + index * day;
  const record = newProductRecord(newId('prod'), created, {
    name: product.name,
    description: product.description,
    active: !product.isRetired,
    unit_label: product.unitLabel ?? null,
    metadata: { tier: product.tier },
  });
  const key = product.tier.toLowerCase();
  const month = monthly(created, record.id, `${key}_monthly`, {
    unit_amount_decimal: String(product.monthlyMinor),
    nickname: 'Monthly',
  });
  const year = monthly(created + 60, record.id, `${key}_yearly`, {
    unit_amount_decimal: String(product.monthlyMinor * 10),
    nickname: 'Yearly',
    recurring: {
      interval: 'year',
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
  });
  const complete = { ...record, default_price: month.id };
  objects.insert(context.scope, 'product', complete, productAttributes(complete));
  for (const price of [month, year]) {
    objects.insert(context.scope, 'price', price, priceAttributes(price));
  }
  return { monthly: month, yearly: year };
}

function addDemoCustomer(
  context: Context,
  index: number,
  total: number,
  prices: readonly DemoPrices[],
): void {
  const { objects } = context.emulator;
  const created = context.now - 380 * day + Math.floor((index * 379 * day) / total);
  const { name, email, company } = personNames(context.livemode ? index + 300 : index);
  const customer: CustomerRecord = newCustomerRecord(newId('cus'), created, {
    name,
    email: demoEmail(context, index, email),
    description: index % 9 === 0 ? `Signed up through ${company}` : null,
    currency: 'gbp',
    metadata: index % 5 === 0 ? { source: 'sales' } : {},
  });
  const subscription = demoSubscription(context, customer, index, prices);
  const delinquent = subscription?.status === 'past_due' || subscription?.status === 'unpaid';
  const complete = { ...customer, delinquent };
  objects.insert(context.scope, 'customer', complete, customerAttributes(complete));
  if (subscription) {
    objects.insert(context.scope, 'subscription', subscription, subscriptionAttributes(subscription));
  }
}

/** Two customers share an email, and one has none: Stripe allows both. */
function demoEmail(context: Context, index: number, email: string): string | null {
  if (index === 17) return null;
  if (index === 41) return personNames(context.livemode ? 340 : 40).email;
  return email;
}

/** Out of ten customers, seven pay, one is on trial, one is canceled or past due, and one has never subscribed. */
function demoSubscription(
  context: Context,
  customer: CustomerRecord,
  index: number,
  prices: readonly DemoPrices[],
): SubscriptionRecord | null {
  const kind = index % 10;
  if (kind === 9) return null;
  const plan = prices[(index * 5) % 8];
  const addOn = prices[8 + (index % 3)];
  if (plan === undefined || addOn === undefined) return null;
  const price = index % 4 === 3 ? plan.yearly : plan.monthly;
  const hasAddOn = index % 12 === 6;
  const items = [
    { price, quantity: index % 15 === 5 ? 5 : 1 },
    ...(hasAddOn
      ? [{ price: price === plan.yearly ? addOn.yearly : addOn.monthly, quantity: 1 + (index % 5) }]
      : []),
  ];
  const startedAt = customer.created + 3600;
  const isTrialing = kind === 8;
  const trialEndsAt = isTrialing ? context.now + (3 + (index % 11)) * day : null;
  const begun = newSubscriptionRecord({ customer: customer.id, items, startedAt, trialEndsAt });
  if (isTrialing) return { ...begun, current_period_start: startedAt };
  return inState(context, withCurrentPeriod(context, begun, price), index);
}

/** Advances the period to the current one. */
function withCurrentPeriod(
  context: Context,
  record: SubscriptionRecord,
  price: PriceRecord,
): SubscriptionRecord {
  let { current_period_start: start, current_period_end: end } = record;
  while (end <= context.now) {
    start = end;
    end = addInterval(start, price.recurring, record.billing_cycle_anchor);
  }
  return { ...record, current_period_start: start, current_period_end: end };
}

function inState(context: Context, record: SubscriptionRecord, index: number): SubscriptionRecord {
  if (index % 10 === 7) {
    const states = ['past_due', 'canceled', 'unpaid', 'canceled', 'past_due'] as const;
    const status = states[Math.floor(index / 10) % states.length] ?? 'past_due';
    if (status !== 'canceled') return { ...record, status };
    const endedAt = context.now - (1 + (index % 60)) * day;
    const details = { comment: null, feedback: null, feedback_option: null };
    const reason = 'cancellation_requested' as const;
    return {
      ...record,
      status,
      canceled_at: Math.max(endedAt, record.created),
      ended_at: Math.max(endedAt, record.created),
      cancellation_details: { ...details, reason },
    };
  }
  if (index % 25 !== 4) return record;
  return {
    ...record,
    cancel_at_period_end: true,
    cancel_at: record.current_period_end,
    canceled_at: Math.max(context.now - 2 * day, record.created),
  };
}
