// Subscription changes by the API, the pages and the clock. Each is saved together with its events and, if money moves, its
// invoice.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { InvoiceLineRecord, InvoiceRecord, SubscriptionRecord } from '../store/records.ts';
import { changedFields } from './changed-fields.ts';
import { endDiscounts } from './discount-record.ts';
import { emitEvent } from './emit-event.ts';
import { awaitPayment, closeInvoice, createInvoice, failInvoice, payInvoice } from './invoice-changes.ts';
import { getRecord } from './list-page.ts';
import { methodOf } from './payment-methods.ts';
import { saveSchedule } from './schedule-record.ts';
import { attributesOf, currentStatuses, showSubscription } from './subscription-record.ts';
import { atTestClock } from './test-clock-record.ts';

/** Newest first, without ended ones. */
export function subscriptionsOf(context: Context, customerId: string): SubscriptionRecord[] {
  return context.emulator.objects.all(context.scope, 'subscription', {
    parent: customerId,
    statuses: currentStatuses,
  });
}

/** What happens to a first invoice: it is paid, a bank processes it, the card is declined, it waits for the customer, or it is sent. */
export type FirstPayment = 'paid' | 'processing' | 'declined' | 'waiting' | 'sent';

/**
 * Starts a subscription with its first invoice.
 *
 * @param once further lines of the invoice
 */
export function startSubscription(
  context: Context,
  given: SubscriptionRecord,
  payment: FirstPayment = 'paid',
  once: readonly InvoiceLineRecord[] = [],
): SubscriptionRecord {
  const { objects } = context.emulator;
  const isWaiting = payment === 'processing' && context.account.whileProcessing === 'incomplete';
  const record: SubscriptionRecord = isWaiting
    ? { ...given, status: 'incomplete', isPaymentProcessing: true }
    : given;
  const { test_clock } = getRecord(context, 'customer', record.customer);
  const invoice = createInvoice(context, record, 'subscription_create', { once });
  const started: SubscriptionRecord = {
    ...record,
    ...(test_clock ? { test_clock } : {}),
    ...(payment === 'sent' ? { retry_at: invoice.due_date ?? null } : {}),
    latest_invoice: invoice.id,
  };
  objects.insert(context.scope, 'subscription', started, attributesOf(started));
  emitEvent(context, 'customer.subscription.created', showSubscription(context, started));
  const method = methodOf(context, started);
  if (payment === 'paid') payInvoice(context, invoice, { method });
  if (payment === 'processing' && method !== null) awaitPayment(context, invoice, method);
  if (payment === 'declined') failInvoice(context, invoice, null, method?.isDeclined ? method : null);
  const left = withoutSpent(context, started, invoice);
  return left === started ? started : saveSubscription(context, left);
}

/** The subscription without discounts that were for one invoice, or are over. */
export function withoutSpent(
  context: Context,
  record: SubscriptionRecord,
  { lines, period_end }: InvoiceRecord,
): SubscriptionRecord {
  const { discounts: ids = [] } = record;
  const used = new Set(
    lines.flatMap(({ discount_amounts = [] }) => discount_amounts.map(({ discount }) => discount)),
  );
  const spent = ids
    .map((id) => getRecord(context, 'discount', id))
    .filter(({ id, end, terms }) =>
      terms.duration === 'once' ? used.has(id) : end !== null && end <= period_end,
    );
  if (spent.length === 0) return record;
  endDiscounts(context, spent);
  return { ...record, discounts: ids.filter((id) => spent.every((each) => each.id !== id)) };
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
    paused: null,
    status: 'canceled',
    canceled_at: record.canceled_at ?? context.now,
    ended_at: context.now,
    cancellation_details: { comment, feedback, feedback_option: null, reason },
  };
  context.emulator.objects.update(context.scope, 'subscription', canceled, attributesOf(canceled));
  emitEvent(context, 'customer.subscription.deleted', showSubscription(context, canceled));
  if (record.schedule) {
    const schedule = getRecord(context, 'subscription_schedule', record.schedule);
    const isAborted = reason === 'payment_failed';
    saveSchedule(
      context,
      { ...schedule, status: 'canceled', canceled_at: context.now },
      isAborted ? 'aborted' : 'canceled',
    );
  }
  return canceled;
}

/** Ends a subscription whose first payment did not come in time. */
export function expireSubscription(context: Context, record: SubscriptionRecord): SubscriptionRecord {
  const { latest_invoice: id } = record;
  const invoice = id === null ? undefined : context.emulator.objects.find(context.scope, 'invoice', id);
  if (invoice?.status === 'open') closeInvoice(context, invoice, 'void');
  return saveSubscription(context, { ...record, status: 'incomplete_expired', ended_at: context.now });
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
