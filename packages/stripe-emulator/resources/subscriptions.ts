// Subscriptions and their items: https://docs.stripe.com/api/subscriptions.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing, resourceMissing } from '../core/stripe-error.ts';
import type { CustomerRecord, PriceRecord, SubscriptionRecord } from '../store/records.ts';
import { getCustomer } from './customer-record.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { cardOf, declinedCard, ensureOwnCard } from './payment-methods.ts';
import { priceOfUnits } from './price-of-units.ts';
import {
  cancelSubscription,
  type FirstPayment,
  saveSubscription,
  startSubscription,
} from './subscription-changes.ts';
import {
  changeItems,
  ensureCurrency,
  readBillingMode,
  readCancellation,
  readDetails,
  readFields,
  readNewItem,
  readTrialChange,
  readTrialEnd,
  refuseMixture,
  withoutEffect,
} from './subscription-params.ts';
import {
  endedStatuses,
  newSubscriptionRecord,
  showSubscription,
  showSubscriptionItem,
} from './subscription-record.ts';
import { atTestClock } from './test-clock-record.ts';

const paymentBehaviours = [
  'allow_incomplete',
  'default_incomplete',
  'error_if_incomplete',
  'pending_if_incomplete',
] as const;

const statuses = [
  ...['active', 'past_due', 'unpaid', 'canceled', 'incomplete', 'incomplete_expired', 'trialing', 'paused'],
  ...['all', 'ended'],
];

export function createSubscription(outer: Context, params: Params): Stripe.Subscription {
  const customer = getCustomer(outer, params.requiredText('customer'));
  const context = atTestClock(outer, customer);
  const items = params.objects('items');
  if (items === undefined || items.length === 0) throw parameterMissing('items');
  params.accept(...withoutEffect);
  const paymentBehaviour =
    params.choice('payment_behavior', paymentBehaviours) ?? ('allow_incomplete' as const);
  const start = {
    customer: customer.id,
    items: items.map((item) => readNewItem(context, item)),
    startedAt: context.now,
    trialEndsAt: readTrialEnd(context, params),
  };
  refuseMixture(start.items.map(({ price }) => price));
  ensureCurrency(context, customer.id, start.items[0]?.price.currency);
  const fields = readFields(params);
  if (fields.default_payment_method) {
    ensureOwnCard(context, customer.id, fields.default_payment_method, 'default_payment_method');
  }
  const begun = newSubscriptionRecord(start, { ...fields, billing_mode: readBillingMode(context, params) });
  if (begun.collection_method === 'send_invoice' && begun.days_until_due === null) {
    throw parameterMissing('days_until_due');
  }
  const payment = firstPayment(context, customer, begun, start.items, paymentBehaviour);
  const record: SubscriptionRecord = {
    ...begun,
    ...(payment === 'paid' ? {} : { status: 'incomplete' }),
    metadata: params.metadata(),
    ...readCancellation(context, params, begun),
  };
  return showSubscription(context, startSubscription(context, record, payment));
}

/** Whether the first invoice is paid, declined, or waits for the customer. @throws {StripeError} without a card */
function firstPayment(
  context: Context,
  customer: CustomerRecord,
  begun: SubscriptionRecord,
  items: readonly { price: PriceRecord; quantity?: number }[],
  behaviour: (typeof paymentBehaviours)[number],
): FirstPayment {
  const isDueNow = items.some(
    ({ price, quantity }) =>
      price.recurring?.usage_type !== 'metered' && priceOfUnits(price, quantity ?? 1) > 0,
  );
  const isCharged = begun.status === 'active' && begun.collection_method === 'charge_automatically';
  if (!isDueNow || !isCharged) return 'paid';
  if (behaviour === 'default_incomplete') return 'waiting';
  if (!cardOf(context, customer, begun).isDeclined) return 'paid';
  if (behaviour === 'error_if_incomplete') throw declinedCard();
  return 'declined';
}

/** Moves a subscription to flexible billing mode; there is no way back. */
export function migrateSubscription(context: Context, params: Params, id: string): Stripe.Subscription {
  const record = getRecord(context, 'subscription', id);
  const mode = readBillingMode(context, params);
  if (mode.type !== 'flexible') {
    throw invalidRequest('A subscription can only be migrated to flexible.', { param: 'billing_mode[type]' });
  }
  return showSubscription(context, saveSubscription(context, { ...record, billing_mode: mode }));
}

export function retrieveSubscription(context: Context, id: string): Stripe.Subscription {
  return showSubscription(context, getRecord(context, 'subscription', id));
}

export function updateSubscription(outer: Context, params: Params, id: string): Stripe.Subscription {
  const record = getRecord(outer, 'subscription', id);
  const context = atTestClock(outer, record);
  params.accept(...withoutEffect, 'payment_behavior');
  const metadata = params.metadata(record.metadata);
  const details = readDetails(params, record);
  if (endedStatuses.includes(record.status)) {
    const changed = { ...record, metadata, cancellation_details: details };
    if (params.has('items') || params.has('cancel_at_period_end')) {
      throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.');
    }
    return showSubscription(context, saveSubscription(context, changed));
  }
  const items = params.objects('items');
  const changed: SubscriptionRecord = {
    ...record,
    ...readFields(params),
    ...readTrialChange(context, params, record),
    cancellation_details: details,
    metadata,
    items: items === undefined ? record.items : changeItems(context, record, items),
  };
  if (changed.items.length === 0) {
    throw invalidRequest('A subscription must have at least one active price.', { param: 'items' });
  }
  refuseMixture(changed.items.map(({ price }) => getRecord(context, 'price', price)));
  const cancellation = readCancellation(context, params, changed);
  return showSubscription(context, saveSubscription(context, { ...changed, ...cancellation }));
}

/** Cancels immediately. A canceled subscription is not found, as in Stripe. */
export function deleteSubscription(context: Context, params: Params, id: string): Stripe.Subscription {
  const record = getRecord(context, 'subscription', id);
  if (endedStatuses.includes(record.status)) throw resourceMissing('subscription', id);
  params.accept('invoice_now', 'prorate');
  const { comment, feedback } = readDetails(params, record) ?? {};
  return showSubscription(context, cancelSubscription(context, record, { comment, feedback }));
}

/** Resumes a paused subscription. */
export function resumeSubscription(context: Context, params: Params, id: string): Stripe.Subscription {
  const record = getRecord(context, 'subscription', id);
  params.accept('billing_cycle_anchor', 'proration_behavior', 'proration_date');
  if (record.status !== 'paused') {
    throw invalidRequest('Only subscriptions with the status `paused` can be resumed.');
  }
  return showSubscription(context, saveSubscription(context, { ...record, status: 'active' }));
}

export function listSubscriptions(context: Context, params: Params): List<Stripe.Subscription> {
  const status = params.choice('status', statuses);
  const price = params.text('price');
  const customer = params.text('customer');
  const clock = params.text('test_clock');
  // Without a customer, subscriptions on test clocks are listed by their clock only.
  const isByClock = clock !== undefined || customer === undefined;
  params.accept('collection_method', 'automatic_tax', 'current_period_end');
  params.accept('current_period_start', 'customer_account', 'plan');
  return listPage(context, params, {
    kind: 'subscription',
    url: '/v1/subscriptions',
    filters: {
      created: readCreated(params),
      parent: customer,
      statuses: listedStatuses(status),
      fields: isByClock ? [['$.test_clock', clock ?? null]] : [],
      items: price === undefined ? undefined : { field: 'price', value: price },
    },
    show: (record) => showSubscription(context, record),
  });
}

export function listSubscriptionItems(context: Context, params: Params): List<Stripe.SubscriptionItem> {
  const subscription = getRecord(
    context,
    'subscription',
    params.requiredText('subscription'),
    'subscription',
  );
  const limit = params.integer('limit', { min: 1, max: 100 }) ?? 10;
  const after = params.text('starting_after');
  const begin = after === undefined ? 0 : subscription.items.findIndex(({ id }) => id === after) + 1;
  const page = subscription.items.slice(begin, begin + limit);
  return {
    object: 'list',
    url: '/v1/subscription_items',
    has_more: begin + limit < subscription.items.length,
    data: page.map((item) => showSubscriptionItem(context, subscription, item)),
  };
}

function listedStatuses(status: string | undefined): string[] {
  if (status === 'all') return statuses;
  if (status === 'ended') return endedStatuses;
  return status === undefined ? statuses.filter((each) => each !== 'canceled') : [status];
}
