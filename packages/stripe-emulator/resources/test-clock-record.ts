// Stored and rendered form of a test clock, and the time of objects that belong to one:
// https://docs.stripe.com/api/test_clocks/object.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { TestClockRecord } from '../store/records.ts';

export function showTestClock(context: Context, record: TestClockRecord): Stripe.TestHelpers.TestClock {
  const { id, created, deletes_after, frozen_time, name, status, target_frozen_time } = record;
  return {
    id,
    object: 'test_helpers.test_clock',
    created,
    deletes_after,
    frozen_time,
    livemode: context.livemode,
    name,
    status,
    status_details: target_frozen_time === null ? {} : { advancing: { target_frozen_time } },
  };
}

/** The context at the frozen time of an object's test clock; unchanged without a clock, or with a deleted one. */
export function atTestClock(context: Context, { test_clock }: { test_clock?: string | null }): Context {
  if (!test_clock) return context;
  const clock = context.emulator.objects.find(context.scope, 'test_helpers.test_clock', test_clock);
  return clock === undefined ? context : { ...context, now: clock.frozen_time };
}

/** Due for the clock process while it advances, and when it expires. */
export function attributesOf({ status, deletes_after }: TestClockRecord, now: number) {
  return { status, due: status === 'advancing' ? now : deletes_after };
}
