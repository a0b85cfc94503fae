// Single items of subscriptions: https://docs.stripe.com/api/subscription_items.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, resourceMissing } from '../core/stripe-error.ts';
import type { SubscriptionItemRecord, SubscriptionRecord } from '../store/records.ts';
import { getRecord, type List } from './list-page.ts';
import { saveSubscription } from './subscription-changes.ts';
import { changeItem, newItem, refuseMixture } from './subscription-params.ts';
import { endedStatuses, showSubscriptionItem } from './subscription-record.ts';
import { atTestClock } from './test-clock-record.ts';

const ignored = ['payment_behavior', 'proration_behavior', 'proration_date'];

/** @throws {StripeError} if the items do not go together, or none is left */
export function ensureItems(context: Context, record: SubscriptionRecord): void {
  if (record.items.length === 0) {
    throw invalidRequest('A subscription must have at least one active price.', { param: 'items' });
  }
  refuseMixture(
    record.items.map(({ price }) => getRecord(context, 'price', price)),
    record,
  );
}

export function createSubscriptionItem(outer: Context, params: Params): Stripe.SubscriptionItem {
  const record = getRecord(outer, 'subscription', params.requiredText('subscription'), 'subscription');
  if (endedStatuses.includes(record.status)) throw resourceMissing('subscription', record.id, 'subscription');
  const context = atTestClock(outer, record);
  params.accept(...ignored);
  const item = newItem(context, params);
  if (record.items.some(({ price }) => price === item.price)) {
    throw invalidRequest(`Cannot add multiple subscription items with the same plan: ${item.price}`, {
      param: 'price',
    });
  }
  return saveItems(context, { ...record, items: [...record.items, item] }, item);
}

export function retrieveSubscriptionItem(context: Context, id: string): Stripe.SubscriptionItem {
  const { record, item } = findItem(context, id);
  return showSubscriptionItem(context, record, item);
}

export function updateSubscriptionItem(outer: Context, params: Params, id: string): Stripe.SubscriptionItem {
  const { record, item } = findItem(outer, id);
  const context = atTestClock(outer, record);
  params.accept(...ignored, 'off_session');
  const changed = changeItem(context, item, params);
  const items = record.items.map((each) => (each.id === id ? changed : each));
  return saveItems(context, { ...record, items }, changed);
}

/** The last item stays: a subscription ends by being canceled. */
export function deleteSubscriptionItem(
  context: Context,
  params: Params,
  id: string,
): Stripe.DeletedSubscriptionItem {
  const { record } = findItem(context, id);
  params.accept(...ignored, 'clear_usage');
  const changed = { ...record, items: record.items.filter((each) => each.id !== id) };
  ensureItems(context, changed);
  saveSubscription(atTestClock(context, record), changed);
  return { id, object: 'subscription_item', deleted: true };
}

function saveItems(context: Context, record: SubscriptionRecord, item: SubscriptionItemRecord) {
  ensureItems(context, record);
  return showSubscriptionItem(context, saveSubscription(context, record), item);
}

function findItem(context: Context, id: string) {
  const [record] = context.emulator.objects.all(context.scope, 'subscription', {
    items: { field: 'id', value: id },
  });
  const item = record?.items.find((each) => each.id === id);
  if (record === undefined || item === undefined) throw resourceMissing('subscription_item', id);
  return { record, item };
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
