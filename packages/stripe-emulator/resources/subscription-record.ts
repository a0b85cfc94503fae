// Stored and rendered form of a subscription: https://docs.stripe.com/api/subscriptions/object.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { PriceRecord, SubscriptionItemRecord, SubscriptionRecord } from '../store/records.ts';
import { addInterval } from './add-interval.ts';
import { getRecord, innerList } from './list-page.ts';
import { showPlan, showPrice } from './price-record.ts';

/** Stripe's lists omit these statuses by default. */
export const endedStatuses = ['canceled', 'incomplete_expired'];

export const currentStatuses = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete'];

export function showSubscription(context: Context, record: SubscriptionRecord): Stripe.Subscription {
  const url = `/v1/subscription_items?subscription=${record.id}`;
  const items = record.items.map((item) => showSubscriptionItem(context, record, item));
  const { chargesCard, current_period_end, current_period_start, isTrialEndAnnounced, ...others } = record;
  const { isPaymentProcessing, paused, retry_at, trial_end_behaviour, ...same } = others;
  return {
    ...same,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: {
      disabled_reason: null,
      enabled: record.automatic_tax ?? false,
      liability: record.automatic_tax ? { type: 'self' } : null,
    },
    billing_cycle_anchor_config: null,
    billing_mode: {
      flexible: record.billing_mode?.type === 'flexible' ? { proration_discounts: 'included' } : null,
      ...(record.billing_mode ?? { type: 'classic' }),
    },
    billing_schedules: [],
    billing_thresholds: null,
    customer_account: null,
    default_source: null,
    default_tax_rates: [],
    discounts: record.discounts ?? [],
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: innerList(url, items),
    livemode: context.livemode,
    managed_payments: { enabled: false },
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: record.schedule ?? null,
    ...(paused ? { status_details: showPaused(paused) } : {}),
    test_clock: record.test_clock ?? null,
    transfer_data: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: trial_end_behaviour },
    },
  };
}

export function showSubscriptionItem(
  context: Context,
  subscription: SubscriptionRecord,
  item: SubscriptionItemRecord,
): Stripe.SubscriptionItem {
  const price = getRecord(context, 'price', item.price);
  return {
    id: item.id,
    object: 'subscription_item',
    billing_thresholds: null,
    created: item.created,
    current_period_end: item.period?.end ?? subscription.current_period_end,
    current_period_start: item.period?.start ?? subscription.current_period_start,
    current_trial: null,
    discounts: [],
    metadata: item.metadata,
    plan: showPlan(context, price),
    price: showPrice(context, price),
    ...(item.quantity === undefined ? {} : { quantity: item.quantity }),
    subscription: subscription.id,
    tax_rates: [],
  };
}

/** Initial values of a subscription. */
export interface SubscriptionStart {
  customer: string;
  items: { price: PriceRecord; quantity?: number; metadata?: Record<string, string> }[];
  /** Unix seconds. */
  startedAt: number;
  /** Unix seconds; null without a trial. */
  trialEndsAt: number | null;
}

/** The first period is the trial, or the interval of the first recurring price. The status is trialing or active. */
export function newSubscriptionRecord(
  { customer, items, startedAt, trialEndsAt }: SubscriptionStart,
  fields: Partial<SubscriptionRecord> = {},
): SubscriptionRecord {
  const [first] = items;
  const isTrialing = trialEndsAt !== null && trialEndsAt > startedAt;
  const prices = items.map(({ price }) => price);
  const ends = prices.map(({ recurring }) => addInterval(startedAt, recurring));
  const own = items.map(({ price, quantity, metadata }) => ({
    id: newId('si'),
    created: startedAt,
    metadata: metadata ?? {},
    price: price.id,
    ...(price.recurring?.usage_type === 'metered' ? {} : { quantity: quantity ?? 1 }),
  }));
  return {
    id: newId('sub', 24),
    created: startedAt,
    billing_cycle_anchor: isTrialing ? trialEndsAt : startedAt,
    billing_mode: { type: 'flexible', updated_at: startedAt },
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    currency: first?.price.currency ?? 'usd',
    current_period_start: startedAt,
    current_period_end: isTrialing ? trialEndsAt : Math.min(...ends),
    customer,
    days_until_due: null,
    default_payment_method: null,
    description: null,
    ended_at: null,
    items: isTrialing ? own : withPeriods(own, prices, startedAt),
    latest_invoice: null,
    metadata: {},
    pause_collection: null,
    start_date: startedAt,
    status: isTrialing ? 'trialing' : 'active',
    trial_end: isTrialing ? trialEndsAt : null,
    trial_end_behaviour: 'create_invoice',
    trial_start: isTrialing ? startedAt : null,
    ...fields,
  };
}

function showPaused({
  at,
  reason,
}: NonNullable<SubscriptionRecord['paused']>): Stripe.Subscription.StatusDetails {
  return { paused: { subscription: { type: reason }, transitioned_at: at, type: 'subscription' } };
}

/** Items with different intervals have periods of their own, which begin together. */
function withPeriods(
  items: SubscriptionItemRecord[],
  prices: readonly PriceRecord[],
  startedAt: number,
): SubscriptionItemRecord[] {
  const [first, ...others] = prices;
  if (others.every((price) => isSameInterval(price, first))) return items;
  return items.map((item, index) => {
    const end = addInterval(startedAt, prices[index]?.recurring);
    return { ...item, period: { start: startedAt, end } };
  });
}

export function isSameInterval(one: PriceRecord | undefined, other: PriceRecord | undefined): boolean {
  const [a, b] = [one?.recurring, other?.recurring];
  return a?.interval === b?.interval && a?.interval_count === b?.interval_count;
}

const day = 86_400;
/** An incomplete subscription waits 23 hours for its first payment. */
const incompleteSeconds = 23 * 3600;

/** When the subscription changes by itself next, in Unix seconds. */
export function dueAt(record: SubscriptionRecord): number {
  const { status, cancel_at, current_period_end: periodEnd, retry_at } = record;
  if (endedStatuses.includes(status)) return Infinity;
  if (status === 'incomplete')
    return record.isPaymentProcessing ? Infinity : record.created + incompleteSeconds;
  const times = [cancel_at, retry_at, record.pause_collection?.resumes_at, trialEndWarningAt(record)];
  if (status !== 'paused') times.push(periodEnd);
  return Math.min(...times.map((time) => time ?? Infinity));
}

/** Three days before the trial ends; null if that was announced. */
export function trialEndWarningAt(record: SubscriptionRecord): number | null {
  const isPending = record.status === 'trialing' && !record.isTrialEndAnnounced && record.chargesCard;
  return isPending && record.trial_end !== null ? record.trial_end - 3 * day : null;
}

/** On a test clock it is due when that clock advances, and never by itself. */
export function attributesOf(record: SubscriptionRecord) {
  const due = record.test_clock ? Infinity : dueAt(record);
  return { parent: record.customer, status: record.status, due: due === Infinity ? null : due };
}
