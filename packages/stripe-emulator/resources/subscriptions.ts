// Subscriptions and their items: https://docs.stripe.com/api/subscriptions.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing, resourceMissing } from '../core/stripe-error.ts';
import type { CustomerRecord, SubscriptionRecord } from '../store/records.ts';
import { outcomeOf } from './charge-payment.ts';
import { getCustomer } from './customer-record.ts';
import { readDiscounts } from './discount-record.ts';
import { newInvoice } from './invoice-changes.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { cardOf, declinedCard, ensureOwnCard } from './payment-methods.ts';
import {
  cancelSubscription,
  type FirstPayment,
  saveSubscription,
  startSubscription,
} from './subscription-changes.ts';
import { endPeriod, pauseSubscription } from './subscription-cycle.ts';
import { discountSubscription, redemptionOf } from './subscription-discounts.ts';
import { ensureItems } from './subscription-items.ts';
import {
  changeItems,
  ensureCurrency,
  ignoredOnCreate,
  ignoredOnUpdate,
  readAutomaticTax,
  readBillingMode,
  readCancellation,
  readDetails,
  readFields,
  readNewItem,
  readPause,
  readTrialChange,
  readTrialEnd,
  refuseMixture,
} from './subscription-params.ts';
import { endedStatuses, newSubscriptionRecord, showSubscription } from './subscription-record.ts';
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
  params.accept(...ignoredOnCreate);
  const paymentBehaviour =
    params.choice('payment_behavior', paymentBehaviours) ?? ('allow_incomplete' as const);
  const start = {
    customer: customer.id,
    items: items.map((item) => readNewItem(context, item)),
    startedAt: context.now,
    trialEndsAt: readTrialEnd(context, params),
  };
  const billing_mode = readBillingMode(context, params);
  refuseMixture(
    start.items.map(({ price }) => price),
    { billing_mode },
  );
  ensureCurrency(context, customer.id, start.items[0]?.price.currency);
  const fields = { ...readFields(params), ...readAutomaticTax(context, params, customer.id) };
  if (fields.default_payment_method) {
    ensureOwnCard(context, customer.id, fields.default_payment_method, 'default_payment_method');
  }
  const begun = newSubscriptionRecord(start, { ...fields, billing_mode, chargesCard: true });
  if (begun.collection_method === 'send_invoice' && begun.days_until_due === null) {
    throw parameterMissing('days_until_due');
  }
  const wanted = readDiscounts(context, params, redemptionOf(context, begun));
  const discounted = discountSubscription(context, begun, wanted);
  const payment = firstPayment(context, customer, discounted, paymentBehaviour);
  const isIncomplete = payment === 'waiting' || payment === 'declined';
  const record: SubscriptionRecord = {
    ...discounted,
    ...(isIncomplete ? { status: 'incomplete' } : {}),
    metadata: params.metadata(),
    ...readCancellation(context, params, begun),
  };
  return showSubscription(context, startSubscription(context, record, payment));
}

/** What happens to the first invoice. @throws {StripeError} without a card */
function firstPayment(
  context: Context,
  customer: CustomerRecord,
  begun: SubscriptionRecord,
  behaviour: (typeof paymentBehaviours)[number],
): FirstPayment {
  if (newInvoice(context, begun, 'subscription_create').total === 0) return 'paid';
  if (begun.collection_method === 'send_invoice') return 'sent';
  if (behaviour === 'default_incomplete') return 'waiting';
  const outcome = outcomeOf(cardOf(context, customer, begun));
  if (outcome === 'succeeded') return 'paid';
  if (outcome === 'processing') return outcome;
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

export function updateSubscription(outer: Context, params: Params, id: string): Stripe.Subscription {
  const record = getRecord(outer, 'subscription', id);
  const context = atTestClock(outer, record);
  params.accept(...ignoredOnUpdate);
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
  const wanted = readDiscounts(context, params, redemptionOf(context, record), record.discounts);
  const changed: SubscriptionRecord = {
    ...discountSubscription(context, record, wanted),
    ...readFields(params),
    ...readAutomaticTax(context, params, record.customer),
    ...readPause(context, params),
    ...readTrialChange(context, params, record),
    cancellation_details: details,
    metadata,
    ...(items === undefined ? {} : { items: changeItems(context, record, items) }),
  };
  ensureItems(context, changed);
  const isRestarted = params.choice('billing_cycle_anchor', ['now', 'unchanged']) === 'now';
  const saved = saveSubscription(context, { ...changed, ...readCancellation(context, params, changed) });
  const isTrialOver = saved.status === 'trialing' && saved.current_period_end <= context.now;
  if (isRestarted && !isTrialOver) return showSubscription(context, restartPeriod(context, saved));
  return showSubscription(context, isTrialOver ? endPeriod(context, saved) : saved);
}

/** A new period begins now, and those after it are counted from now. */
function restartPeriod(context: Context, saved: SubscriptionRecord): SubscriptionRecord {
  const { now } = context;
  const items = saved.items.map(({ period: _, ...item }) => item);
  return endPeriod(context, { ...saved, items, billing_cycle_anchor: now, current_period_end: now });
}

/** Cancels immediately. A canceled subscription is not found, as in Stripe. */
export function deleteSubscription(context: Context, params: Params, id: string): Stripe.Subscription {
  const record = getRecord(context, 'subscription', id);
  if (endedStatuses.includes(record.status)) throw resourceMissing('subscription', id);
  params.accept('invoice_now', 'prorate');
  const { comment, feedback } = readDetails(params, record) ?? {};
  return showSubscription(context, cancelSubscription(context, record, { comment, feedback }));
}

/** Stops the subscription and its invoices. Pausing the collection of payments leaves it active instead. */
export function pauseById(outer: Context, params: Params, id: string): Stripe.Subscription {
  const record = getRecord(outer, 'subscription', id);
  params.accept('bill_for', 'invoicing_behavior', 'type');
  if (record.schedule) throw invalidRequest('Cannot pause subscriptions with attached schedules.');
  if (record.billing_mode?.type !== 'flexible') {
    throw invalidRequest('Only subscriptions with `billing_mode` set to `flexible` can be paused.');
  }
  if (!['active', 'past_due', 'trialing'].includes(record.status)) {
    throw invalidRequest(`A subscription with the status \`${record.status}\` cannot be paused.`);
  }
  const context = atTestClock(outer, record);
  return showSubscription(context, pauseSubscription(context, record, 'pause_requested'));
}

const resumptions = ['resume_on_payment_attempt', 'resume_on_payment_success'] as const;

/** Resumes a paused subscription with a new period, once its invoice is paid or, by default, was attempted. */
export function resumeSubscription(outer: Context, params: Params, id: string): Stripe.Subscription {
  const record = getRecord(outer, 'subscription', id);
  const context = atTestClock(outer, record);
  params.accept('proration_behavior', 'proration_date');
  const anchor = params.choice('billing_cycle_anchor', ['now', 'unchanged']) ?? 'now';
  const behaviour = params.choice('payment_behavior', resumptions) ?? 'resume_on_payment_attempt';
  if (record.status !== 'paused') {
    throw invalidRequest('Only subscriptions with the status `paused` can be resumed.');
  }
  if (record.collection_method !== 'charge_automatically') {
    throw invalidRequest('Only subscriptions that charge automatically can be resumed.');
  }
  const active: SubscriptionRecord = { ...record, status: 'active', paused: null };
  if (anchor === 'unchanged' && record.current_period_end > context.now) {
    return showSubscription(context, saveSubscription(context, active));
  }
  const { isDeclined } = cardOf(context, getRecord(context, 'customer', record.customer), record);
  if (behaviour === 'resume_on_payment_success' && isDeclined) throw declinedCard();
  const begun = { ...active, current_period_end: context.now };
  const reset = anchor === 'now' ? { billing_cycle_anchor: context.now } : {};
  return showSubscription(context, endPeriod(context, { ...begun, ...reset, chargesCard: true }));
}

export function listSubscriptions(context: Context, params: Params): List<Stripe.Subscription> {
  const status = params.choice('status', statuses);
  const price = params.text('price');
  const customer = params.text('customer');
  const clock = params.text('test_clock');
  // Without a customer, subscriptions on test clocks are listed by their clock only.
  const isByClock = clock !== undefined || customer === undefined;
  params.accept('automatic_tax', 'customer_account', 'plan', 'current_period_start', 'current_period_end');
  const collection = params.choice('collection_method', ['charge_automatically', 'send_invoice']);
  return listPage(context, params, {
    kind: 'subscription',
    url: '/v1/subscriptions',
    filters: {
      created: readCreated(params),
      parent: customer,
      statuses: listedStatuses(status),
      fields: [
        ...(isByClock ? ([['$.test_clock', clock ?? null]] as const) : []),
        ...(collection === undefined ? [] : ([['$.collection_method', collection]] as const)),
      ],
      items: price === undefined ? undefined : { field: 'price', value: price },
    },
    show: (record) => showSubscription(context, record),
  });
}

function listedStatuses(status: string | undefined): string[] {
  if (status === 'all') return statuses;
  if (status === 'ended') return endedStatuses;
  return status === undefined ? statuses.filter((each) => each !== 'canceled') : [status];
}
