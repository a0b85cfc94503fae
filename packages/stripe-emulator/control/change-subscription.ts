// Subscription changes for the control page and tests that Stripe's API does not offer, or offers in several steps only.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import { getRecord } from '../resources/list-page.ts';
import { advanceSchedule } from '../resources/schedule-phases.ts';
import { scheduleDueAt } from '../resources/schedule-record.ts';
import { settlePayment } from '../resources/settle-payment.ts';
import {
  cancelAtPeriodEnd,
  cancelSubscription,
  saveSubscription,
} from '../resources/subscription-changes.ts';
import {
  endPeriod,
  failPayment,
  pauseSubscription,
  payOpenInvoice,
} from '../resources/subscription-cycle.ts';
import { showSubscription } from '../resources/subscription-record.ts';
import type { SubscriptionRecord } from '../store/records.ts';

export const subscriptionChanges = [
  'fail-payment',
  'pay',
  'cancel',
  'cancel-at-period-end',
  'resume',
  'end-period',
  'pause',
  'mark-unpaid',
] as const;

export type SubscriptionChange = (typeof subscriptionChanges)[number];

const actions: Record<
  SubscriptionChange,
  (context: Context, record: SubscriptionRecord) => SubscriptionRecord
> = {
  'fail-payment': failPayment,
  pay,
  cancel: (context, record) => cancelSubscription(context, record),
  'cancel-at-period-end': (context, record) => cancelAtPeriodEnd(context, record, true),
  // Also reverts a cancellation at the end of the period.
  resume: (context, record) =>
    cancelAtPeriodEnd(
      context,
      { ...record, status: record.status === 'paused' ? 'active' : record.status, paused: null },
      false,
    ),
  'end-period': endScheduledPeriod,
  pause: (context, record) => pauseSubscription(context, record, 'pause_requested'),
  'mark-unpaid': (context, record) => saveSubscription(context, { ...record, status: 'unpaid' }),
};

/** Settles a payment that waits for a bank, so that its checkout is told; otherwise pays the open invoice. */
function pay(context: Context, record: SubscriptionRecord): SubscriptionRecord {
  const { objects } = context.emulator;
  const { latest_invoice: id } = record;
  const invoice = id === null ? undefined : objects.find(context.scope, 'invoice', id);
  const intent =
    invoice?.payment_intent === undefined
      ? undefined
      : objects.find(context.scope, 'payment_intent', invoice.payment_intent);
  if (intent?.status !== 'processing') return payOpenInvoice(context, record);
  settlePayment(context, intent, true);
  return getRecord(context, 'subscription', record.id);
}

/** Whatever the schedule has for the end of the period comes first, as it does when the time comes by itself. */
function endScheduledPeriod(context: Context, record: SubscriptionRecord): SubscriptionRecord {
  const { objects } = context.emulator;
  const schedule = record.schedule
    ? objects.find(context.scope, 'subscription_schedule', record.schedule)
    : undefined;
  if (schedule === undefined || scheduleDueAt(schedule) > record.current_period_end)
    return endPeriod(context, record);
  advanceSchedule(context, schedule);
  return endPeriod(context, getRecord(context, 'subscription', record.id));
}

export function changeSubscription(
  context: Context,
  id: string,
  change: SubscriptionChange,
): Stripe.Subscription {
  return showSubscription(context, actions[change](context, getRecord(context, 'subscription', id)));
}
