/** Counter update examples: one for each situation that a client must expect. */
import type { CounterUpdateAnswer } from '#contracts/public/metering';
import { exportsMeter, REQUEST_ID, seatsMeter, type UpdateSituation, USER } from './example-shapes.ts';

const counted = (meter: CounterUpdateAnswer['meter']): CounterUpdateAnswer => ({
  status: 'success',
  requestId: REQUEST_ID,
  accepted: true,
  replayed: false,
  meter,
  warnings: [],
});

const EXPORT = { userIdentifier: USER, feature: 'data-exports', property: 'exports' };
const THREE = { ...EXPORT, by: 3, idempotencyKey: 'export-8841' };
const SEAT = { userIdentifier: USER, feature: 'team-seats', property: 'seats' };

export const COUNTER_UPDATE_EXAMPLES: Readonly<Record<string, UpdateSituation>> = {
  count: {
    summary: 'Count usage',
    description: 'After the fact: it is counted also beyond the limit. The key makes it safe to send again.',
    key: 'secret',
    request: THREE,
    answer: counted(exportsMeter(45)),
  },
  retry: {
    summary: 'Retry without counting twice',
    description:
      'The same request with the same key, sent again after a timeout: the first answer comes back, and replayed is true.',
    key: 'secret',
    request: THREE,
    answer: { ...counted(exportsMeter(45)), replayed: true },
  },
  headerKey: {
    summary: 'Idempotency key as a header',
    description: 'Means the same as the field, for clients that set it for every call.',
    key: 'secret',
    headers: { 'Idempotency-Key': 'export-8842' },
    request: EXPORT,
    answer: counted(exportsMeter(46)),
  },
  enforce: {
    summary: 'Only what fits',
    description: 'Beyond the limit nothing is counted, and accepted is false. That is a 200.',
    key: 'secret',
    request: { ...EXPORT, by: 80, enforce: true },
    answer: { ...counted(exportsMeter(46)), accepted: false },
  },
  giveBack: {
    summary: 'Give back',
    description: 'A negative amount, as when an export failed. Usage never falls below 0.',
    key: 'secret',
    request: { ...EXPORT, by: -1 },
    answer: counted(exportsMeter(45)),
  },
  resource: {
    summary: 'Count a resource',
    description: 'Counts once in a period, however often it is sent: seats, devices, active users.',
    key: 'secret',
    request: { ...SEAT, resourceId: 'user-317', enforce: true },
    answer: counted(seatsMeter(5)),
  },
  release: {
    summary: 'Give a resource back',
    description: 'The seat is free again.',
    key: 'secret',
    request: { ...SEAT, resourceId: 'user-317', release: true },
    answer: counted(seatsMeter(4)),
  },
};
