// Stored and rendered form of a subscription schedule: https://docs.stripe.com/api/subscription_schedules/object.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { PhaseRecord, ScheduleRecord } from '../store/records.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord } from './list-page.ts';

export function showSchedule(context: Context, record: ScheduleRecord): Stripe.SubscriptionSchedule {
  const { phase: _, billing_mode, ...kept } = record;
  const current = record.status === 'active' ? phaseAt(record, clockOf(context, record)) : undefined;
  const shown = {
    ...kept,
    object: 'subscription_schedule',
    application: null,
    billing_mode: {
      flexible: billing_mode === 'flexible' ? { proration_discounts: 'included' } : null,
      type: billing_mode,
    },
    current_phase: current ? { start_date: current.start_date, end_date: current.end_date } : null,
    customer_account: null,
    default_settings: {
      ...unset,
      billing_cycle_anchor: 'automatic',
      collection_method: 'charge_automatically',
      invoice_settings: { account_tax_ids: null, days_until_due: null, issuer: { type: 'self' } },
    },
    livemode: context.livemode,
    pause_schedules: [],
    phases: record.phases.map((phase) => showPhase(context, phase)),
    test_clock: record.test_clock ?? null,
  };
  return shown as unknown as Stripe.SubscriptionSchedule;
}

const unset = {
  application_fee_percent: null,
  billing_thresholds: null,
  default_payment_method: null,
  description: null,
  on_behalf_of: null,
  transfer_data: null,
};

function showPhase(context: Context, phase: PhaseRecord) {
  const [first] = phase.items;
  return {
    ...phase,
    ...unset,
    add_invoice_items: [],
    billing_cycle_anchor: null,
    collection_method: null,
    currency: first ? getRecord(context, 'price', first.price).currency : context.account.currency,
    default_tax_rates: [],
    discounts: [],
    invoice_settings: null,
    items: phase.items.map((item) => ({
      ...item,
      billing_thresholds: null,
      discounts: [],
      plan: item.price,
      tax_rates: [],
    })),
  };
}

/** The phase at an instant in Unix seconds. */
export function phaseAt({ phases }: ScheduleRecord, at: number): PhaseRecord | undefined {
  return phases.find(({ start_date, end_date }) => start_date <= at && at < end_date);
}

function clockOf(context: Context, { test_clock: id }: ScheduleRecord): number {
  const clock = id ? context.emulator.objects.find(context.scope, 'test_helpers.test_clock', id) : undefined;
  return clock?.frozen_time ?? context.now;
}

/** When its next phase begins or its last one ends, in Unix seconds. */
export function scheduleDueAt({ status, phases, phase, subscription }: ScheduleRecord): number {
  if (status === 'not_started') return phases[0]?.start_date ?? Number.POSITIVE_INFINITY;
  if (status !== 'active' || subscription === null) return Number.POSITIVE_INFINITY;
  return phases[phase]?.end_date ?? Number.POSITIVE_INFINITY;
}

export function attributesOf(record: ScheduleRecord) {
  const due = record.test_clock ? Number.POSITIVE_INFINITY : scheduleDueAt(record);
  return { parent: record.customer, status: record.status, due: Number.isFinite(due) ? due : null };
}

export function saveSchedule(
  context: Context,
  record: ScheduleRecord,
  event: 'updated' | 'canceled' | 'completed' | 'released' | 'aborted' = 'updated',
): ScheduleRecord {
  context.emulator.objects.update(context.scope, 'subscription_schedule', record, attributesOf(record));
  emitEvent(context, `subscription_schedule.${event}`, showSchedule(context, record));
  return record;
}
