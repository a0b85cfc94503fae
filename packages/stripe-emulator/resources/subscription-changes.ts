// Subscription changes by the API, the pages and the clock. Each is saved together with its events and, if money moves, its
// invoice.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { SubscriptionRecord } from '../store/records.ts';
import { changedFields } from './changed-fields.ts';
import { emitEvent } from './emit-event.ts';
import { createInvoice, failInvoice, payInvoice } from './invoice-record.ts';
import { getRecord } from './list-page.ts';
import {
  addInterval,
  attributesOf,
  currentStatuses,
  endedStatuses,
  showSubscription,
} from './subscription-record.ts';
import { atTestClock } from './test-clock-record.ts';

/** Newest first, without ended ones. */
export function subscriptionsOf(context: Context, customerId: string): SubscriptionRecord[] {
  return context.emulator.objects.all(context.scope, 'subscription', {
    parent: customerId,
    statuses: currentStatuses,
  });
}

/** What happens to a first invoice: it is paid, the card is declined, or it waits for the customer. */
export type FirstPayment = 'paid' | 'declined' | 'waiting';

/** Starts a subscription with its first invoice. */
export function startSubscription(
  context: Context,
  record: SubscriptionRecord,
  payment: FirstPayment = 'paid',
): SubscriptionRecord {
  const { objects } = context.emulator;
  const { test_clock } = getRecord(context, 'customer', record.customer);
  const invoice = createInvoice(context, record, 'subscription_create');
  const started = { ...record, ...(test_clock ? { test_clock } : {}), latest_invoice: invoice.id };
  objects.insert(context.scope, 'subscription', started, attributesOf(started));
  emitEvent(context, 'customer.subscription.created', showSubscription(context, started));
  if (payment === 'paid') payInvoice(context, invoice);
  if (payment === 'declined') failInvoice(context, invoice);
  return started;
}

/** Saves a subscription and emits an event if it changed. */
export function saveSubscription(context: Context, changed: SubscriptionRecord): SubscriptionRecord {
  const before = showSubscription(context, getRecord(context, 'subscription', changed.id));
  const shown = showSubscription(context, changed);
  const previous = changedFields(before, shown);
  context.emulator.objects.update(context.scope, 'subscription', changed, attributesOf(changed));
  if (previous !== null) emitEvent(context, 'customer.subscription.updated', shown, previous);
  const wasPaused = before.status === 'paused';
  const isPaused = changed.status === 'paused';
  if (isPaused && !wasPaused) emitEvent(context, 'customer.subscription.paused', shown);
  if (wasPaused && changed.status === 'active') emitEvent(context, 'customer.subscription.resumed', shown);
  return changed;
}

export interface Cancellation {
  reason?: Stripe.Subscription.CancellationDetails['reason'];
  comment?: string | null;
  feedback?: Stripe.Subscription.CancellationDetails['feedback'];
}

/** Cancels a subscription immediately. */
export function cancelSubscription(
  outer: Context,
  record: SubscriptionRecord,
  { reason = 'cancellation_requested', comment = null, feedback = null }: Cancellation = {},
): SubscriptionRecord {
  const context = atTestClock(outer, record);
  const canceled: SubscriptionRecord = {
    ...record,
    status: 'canceled',
    canceled_at: record.canceled_at ?? context.now,
    ended_at: context.now,
    cancellation_details: { comment, feedback, feedback_option: null, reason },
  };
  context.emulator.objects.update(context.scope, 'subscription', canceled, attributesOf(canceled));
  emitEvent(context, 'customer.subscription.deleted', showSubscription(context, canceled));
  return canceled;
}

/** Sets or reverts the cancellation at the end of the period. */
export function cancelAtPeriodEnd(outer: Context, record: SubscriptionRecord, isCanceled: boolean) {
  const context = atTestClock(outer, record);
  return saveSubscription(context, {
    ...record,
    cancel_at_period_end: isCanceled,
    cancel_at: isCanceled ? record.current_period_end : null,
    canceled_at: isCanceled ? context.now : null,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: isCanceled ? 'cancellation_requested' : null,
    },
  });
}

/** Fails the payment for the current period: the invoice is open and the subscription past due. */
export function failPayment(outer: Context, record: SubscriptionRecord): SubscriptionRecord {
  const context = atTestClock(outer, record);
  const invoice = createInvoice(context, record, 'subscription_cycle');
  failInvoice(context, invoice);
  return saveSubscription(context, { ...record, status: 'past_due', latest_invoice: invoice.id });
}

/** Pays the open invoice. */
export function payOpenInvoice(outer: Context, record: SubscriptionRecord): SubscriptionRecord {
  const context = atTestClock(outer, record);
  const invoice =
    record.latest_invoice && context.emulator.objects.find(context.scope, 'invoice', record.latest_invoice);
  if (invoice && invoice.status === 'open') payInvoice(context, invoice);
  return saveSubscription(context, { ...record, status: 'active' });
}

/** Processes the end of a period: cancellation, the end of the trial, or renewal. */
export function endPeriod(outer: Context, record: SubscriptionRecord): SubscriptionRecord {
  if (endedStatuses.includes(record.status)) return record;
  const context = atTestClock(outer, record);
  if (record.cancel_at_period_end || (record.cancel_at !== null && record.cancel_at <= context.now)) {
    return cancelSubscription(context, record);
  }
  const [first] = record.items;
  const recurring = first && getRecord(context, 'price', first.price).recurring;
  const start = record.current_period_end;
  const renewed: SubscriptionRecord = {
    ...record,
    status: record.status === 'trialing' ? 'active' : record.status,
    current_period_start: start,
    current_period_end: addInterval(start, recurring, record.billing_cycle_anchor),
  };
  if (['past_due', 'unpaid', 'paused'].includes(record.status)) return saveSubscription(context, renewed);
  const used = { from: record.current_period_start, to: record.current_period_end };
  const invoice = createInvoice(context, renewed, 'subscription_cycle', used);
  payInvoice(context, invoice);
  return saveSubscription(context, { ...renewed, latest_invoice: invoice.id });
}
