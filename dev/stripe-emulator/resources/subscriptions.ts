// Subscriptions and their items: https://docs.stripe.com/api/subscriptions.
import type Stripe from 'stripe';
import { type Context, newId } from '../emulator.ts';
import type { Params } from '../http/params.ts';
import { invalidRequest, parameterMissing, resourceMissing } from '../http/stripe-error.ts';
import type { PriceRecord, SubscriptionItemRecord, SubscriptionRecord } from '../store/records.ts';
import { getCustomer } from './customer-record.ts';
import { given } from './given.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { cancelSubscription, saveSubscription, startSubscription } from './subscription-changes.ts';
import {
  endedStatuses,
  newSubscriptionRecord,
  showSubscription,
  showSubscriptionItem,
} from './subscription-record.ts';

const statuses = [
  ...['active', 'past_due', 'unpaid', 'canceled', 'incomplete', 'incomplete_expired', 'trialing', 'paused'],
  ...['all', 'ended'],
];

/** What Stripe knows and the emulator does without: money, tax, discounts. */
const withoutEffect = [
  ...['add_invoice_items', 'application_fee_percent', 'automatic_tax', 'backdate_start_date'],
  ...['billing_cycle_anchor', 'billing_cycle_anchor_config', 'billing_mode', 'billing_schedules'],
  ...[
    'billing_thresholds',
    'currency',
    'customer_account',
    'default_source',
    'default_tax_rates',
    'discounts',
  ],
  ...['invoice_settings', 'off_session', 'on_behalf_of', 'payment_settings', 'pending_invoice_item_interval'],
  ...['proration_behavior', 'proration_date', 'transfer_data', 'trial_from_plan'],
];

export function createSubscription(context: Context, params: Params): Stripe.Subscription {
  const customer = getCustomer(context, params.requiredText('customer'));
  const items = params.objects('items');
  if (items === undefined || items.length === 0) throw parameterMissing('items');
  params.accept(...withoutEffect);
  const paymentBehaviour = params.text('payment_behavior');
  const start = {
    customer: customer.id,
    items: items.map((item) => readNewItem(context, item)),
    startedAt: context.now,
    trialEndsAt: readTrialEnd(context, params),
  };
  refuseMixture(start.items.map(({ price }) => price));
  const begun = newSubscriptionRecord(start, readFields(params));
  const isIncomplete = paymentBehaviour === 'default_incomplete' && begun.status === 'active';
  const record: SubscriptionRecord = {
    ...begun,
    ...(isIncomplete ? { status: 'incomplete' } : {}),
    metadata: params.metadata(),
    ...readCancellation(context, params, begun),
  };
  return showSubscription(context, startSubscription(context, record));
}

export function retrieveSubscription(context: Context, id: string): Stripe.Subscription {
  return showSubscription(context, getRecord(context, 'subscription', id));
}

export function updateSubscription(context: Context, params: Params, id: string): Stripe.Subscription {
  const record = getRecord(context, 'subscription', id);
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

/** Ends it now. One that has ended already is missing, as it is at Stripe. */
export function deleteSubscription(context: Context, params: Params, id: string): Stripe.Subscription {
  const record = getRecord(context, 'subscription', id);
  if (endedStatuses.includes(record.status)) throw resourceMissing('subscription', id);
  params.accept('invoice_now', 'prorate');
  const { comment, feedback } = readDetails(params, record) ?? {};
  return showSubscription(context, cancelSubscription(context, record, { comment, feedback }));
}

/** A paused subscription goes on. */
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
  params.accept('collection_method', 'automatic_tax', 'test_clock', 'current_period_end');
  params.accept('current_period_start', 'customer_account', 'plan');
  return listPage(context, params, {
    kind: 'subscription',
    url: '/v1/subscriptions',
    filters: {
      created: readCreated(params),
      parent: params.text('customer'),
      statuses: listedStatuses(status),
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

function readNewItem(context: Context, item: Params) {
  item.accept('billing_thresholds', 'discounts', 'tax_rates', 'trial');
  const price = getRecord(context, 'price', item.requiredText('price'), item.nameOf('price'));
  return { price, quantity: readQuantity(item, price), metadata: item.metadata() };
}

function readQuantity(item: Params, price: PriceRecord): number | undefined {
  const quantity = item.integer('quantity', { min: 0 });
  if (price.recurring === null) {
    throw invalidRequest(
      `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
      { param: item.nameOf('price') },
    );
  }
  if (price.recurring.usage_type === 'metered' && quantity !== undefined) {
    throw invalidRequest('Quantity should not be specified where usage_type is `metered`. ', {
      param: item.nameOf('quantity'),
    });
  }
  return quantity;
}

/** @throws {StripeError} when prices of one subscription differ in currency */
function refuseMixture(prices: readonly PriceRecord[]): void {
  const [first] = prices;
  const other = prices.find(({ currency }) => currency !== first?.currency);
  if (other === undefined) return;
  throw invalidRequest(
    `The price specified only supports \`${other.currency}\`. This doesn't match the expected currency: \`${first?.currency}\`.`,
    { param: 'items' },
  );
}

/** An entry with an id changes or deletes that item, one without adds an item; the others stay. */
function changeItems(
  context: Context,
  record: SubscriptionRecord,
  entries: Params[],
): SubscriptionItemRecord[] {
  const items = new Map(record.items.map((item) => [item.id, item]));
  for (const entry of entries) {
    const id = entry.text('id');
    entry.accept('clear_usage', 'price_data');
    if (id === undefined) {
      const { price, quantity, metadata } = readNewItem(context, entry);
      const isMetered = price.recurring?.usage_type === 'metered';
      const added = { id: newId('si'), created: context.now, metadata, price: price.id };
      items.set(added.id, isMetered ? added : { ...added, quantity: quantity ?? 1 });
      continue;
    }
    const item = items.get(id);
    if (item === undefined) throw resourceMissing('subscription item', id, entry.nameOf('id'));
    if (entry.boolean('deleted')) items.delete(id);
    else items.set(id, changeItem(context, item, entry));
  }
  return [...items.values()];
}

function changeItem(context: Context, item: SubscriptionItemRecord, entry: Params): SubscriptionItemRecord {
  entry.accept('billing_thresholds', 'discounts', 'tax_rates');
  const priceId = entry.text('price') ?? item.price;
  const price = getRecord(context, 'price', priceId, entry.nameOf('price'));
  const quantity = readQuantity(entry, price) ?? item.quantity ?? 1;
  const changed = {
    id: item.id,
    created: item.created,
    metadata: entry.metadata(item.metadata),
    price: priceId,
  };
  return price.recurring?.usage_type === 'metered' ? changed : { ...changed, quantity };
}

function readTrialEnd(context: Context, params: Params): number | null {
  const days = params.integer('trial_period_days', { min: 1 });
  const end = params.text('trial_end');
  if (end === 'now') return null;
  if (end !== undefined) return params.integer('trial_end') ?? null;
  return days === undefined ? null : context.now + days * 86_400;
}

function readTrialChange(
  context: Context,
  params: Params,
  record: SubscriptionRecord,
): Partial<SubscriptionRecord> {
  const end = params.text('trial_end');
  if (end === undefined) return {};
  if (end === 'now') {
    return record.status === 'trialing' ? { status: 'active', trial_end: context.now } : {};
  }
  const endsAt = params.integer('trial_end') ?? context.now;
  return { status: 'trialing', trial_end: endsAt, current_period_end: endsAt };
}

function readFields(params: Params): Partial<SubscriptionRecord> {
  const trialSettings = params.object('trial_settings')?.object('end_behavior');
  const pause = params.object('pause_collection');
  return given({
    description: params.emptyable('description'),
    default_payment_method: params.emptyable('default_payment_method'),
    collection_method: params.choice('collection_method', ['charge_automatically', 'send_invoice']),
    days_until_due: params.integer('days_until_due'),
    trial_end_behaviour: trialSettings?.choice('missing_payment_method', [
      'cancel',
      'create_invoice',
      'pause',
    ]),
    pause_collection: params.has('pause_collection') ? readPause(pause) : undefined,
  });
}

function readPause(pause: Params | undefined): Stripe.Subscription.PauseCollection | null {
  if (pause === undefined) return null;
  const behavior = pause.choice('behavior', ['keep_as_draft', 'mark_uncollectible', 'void']) ?? 'void';
  return { behavior, resumes_at: pause.integer('resumes_at') ?? null };
}

function readCancellation(
  context: Context,
  params: Params,
  record: SubscriptionRecord,
): Partial<SubscriptionRecord> {
  const atPeriodEnd = params.boolean('cancel_at_period_end');
  const at = params.emptyable('cancel_at');
  const reason = (isCanceled: boolean) => ({
    comment: record.cancellation_details?.comment ?? null,
    feedback: record.cancellation_details?.feedback ?? null,
    feedback_option: null,
    reason: isCanceled ? ('cancellation_requested' as const) : null,
  });
  if (atPeriodEnd !== undefined) {
    return {
      cancel_at_period_end: atPeriodEnd,
      cancel_at: atPeriodEnd ? record.current_period_end : null,
      canceled_at: atPeriodEnd ? context.now : null,
      cancellation_details: reason(atPeriodEnd),
    };
  }
  if (at === undefined) return {};
  return {
    cancel_at: at === null ? null : (params.integer('cancel_at') ?? null),
    canceled_at: at === null ? null : context.now,
    cancellation_details: reason(at !== null),
  };
}

function readDetails(params: Params, record: SubscriptionRecord): SubscriptionRecord['cancellation_details'] {
  const details = params.object('cancellation_details');
  details?.accept('feedback_option');
  return {
    reason: record.cancellation_details?.reason ?? null,
    comment: details?.emptyable('comment') ?? record.cancellation_details?.comment ?? null,
    feedback: details?.text('feedback') ?? record.cancellation_details?.feedback ?? null,
    feedback_option: null,
  };
}
