// Reads the parameters that create and update a subscription: items, trial, cancellation and others.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, resourceMissing } from '../core/stripe-error.ts';
import type { PriceRecord, SubscriptionItemRecord, SubscriptionRecord } from '../store/records.ts';
import { getRecord } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';
import { currentStatuses } from './subscription-record.ts';

/** Parameters that Stripe supports and the emulator ignores: payment, tax, discounts. */
export const withoutEffect = [
  ...['add_invoice_items', 'application_fee_percent', 'automatic_tax', 'backdate_start_date'],
  ...['billing_cycle_anchor', 'billing_cycle_anchor_config', 'billing_schedules'],
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

/** @throws {StripeError} if the prices differ in currency */
export function refuseMixture(prices: readonly PriceRecord[]): void {
  const [first] = prices;
  const other = prices.find(({ currency }) => currency !== first?.currency);
  if (other === undefined) return;
  throw invalidRequest(
    `The price specified only supports \`${other.currency}\`. This doesn't match the expected currency: \`${first?.currency}\`.`,
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
  if (end === undefined) return {};
  if (end === 'now') {
    return record.status === 'trialing' ? { status: 'active', trial_end: context.now } : {};
  }
  const endsAt = params.integer('trial_end') ?? context.now;
  return { status: 'trialing', trial_end: endsAt, current_period_end: endsAt };
}

export function readFields(params: Params): Partial<SubscriptionRecord> {
  const trialSettings = params.object('trial_settings')?.object('end_behavior');
  const pause = params.object('pause_collection');
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
    pause_collection: params.has('pause_collection') ? readPause(pause) : undefined,
  });
}

function readPause(pause: Params | undefined): Stripe.Subscription.PauseCollection | null {
  if (pause === undefined) return null;
  const behavior = pause.choice('behavior', ['keep_as_draft', 'mark_uncollectible', 'void']) ?? 'void';
  return { behavior, resumes_at: pause.integer('resumes_at') ?? null };
}

export function readCancellation(
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
