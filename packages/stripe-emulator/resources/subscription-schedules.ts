// Subscription schedules: https://docs.stripe.com/api/subscription_schedules.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing } from '../core/stripe-error.ts';
import type { PhaseRecord, ScheduleRecord, SubscriptionRecord } from '../store/records.ts';
import { addInterval } from './add-interval.ts';
import { getCustomer } from './customer-record.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { applyPhase, releaseSchedule, startSchedule } from './schedule-phases.ts';
import { attributesOf, phaseAt, saveSchedule, showSchedule } from './schedule-record.ts';
import { cancelSubscription, saveSubscription } from './subscription-changes.ts';
import { readBillingMode, readNewItem, refuseMixture } from './subscription-params.ts';

import { atTestClock } from './test-clock-record.ts';

const ignoredOfPhase: (keyof Stripe.SubscriptionScheduleCreateParams.Phase)[] = [
  ...(['add_invoice_items', 'application_fee_percent', 'automatic_tax', 'billing_cycle_anchor'] as const),
  ...(['billing_thresholds', 'collection_method', 'currency', 'default_payment_method'] as const),
  ...(['default_tax_rates', 'description', 'discounts', 'invoice_settings'] as const),
  ...(['on_behalf_of', 'transfer_data', 'trial'] as const),
];

export function createSchedule(outer: Context, params: Params): Stripe.SubscriptionSchedule {
  const from = params.text('from_subscription');
  params.accept('default_settings', 'pause_schedules', 'customer_account');
  if (from !== undefined) return showSchedule(outer, scheduleOf(outer, params, from));
  const customer = getCustomer(outer, params.requiredText('customer'));
  const context = atTestClock(outer, customer);
  const start = params.text('start_date');
  const startsAt =
    start === 'now' || start === undefined ? context.now : params.requiredInteger('start_date');
  const phases = readPhases(context, params, startsAt);
  if (phases === undefined) throw parameterMissing('phases');
  const record = newSchedule(context, params, { customer: customer.id, phases });
  insert(context, customer.test_clock ? { ...record, test_clock: customer.test_clock } : record);
  const isDue = startsAt <= context.now;
  return showSchedule(
    context,
    isDue ? startSchedule(context, getRecord(context, 'subscription_schedule', record.id)) : record,
  );
}

/** The subscription's current period becomes the first phase; further ones are added by an update. */
function scheduleOf(outer: Context, params: Params, id: string): ScheduleRecord {
  const subscription = getRecord(outer, 'subscription', id, 'from_subscription');
  if (params.has('phases')) {
    throw invalidRequest('You cannot set `phases` if `from_subscription` is set.', { param: 'phases' });
  }
  if (subscription.schedule) {
    throw invalidRequest(
      `You cannot migrate a subscription that is already attached to a schedule: ${subscription.schedule}.`,
    );
  }
  const context = atTestClock(outer, subscription);
  const record: ScheduleRecord = {
    ...newSchedule(context, params, {
      customer: subscription.customer,
      phases: [currentPhase(subscription)],
    }),
    billing_mode: subscription.billing_mode?.type ?? 'classic',
    status: 'active',
    subscription: id,
    ...(subscription.test_clock ? { test_clock: subscription.test_clock } : {}),
  };
  insert(context, record);
  saveSubscription(context, { ...subscription, schedule: record.id });
  return record;
}

function currentPhase(subscription: SubscriptionRecord): PhaseRecord {
  return {
    items: subscription.items.map(({ price, quantity, metadata }) => ({ price, quantity, metadata })),
    start_date: subscription.current_period_start,
    end_date: subscription.current_period_end,
    trial_end: subscription.status === 'trialing' ? subscription.trial_end : null,
    proration_behavior: 'create_prorations',
    metadata: {},
  };
}

function newSchedule(
  context: Context,
  params: Params,
  { customer, phases }: Pick<ScheduleRecord, 'customer' | 'phases'>,
): ScheduleRecord {
  return {
    id: newId('sub_sched', 24),
    created: context.now,
    customer,
    metadata: params.metadata(),
    phases,
    phase: 0,
    end_behavior: params.choice('end_behavior', ['cancel', 'release']) ?? 'release',
    status: 'not_started',
    subscription: null,
    released_subscription: null,
    canceled_at: null,
    completed_at: null,
    released_at: null,
    billing_mode: readBillingMode(context, params).type,
  };
}

function insert(context: Context, record: ScheduleRecord): void {
  context.emulator.objects.insert(context.scope, 'subscription_schedule', record, attributesOf(record));
  emitEvent(context, 'subscription_schedule.created', showSchedule(context, record));
}

function readPhases(context: Context, params: Params, startsAt: number): PhaseRecord[] | undefined {
  let start = startsAt;
  return params.objects('phases')?.map((entry) => {
    entry.accept(...ignoredOfPhase);
    const items = entry.objects('items');
    if (items === undefined || items.length === 0) throw parameterMissing(entry.nameOf('items'));
    const read = items.map((item) => readNewItem(context, item));
    refuseMixture(
      read.map(({ price }) => price),
      { billing_mode: { type: 'flexible', updated_at: context.now } },
    );
    const given = entry.text('start_date');
    if (given !== undefined && given !== 'now') start = entry.requiredInteger('start_date');
    const length = entry.object('duration');
    const duration = length && {
      interval: length.choice('interval', ['day', 'week', 'month', 'year']) ?? 'month',
      interval_count: length.integer('interval_count', { min: 1 }) ?? 1,
    };
    const end = entry.integer('end_date');
    if (end !== undefined && duration !== undefined) {
      throw invalidRequest('You may only specify one of these parameters: end_date, duration.');
    }
    const phase: PhaseRecord = {
      items: read.map(({ price, quantity, metadata }) => ({
        price: price.id,
        ...(price.recurring?.usage_type === 'metered' ? {} : { quantity: quantity ?? 1 }),
        metadata,
      })),
      start_date: start,
      end_date: end ?? addInterval(start, duration ?? read[0]?.price.recurring),
      trial_end: entry.integer('trial_end') ?? null,
      proration_behavior:
        entry.choice('proration_behavior', ['always_invoice', 'create_prorations', 'none']) ??
        'create_prorations',
      metadata: entry.metadata(),
    };
    if (phase.end_date <= start) {
      throw invalidRequest('The phase must end after it starts.', { param: entry.nameOf('end_date') });
    }
    start = phase.end_date;
    return phase;
  });
}

/** Replaces the phases from the current one on, whose changes apply immediately. */
export function updateSchedule(outer: Context, params: Params, id: string): Stripe.SubscriptionSchedule {
  const record = getOpen(outer, id, 'update');
  const context = atTestClock(outer, record);
  params.accept('default_settings', 'pause_schedules', 'proration_behavior');
  const current = record.phases[record.phase];
  const phases = readPhases(context, params, current?.start_date ?? context.now);
  const changed: ScheduleRecord = {
    ...record,
    metadata: params.metadata(record.metadata),
    end_behavior: params.choice('end_behavior', ['cancel', 'release']) ?? record.end_behavior,
    ...(phases === undefined ? {} : { phases, phase: 0 }),
  };
  const now = phaseAt(changed, context.now);
  if (phases !== undefined && record.status === 'active') {
    if (now === undefined) {
      throw invalidRequest('The subscription schedule update is missing the current phase.', {
        param: 'phases',
      });
    }
    changed.phase = changed.phases.indexOf(now);
    applyPhase(context, changed, now);
  }
  return showSchedule(context, saveSchedule(context, changed));
}

export function cancelSchedule(outer: Context, params: Params, id: string): Stripe.SubscriptionSchedule {
  const record = getOpen(outer, id, 'cancel');
  const context = atTestClock(outer, record);
  params.accept('invoice_now', 'prorate');
  if (record.subscription !== null) {
    const subscription = getRecord(context, 'subscription', record.subscription);
    cancelSubscription(context, { ...subscription, schedule: null });
  }
  return showSchedule(
    context,
    saveSchedule(context, { ...record, status: 'canceled', canceled_at: context.now }, 'canceled'),
  );
}

export function releaseById(outer: Context, params: Params, id: string): Stripe.SubscriptionSchedule {
  const record = getOpen(outer, id, 'release');
  params.accept('preserve_cancel_date');
  const context = atTestClock(outer, record);
  return showSchedule(context, releaseSchedule(context, record));
}

export function listSchedules(context: Context, params: Params): List<Stripe.SubscriptionSchedule> {
  const isScheduled = params.boolean('scheduled');
  params.accept('customer_account', 'canceled_at', 'completed_at', 'released_at');
  return listPage(context, params, {
    kind: 'subscription_schedule',
    url: '/v1/subscription_schedules',
    filters: {
      created: readCreated(params),
      parent: params.text('customer'),
      statuses: isScheduled ? ['not_started'] : undefined,
    },
    show: (record) => showSchedule(context, record),
  });
}

function getOpen(context: Context, id: string, action: string): ScheduleRecord {
  const record = getRecord(context, 'subscription_schedule', id);
  if (record.status === 'active' || record.status === 'not_started') return record;
  throw invalidRequest(
    `You cannot ${action} a subscription schedule that is currently in the \`${record.status}\` status. It must be in ` +
      'the `not_started` or `active` status.',
  );
}
