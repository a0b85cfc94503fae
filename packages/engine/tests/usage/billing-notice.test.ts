// What is told of an organisation's own subscription, from its stored state and the time.
import { expect, test } from 'vitest';
import { DAY_MS } from '#engine/durations';
import { billingNoticeOf, noticeKeyOf } from '#engine/usage/billing-notice';
import { fallOf } from '#engine/usage/grace-period';

const now = Date.UTC(2026, 2, 10, 12);
const quiet = {
  plan: 'grow',
  subscriptionId: 'sub_1',
  subscriptionStatus: 'active',
  pastDueSince: null,
  currentPeriodEndAt: now + 20 * DAY_MS,
  cancelAtPeriodEnd: false,
  fellAt: null,
  graceUntil: null,
} as const;
const overdue = { ...quiet, subscriptionStatus: 'past_due', pastDueSince: now } as const;
const onBuild = {
  ...quiet,
  plan: 'build',
  subscriptionId: null,
  subscriptionStatus: null,
  fellAt: now,
} as const;

test.each([
  ['nothing', quiet, now, null],
  ['nothing of a plan that staff gave', { ...overdue, subscriptionId: null }, now, null],
  ['a failed payment', overdue, now, 'past-due'],
  ['its last three days', overdue, now + 11 * DAY_MS, 'past-due-ends'],
  ['nothing of a cancellation that is far', { ...quiet, cancelAtPeriodEnd: true }, now, null],
  [
    'a cancellation’s last three days',
    { ...quiet, cancelAtPeriodEnd: true },
    now + 17 * DAY_MS,
    'cancelled-ends',
  ],
  [
    'what ends first',
    { ...overdue, cancelAtPeriodEnd: true, currentPeriodEndAt: now + DAY_MS },
    now,
    'cancelled-ends',
  ],
  [
    'what ends first, the payment',
    { ...overdue, cancelAtPeriodEnd: true },
    now + 13 * DAY_MS,
    'past-due-ends',
  ],
  ['an unpaid invoice', { ...quiet, plan: 'build', subscriptionStatus: 'unpaid' } as const, now, 'on-hold'],
  ['a pause', { ...quiet, plan: 'build', subscriptionStatus: 'paused' } as const, now, 'paused'],
  [
    'nothing of a first payment',
    { ...quiet, plan: 'build', subscriptionStatus: 'incomplete' } as const,
    now,
    null,
  ],
  ['a fall', onBuild, now, 'on-build'],
  ['nothing a week after it', onBuild, now + 7 * DAY_MS, null],
])('%s is told', (_, row, at, kind) => {
  expect(billingNoticeOf(row, at)?.kind ?? null).toBe(kind);
});

test('a grace period is told until it ends, and not on grow', () => {
  const row = { ...onBuild, graceUntil: now + DAY_MS };
  expect(billingNoticeOf(row, now)?.graceUntil).toBe(now + DAY_MS);
  expect(billingNoticeOf(row, now + DAY_MS)).toEqual({ kind: 'on-build', until: null, graceUntil: null });
  expect(billingNoticeOf({ ...overdue, graceUntil: now + DAY_MS }, now)?.graceUntil).toBeNull();
});

test('a state keeps its name while it lasts, and another payment or fall has another name', () => {
  expect(noticeKeyOf(overdue, now)).toBe(noticeKeyOf(overdue, now + DAY_MS));
  expect(noticeKeyOf({ ...overdue, pastDueSince: now + 1 }, now + 1)).not.toBe(noticeKeyOf(overdue, now));
  expect(noticeKeyOf({ ...onBuild, fellAt: now + 1 }, now + 1)).not.toBe(noticeKeyOf(onBuild, now));
});

test('a grace period lasts a week or until the month ends, and a plan that falls again soon has no other', () => {
  expect(fallOf({ fellAt: null }, true, now).graceUntil).toBe(now + 7 * DAY_MS);
  expect(fallOf({ fellAt: null }, true, Date.UTC(2026, 2, 28)).graceUntil).toBe(Date.UTC(2026, 3, 1));
  expect(fallOf({ fellAt: now - 29 * DAY_MS }, true, now)).toEqual({ fellAt: now });
  expect(fallOf({ fellAt: now - 30 * DAY_MS }, true, now).graceUntil).toBe(now + 7 * DAY_MS);
  expect(fallOf({ fellAt: null }, false, now)).toEqual({ fellAt: now });
});
