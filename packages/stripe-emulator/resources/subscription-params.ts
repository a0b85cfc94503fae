// Reads the parameters that create and update a subscription: items, trial, cancellation and others.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, resourceMissing } from '../core/stripe-error.ts';
import type { PriceRecord, SubscriptionItemRecord, SubscriptionRecord } from '../store/records.ts';
import { getRecord } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';
import { currentStatuses, isSameInterval } from './subscription-record.ts';

/**
 * Parameters that Stripe supports and the emulator ignores: payment, tax rates, proration, discounts of single items. They are of the SDK's types, so
 * that a parameter which Stripe removes is refused here, too.
 */
const ignoredAlways = [
  ...(['add_invoice_items', 'application_fee_percent'] as const),
  ...(['billing_schedules', 'billing_thresholds', 'default_source', 'default_tax_rates'] as const),
  ...(['invoice_settings', 'off_session', 'on_behalf_of', 'payment_settings'] as const),
  ...(['pending_invoice_item_interval', 'proration_behavior', 'transfer_data', 'trial_from_plan'] as const),
] satisfies (keyof Stripe.SubscriptionCreateParams & keyof Stripe.SubscriptionUpdateParams)[];

export const ignoredOnCreate: (keyof Stripe.SubscriptionCreateParams)[] = [
  ...ignoredAlways,
  ...([
    'backdate_start_date',
    'billing_cycle_anchor',
    'billing_cycle_anchor_config',
    'currency',
    'customer_account',
  ] as const),
];

export const ignoredOnUpdate: (keyof Stripe.SubscriptionUpdateParams)[] = [
  ...ignoredAlways,
  ...(['payment_behavior', 'proration_date'] as const),
];

export const ignoredOfItem: (keyof Stripe.SubscriptionCreateParams.Item)[] = [
  ...(['billing_thresholds', 'current_trial', 'discounts', 'tax_rates'] as const),
];

/** Flexible is the default since 2025-09-30.clover. */
export function readBillingMode(
  context: Context,
  params: Params,
): NonNullable<SubscriptionRecord['billing_mode']> {
  const mode = params.object('billing_mode');
  mode?.accept('flexible');
  return { type: mode?.choice('type', ['classic', 'flexible']) ?? 'flexible', updated_at: context.now };
}

/** @throws {StripeError} if the customer has a current subscription in another currency */
export function ensureCurrency(context: Context, customer: string, currency: string | undefined): void {
  const other = context.emulator.objects
    .all(context.scope, 'subscription', { parent: customer, statuses: currentStatuses })
    .find((subscription) => subscription.currency !== currency);
  if (other === undefined) return;
  throw invalidRequest(
    'You cannot combine currencies on a single customer. This customer has an active subscription, subscription ' +
      `schedule, discount, quote, or invoice item with currency ${other.currency}`,
  );
}

export function readNewItem(context: Context, item: Params) {
  item.accept(...ignoredOfItem);
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

const maxItems = 20;

/** @throws {StripeError} if the prices repeat, differ in currency, or, in classic billing mode, in their interval */
export function refuseMixture(
  prices: readonly PriceRecord[],
  { billing_mode: mode }: Pick<SubscriptionRecord, 'billing_mode'>,
): void {
  const [first] = prices;
  if (prices.length > maxItems) {
    throw invalidRequest(`A subscription may not have more than ${maxItems} items.`, { param: 'items' });
  }
  const other = prices.find(({ currency }) => currency !== first?.currency);
  if (other !== undefined) {
    throw invalidRequest(
      `The price specified only supports \`${other.currency}\`. This doesn't match the expected currency: \`${first?.currency}\`.`,
      { param: 'items' },
    );
  }
  const repeated = prices.find(({ id }, index) => prices.findIndex((price) => price.id === id) < index);
  if (repeated !== undefined) {
    throw invalidRequest(
      `Cannot create a Subscription with multiple Subscription Items with the same Price: ${repeated.id}`,
      { param: 'plan' },
    );
  }
  if (mode?.type === 'flexible' || prices.every((price) => isSameInterval(price, first))) return;
  throw invalidRequest(
    'Currency and interval fields must match across all plans on this subscription. Found mismatch in interval field.',
    { param: 'items' },
  );
}

/** An entry with an id updates or deletes that item; one without an id adds an item. Other items stay. */
export function changeItems(
  context: Context,
  record: SubscriptionRecord,
  entries: Params[],
): SubscriptionItemRecord[] {
  const items = new Map(record.items.map((item) => [item.id, item]));
  for (const entry of entries) {
    const id = entry.text('id');
    entry.accept('clear_usage');
    if (id === undefined) {
      const added = newItem(context, entry);
      items.set(added.id, added);
      continue;
    }
    const item = items.get(id);
    if (item === undefined) throw resourceMissing('subscription item', id, entry.nameOf('id'));
    if (entry.boolean('deleted')) items.delete(id);
    else items.set(id, changeItem(context, item, entry));
  }
  return [...items.values()];
}

export function newItem(context: Context, entry: Params): SubscriptionItemRecord {
  const { price, quantity, metadata } = readNewItem(context, entry);
  const isMetered = price.recurring?.usage_type === 'metered';
  const added = { id: newId('si'), created: context.now, metadata, price: price.id };
  return isMetered ? added : { ...added, quantity: quantity ?? 1 };
}

export function changeItem(
  context: Context,
  item: SubscriptionItemRecord,
  entry: Params,
): SubscriptionItemRecord {
  entry.accept(...ignoredOfItem);
  const priceId = entry.text('price') ?? item.price;
  const price = getRecord(context, 'price', priceId, entry.nameOf('price'));
  const quantity = readQuantity(entry, price) ?? item.quantity ?? 1;
  const changed = {
    id: item.id,
    created: item.created,
    metadata: entry.metadata(item.metadata),
    price: priceId,
    ...(item.period ? { period: item.period } : {}),
  };
  return price.recurring?.usage_type === 'metered' ? changed : { ...changed, quantity };
}

export function readTrialEnd(context: Context, params: Params): number | null {
  const days = params.integer('trial_period_days', { min: 1 });
  const end = params.text('trial_end');
  if (end === 'now') return null;
  if (end !== undefined) return params.integer('trial_end') ?? null;
  return days === undefined ? null : context.now + days * 86_400;
}

export function readTrialChange(
  context: Context,
  params: Params,
  record: SubscriptionRecord,
): Partial<SubscriptionRecord> {
  const end = params.text('trial_end');
  if (end === undefined || (end === 'now' && record.status !== 'trialing')) return {};
  const endsAt = end === 'now' ? context.now : (params.integer('trial_end') ?? context.now);
  const items = record.items.map(({ period, ...item }) => item);
  return {
    status: 'trialing',
    items,
    trial_end: endsAt,
    current_period_end: endsAt,
    billing_cycle_anchor: endsAt,
  };
}

export function readFields(params: Params): Partial<SubscriptionRecord> {
  const trialSettings = params.object('trial_settings')?.object('end_behavior');
  trialSettings?.accept('billing_cycle_anchor');
  return omitUndefined({
    description: params.emptyable('description'),
    default_payment_method: params.emptyable('default_payment_method'),
    collection_method: params.choice('collection_method', ['charge_automatically', 'send_invoice']),
    days_until_due: params.integer('days_until_due'),
    trial_end_behaviour: trialSettings?.choice('missing_payment_method', [
      'cancel',
      'create_invoice',
      'pause',
    ]),
  });
}

/** @throws {StripeError} if it is enabled for a customer without an address */
export function readAutomaticTax(
  context: Context,
  params: Params,
  customer: string,
): Pick<SubscriptionRecord, 'automatic_tax'> {
  const tax = params.object('automatic_tax');
  tax?.accept('liability');
  if (tax === undefined) return {};
  const automatic_tax = tax.requiredBoolean('enabled');
  if (!automatic_tax || getRecord(context, 'customer', customer).address !== null) return { automatic_tax };
  throw invalidRequest(
    "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
    { code: 'customer_tax_location_invalid' },
  );
}

/** An empty `pause_collection` ends the pause. It cannot be set for a new subscription. */
export function readPause(context: Context, params: Params): Partial<SubscriptionRecord> {
  if (!params.has('pause_collection')) return {};
  const pause = params.object('pause_collection');
  if (pause === undefined) return { pause_collection: null };
  pause.requiredText('behavior');
  const behavior = pause.choice('behavior', ['keep_as_draft', 'mark_uncollectible', 'void']) ?? 'void';
  const resumesAt = pause.integer('resumes_at') ?? null;
  if (resumesAt !== null && resumesAt <= context.now) {
    throw invalidRequest('`resumes_at` must be in the future.', { param: pause.nameOf('resumes_at') });
  }
  return { pause_collection: { behavior, resumes_at: resumesAt } };
}

export function readCancellation(
  context: Context,
  params: Params,
  record: SubscriptionRecord,
): Partial<SubscriptionRecord> {
  const atPeriodEnd = params.boolean('cancel_at_period_end');
  const at = params.emptyable('cancel_at');
  if (record.schedule && (atPeriodEnd !== undefined || at !== undefined)) {
    throw invalidRequest(
      `The subscription is managed by the subscription schedule \`${record.schedule}\`, and updating any cancelation ` +
        'behavior directly is not allowed. Please update the schedule instead.',
    );
  }
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
    cancel_at: at === null ? null : cancelAt(params, record, at),
    canceled_at: at === null ? null : context.now,
    cancellation_details: reason(at !== null),
  };
}

function cancelAt(params: Params, record: SubscriptionRecord, at: string): number | null {
  const ends = record.items.map(({ period }) => period?.end ?? record.current_period_end);
  if (at === 'min_period_end') return Math.min(...ends);
  if (at === 'max_period_end') return Math.max(...ends);
  return params.integer('cancel_at') ?? null;
}

export function readDetails(
  params: Params,
  record: SubscriptionRecord,
): SubscriptionRecord['cancellation_details'] {
  const details = params.object('cancellation_details');
  details?.accept('feedback_option');
  return {
    reason: record.cancellation_details?.reason ?? null,
    comment: details?.emptyable('comment') ?? record.cancellation_details?.comment ?? null,
    feedback: details?.text('feedback') ?? record.cancellation_details?.feedback ?? null,
    feedback_option: null,
  };
}
