// Test clocks, in test mode only: https://docs.stripe.com/api/test_clocks.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest } from '../core/stripe-error.ts';
import type { SubscriptionRecord, TestClockRecord } from '../store/records.ts';
import { getCustomer, saveCustomer } from './customer-record.ts';
import { deleteCustomer } from './customers.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, type List, listPage } from './list-page.ts';
import { advanceInvoice } from './one-off-invoices.ts';
import { advanceSchedule } from './schedule-phases.ts';
import { scheduleDueAt } from './schedule-record.ts';
import { saveSubscription, subscriptionsOf } from './subscription-changes.ts';
import { advanceSubscription } from './subscription-cycle.ts';
import { currentStatuses, dueAt } from './subscription-record.ts';
import { atTestClock, attributesOf, showTestClock } from './test-clock-record.ts';

const day = 86_400;
const keptSeconds = 30 * day;
const twoYears = 2 * 366 * day;

export function createTestClock(context: Context, params: Params): Stripe.TestHelpers.TestClock {
  if (context.livemode) throw invalidRequest('Test clocks can only be used in test mode.');
  const record: TestClockRecord = {
    id: newId('clock', 24),
    created: context.now,
    deletes_after: context.now + keptSeconds,
    frozen_time: params.requiredInteger('frozen_time'),
    name: params.text('name') ?? null,
    status: 'ready',
    target_frozen_time: null,
  };
  const customerId = params.text('customer');
  const { objects } = context.emulator;
  objects.insert(context.scope, 'test_helpers.test_clock', record, attributesOf(record, context.now));
  emitEvent(context, 'test_helpers.test_clock.created', showTestClock(context, record));
  if (customerId !== undefined) attach(context, record, customerId);
  return showTestClock(context, record);
}

function attach(context: Context, { id }: TestClockRecord, customerId: string): void {
  const customer = getCustomer(context, customerId);
  if (customer.test_clock) {
    throw invalidRequest(`Customer ${customerId} already has a test clock.`, { param: 'customer' });
  }
  saveCustomer(context, { ...customer, test_clock: id });
  for (const subscription of subscriptionsOf(context, customerId)) {
    saveSubscription(context, { ...subscription, test_clock: id });
  }
}

export function listTestClocks(context: Context, params: Params): List<Stripe.TestHelpers.TestClock> {
  return listPage(context, params, {
    kind: 'test_helpers.test_clock',
    url: '/v1/test_helpers/test_clocks',
    show: (record) => showTestClock(context, record),
  });
}

/** Starts advancing. The clock is `advancing` in the response; `finishAdvancing` makes it `ready` again. */
export function advanceTestClock(context: Context, params: Params, id: string): Stripe.TestHelpers.TestClock {
  const record = getRecord(context, 'test_helpers.test_clock', id);
  const target = params.requiredInteger('frozen_time');
  if (record.status === 'advancing') {
    throw invalidRequest('Test clock advancement underway - cannot perform modifications.', {
      code: 'lock_timeout',
    });
  }
  if (target <= record.frozen_time) {
    throw invalidRequest('The frozen_time must be after the test clock’s current frozen time.', {
      param: 'frozen_time',
    });
  }
  if (target > latestTarget(context, record)) {
    throw invalidRequest(
      'A test clock can advance at most two intervals of its shortest subscription, or two years without subscriptions.',
      { param: 'frozen_time' },
    );
  }
  const advancing: TestClockRecord = { ...record, status: 'advancing', target_frozen_time: target };
  saveTestClock(context, advancing);
  emitEvent(context, 'test_helpers.test_clock.advancing', showTestClock(context, advancing));
  return showTestClock(context, advancing);
}

/** Moves the clock to its target, and processes what becomes due on the way, in order. */
export function finishAdvancing(context: Context, record: TestClockRecord): void {
  const target = record.target_frozen_time ?? record.frozen_time;
  for (;;) {
    const next = nextChange(context, record);
    if (next === undefined || next.at > target) break;
    saveTestClock(context, { ...record, frozen_time: Math.max(record.frozen_time, next.at) });
    next.make();
  }
  const ready: TestClockRecord = {
    ...record,
    frozen_time: target,
    status: 'ready',
    target_frozen_time: null,
  };
  saveTestClock(context, ready);
  emitEvent(context, 'test_helpers.test_clock.ready', showTestClock(context, ready));
}

/** Deletes the clock together with its customers and their subscriptions. */
export function deleteTestClock(context: Context, id: string): Stripe.TestHelpers.DeletedTestClock {
  const record = getRecord(context, 'test_helpers.test_clock', id);
  const { objects } = context.emulator;
  for (const customer of objects.all(context.scope, 'customer', { fields: [['$.test_clock', id]] })) {
    deleteCustomer(context, customer.id);
  }
  emitEvent(context, 'test_helpers.test_clock.deleted', showTestClock(context, record));
  objects.remove(context.scope, 'test_helpers.test_clock', id);
  return { id, object: 'test_helpers.test_clock', deleted: true };
}

/** The change on the clock that is due first; a schedule's phase begins before its subscription renews. */
function nextChange(context: Context, clock: TestClockRecord): { at: number; make: () => void } | undefined {
  const fields = [['$.test_clock', clock.id]] as const;
  const schedules = context.emulator.objects.all(context.scope, 'subscription_schedule', { fields });
  const changes = [
    ...schedules.map((each) => ({
      at: scheduleDueAt(each),
      make: () => void advanceSchedule(context, each),
    })),
    ...context.emulator.objects
      .all(context.scope, 'invoice', { fields, statuses: ['draft'] })
      .map((each) => ({
        at: each.automatically_finalizes_at ?? Infinity,
        make: () => advanceInvoice(atTestClock(context, each), each),
      })),
    ...subscriptionsAt(context, clock).map((each) => ({
      at: dueAt(each),
      make: () => void advanceSubscription(context, each),
    })),
  ];
  return changes.sort((one, other) => one.at - other.at)[0];
}

function subscriptionsAt(context: Context, { id }: TestClockRecord): SubscriptionRecord[] {
  return context.emulator.objects.all(context.scope, 'subscription', {
    fields: [['$.test_clock', id]],
    statuses: currentStatuses,
  });
}

function latestTarget(context: Context, record: TestClockRecord): number {
  const lengths = subscriptionsAt(context, record).map(
    ({ current_period_start, current_period_end }) => current_period_end - current_period_start,
  );
  return record.frozen_time + (lengths.length === 0 ? twoYears : 2 * Math.min(...lengths));
}

function saveTestClock(context: Context, record: TestClockRecord): void {
  const { objects } = context.emulator;
  objects.update(context.scope, 'test_helpers.test_clock', record, attributesOf(record, context.now));
}
