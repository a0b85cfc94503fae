// What time does to a subscription schedule: it begins, moves on to its next phase, and ends.
import type { Context } from '../core/emulator.ts';
import { newId } from '../core/emulator.ts';
import type { PhaseRecord, ScheduleRecord, SubscriptionItemRecord } from '../store/records.ts';
import { getRecord } from './list-page.ts';
import { methodOf } from './payment-methods.ts';
import { saveSchedule, scheduleDueAt } from './schedule-record.ts';
import { cancelSubscription, saveSubscription, startSubscription } from './subscription-changes.ts';
import { endedStatuses, newSubscriptionRecord } from './subscription-record.ts';
import { atTestClock } from './test-clock-record.ts';

/** Makes the change that is due: starts the subscription, begins the next phase, or ends the schedule. */
export function advanceSchedule(outer: Context, record: ScheduleRecord): ScheduleRecord {
  const context = atTestClock(outer, record);
  const at = scheduleDueAt(record);
  if (record.status === 'not_started') return startSchedule(context, record);
  const index = record.phase + 1;
  const next = record.phases[index];
  return next === undefined
    ? endSchedule(context, record, at)
    : beginPhase(context, { ...record, phase: index }, next);
}

export function startSchedule(context: Context, record: ScheduleRecord): ScheduleRecord {
  const [phase] = record.phases;
  if (phase === undefined) return record;
  const begun = newSubscriptionRecord(
    {
      customer: record.customer,
      items: phase.items.map(({ price, ...item }) => ({
        ...item,
        price: getRecord(context, 'price', price),
      })),
      startedAt: context.now,
      trialEndsAt: phase.trial_end,
    },
    {
      billing_mode: { type: record.billing_mode, updated_at: context.now },
      chargesCard: true,
      metadata: phase.metadata,
      schedule: record.id,
    },
  );
  // The first invoice of a schedule is attempted an hour later, without making the subscription incomplete.
  const isPaid = begun.status === 'trialing' || methodOf(context, begun)?.isDeclined === false;
  const status = isPaid ? begun.status : 'past_due';
  const subscription = startSubscription(context, { ...begun, status }, isPaid ? 'paid' : 'declined');
  return saveSchedule(context, { ...record, status: 'active', subscription: subscription.id, phase: 0 });
}

function beginPhase(context: Context, record: ScheduleRecord, phase: PhaseRecord): ScheduleRecord {
  applyPhase(context, record, phase);
  return saveSchedule(context, record);
}

/** Gives the subscription the phase's items. An item whose price stays keeps its id. */
export function applyPhase(context: Context, record: ScheduleRecord, phase: PhaseRecord): void {
  const subscription = getRecord(context, 'subscription', record.subscription ?? '');
  if (endedStatuses.includes(subscription.status)) return;
  const items = phase.items.map(({ price, quantity, metadata }): SubscriptionItemRecord => {
    const kept = subscription.items.find((item) => item.price === price);
    const isMetered = getRecord(context, 'price', price).recurring?.usage_type === 'metered';
    const base = kept ?? { id: newId('si'), created: context.now, price, metadata };
    const { quantity: _, ...item } = base;
    return isMetered ? item : { ...item, quantity: quantity ?? 1 };
  });
  saveSubscription(context, {
    ...subscription,
    items,
    metadata: { ...subscription.metadata, ...phase.metadata },
  });
}

function endSchedule(context: Context, record: ScheduleRecord, at: number): ScheduleRecord {
  const subscription = getRecord(context, 'subscription', record.subscription ?? '');
  if (record.end_behavior === 'release') return releaseSchedule(context, record);
  if (!endedStatuses.includes(subscription.status))
    cancelSubscription(context, { ...subscription, schedule: null });
  return saveSchedule(context, { ...record, status: 'completed', completed_at: at }, 'completed');
}

/** The subscription goes on without the schedule. */
export function releaseSchedule(context: Context, record: ScheduleRecord): ScheduleRecord {
  const { subscription: id } = record;
  if (id !== null) saveSubscription(context, { ...getRecord(context, 'subscription', id), schedule: null });
  return saveSchedule(
    context,
    {
      ...record,
      status: 'released',
      released_at: context.now,
      released_subscription: id,
      subscription: null,
    },
    'released',
  );
}
