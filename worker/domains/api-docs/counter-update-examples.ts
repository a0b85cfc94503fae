/** Counter update examples: one for each situation that a client must expect. */
import type { CounterUpdateAnswer, CounterUpdatesAnswer } from '#contracts/public/metering';
import { warningOf } from '#contracts/public/warnings';
import {
  exportsMeter,
  REQUEST_ID,
  type Situation,
  seatsMeter,
  type UpdateSituation,
  USER,
} from './example-shapes.ts';
import { invalid } from './refusal-examples.ts';

const counted = (applied: number, meter: CounterUpdateAnswer['meter']): CounterUpdateAnswer => ({
  status: 'success',
  requestId: REQUEST_ID,
  accepted: true,
  replayed: false,
  applied,
  allowed: true,
  meter,
  warnings: [],
});

const REFUSED = { accepted: false, allowed: false, reason: 'limit-reached' } as const;

const EXPORT = { userIdentifier: USER, feature: 'data-exports', property: 'exports' };
const THREE = { ...EXPORT, by: 3, idempotencyKey: 'export-8841' };
const SEAT = { userIdentifier: USER, feature: 'team-seats', property: 'seats' };

export const COUNTER_UPDATE_EXAMPLES: Readonly<Record<string, UpdateSituation>> = {
  count: {
    summary: 'Count usage',
    description:
      'Counts usage that already happened, even beyond the limit. The idempotency key makes retries safe.',
    key: 'secret',
    request: THREE,
    answer: counted(3, exportsMeter(45)),
  },
  retry: {
    summary: 'Retry without counting twice',
    description:
      'The same request with the same key, for example after a timeout. Returns the first response with replayed: true.',
    key: 'secret',
    request: THREE,
    answer: { ...counted(3, exportsMeter(45)), replayed: true },
  },
  headerKey: {
    summary: 'Idempotency key as a header',
    description: 'Equivalent to the field, for clients that set a header on every call.',
    key: 'secret',
    headers: { 'Idempotency-Key': 'export-8842' },
    request: EXPORT,
    answer: counted(1, exportsMeter(46)),
  },
  enforce: {
    summary: 'Enforce the limit',
    description: 'If the amount does not fit, nothing is counted and accepted is false. This is a 200.',
    key: 'secret',
    request: { ...EXPORT, by: 80, enforce: true },
    answer: { ...counted(0, exportsMeter(46)), ...REFUSED },
  },
  giveBack: {
    summary: 'Reduce usage',
    description:
      'A negative amount, for example when an export failed. Usage never drops below 0, and applied is what was removed.',
    key: 'secret',
    request: { ...EXPORT, by: -1 },
    answer: counted(-1, exportsMeter(45)),
  },
  resource: {
    summary: 'Count a resource',
    description:
      'Counts each resource once per period, however often you send it: seats, devices, active users.',
    key: 'secret',
    request: { ...SEAT, resourceId: 'user-317', enforce: true },
    answer: counted(1, seatsMeter(6)),
  },
  release: {
    summary: 'Release a resource',
    description: 'Frees the seat.',
    key: 'secret',
    request: { ...SEAT, resourceId: 'user-317', release: true },
    answer: counted(-1, seatsMeter(5)),
  },
  resourceMissing: {
    summary: 'Unique resources without a resource',
    description:
      'A meter of unique resources needs a resourceId. Without one nothing is counted, accepted is false and a warning explains why.',
    key: 'secret',
    request: SEAT,
    answer: {
      ...counted(0, seatsMeter(5)),
      ...REFUSED,
      warnings: [warningOf('resource-id-missing')],
    },
  },
};

const batch = (...results: CounterUpdatesAnswer['results']): CounterUpdatesAnswer => ({
  status: 'success',
  requestId: REQUEST_ID,
  results,
});

export const COUNTER_UPDATES_EXAMPLES: Readonly<Record<string, Situation<unknown, CounterUpdatesAnswer>>> = {
  count: {
    summary: 'Several updates',
    description:
      'What an application has gathered for a second or two, with the age of each. Each has an idempotency key, so the batch can be sent again.',
    key: 'secret',
    request: {
      updates: [
        { ...EXPORT, by: 2, idempotencyKey: 'export-9001', ageMs: 1_800 },
        { ...SEAT, resourceId: 'user-318', idempotencyKey: 'seat-318', ageMs: 350 },
      ],
    },
    answer: batch(counted(2, exportsMeter(47)), counted(1, seatsMeter(6))),
  },
  partlyInvalid: {
    summary: 'One update fails',
    description: 'The others are counted. The response is a 200; the failed update has its error.',
    key: 'secret',
    request: { updates: [EXPORT, { ...EXPORT, feature: 'dark-mode' }] },
    answer: batch(
      counted(1, exportsMeter(48)),
      invalid(
        'A feature that does not exist',
        'feature',
        'The deployed version has no such feature',
        'feature-unknown',
      ).answer,
    ),
  },
  retry: {
    summary: 'Send a batch again',
    description: 'After a timeout. What was counted the first time is replayed, and the rest is counted.',
    key: 'secret',
    request: {
      updates: [
        { ...EXPORT, by: 2, idempotencyKey: 'export-9001', ageMs: 12_400 },
        { ...EXPORT, by: 4, idempotencyKey: 'export-9002', ageMs: 11_900 },
      ],
    },
    answer: batch({ ...counted(2, exportsMeter(47)), replayed: true }, counted(4, exportsMeter(52))),
  },
};
