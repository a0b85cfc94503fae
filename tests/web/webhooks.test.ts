// Webhooks in words: one look tells what a webhook is for and whether it works.
import { expect, test } from 'vitest';
import type { Delivery, Webhook } from '#contracts/console/webhooks';
import {
  answerLabel,
  deliveryState,
  environmentOf,
  environmentsLabel,
  typesLabel,
  webhookState,
} from '#web/domains/webhooks/webhook-labels.ts';

const webhook = { isEnabled: true, failingSince: null } as Webhook;
const delivery = { state: 'waiting', attempts: 0, lastAt: null, status: null, tookMs: null } as Delivery;

test('a disabled webhook is disabled, whether or not it failed before', () => {
  expect(webhookState(webhook).label).toBe('Enabled');
  expect(webhookState({ ...webhook, failingSince: 1 }).label).toBe('Failing');
  expect(webhookState({ ...webhook, isEnabled: false, failingSince: 1 }).label).toBe('Disabled');
});

test('few environments and events have their names, more are counted', () => {
  const environments = ['a', 'b', 'c'].map((id) => ({ id, name: `Name of ${id}` }));
  expect(environmentsLabel(null, environments)).toBe('All environments');
  expect(environmentsLabel(['a', 'gone'], environments)).toBe('Name of a, Deleted environment');
  expect(environmentsLabel(['a'], undefined)).toBe('1 environment');
  expect(environmentsLabel(['a', 'b', 'c'], environments)).toBe('3 environments');
  expect(typesLabel(null)).toBe('All events');
  expect(typesLabel(['environment.deployed'])).toBe('environment.deployed');
  expect(typesLabel(['a', 'b', 'c'])).toBe('3 events');
});

test('an event waits before its first attempt, and is retried after it', () => {
  expect(deliveryState(delivery)).toEqual({ tone: 'waiting', label: 'Waiting' });
  expect(deliveryState({ ...delivery, attempts: 1 }).label).toBe('Retrying');
  expect(deliveryState({ ...delivery, state: 'failed', attempts: 10 })).toEqual({
    tone: 'bad',
    label: 'Failed',
  });
});

test('an answer has its status and time, and no answer is none', () => {
  expect(answerLabel(delivery)).toBeNull();
  expect(answerLabel({ ...delivery, lastAt: 1, status: 503, tookMs: 34 })).toBe('503 in 34\u202fms');
  expect(answerLabel({ ...delivery, lastAt: 1, tookMs: 15_000 })).toBe('No answer in 15.0\u202fs');
});

test('an event has the environment’s name as it was, and a test has none', () => {
  const bodyOf = (data: object) => ({ ...delivery, body: JSON.stringify({ data }) });
  expect(environmentOf(bodyOf({ environment: { name: 'Production' } }))).toBe('Production');
  expect(environmentOf(bodyOf({ message: 'A test' }))).toBe('');
});
