/** Examples of the calls about holds, in the order in which one hold goes through them. */
import type {
  ExtendHold,
  ExtendHoldAnswer,
  HoldAnswer,
  HoldRequest,
  SettleHold,
  SettleHoldAnswer,
} from '#contracts/public/holds';
import { exportsMeter, NOW, REQUEST_ID, type Refusal, type Situation, USER } from './example-shapes.ts';
import { invalid, KEY_REUSED, refusal, SHARED_REFUSALS } from './refusal-examples.ts';

export const HOLD_ID = 'hold_weur_7_01kaafz2wgq3v8h5t0rj6y9mnc';
const PATH = `/api/v1/holds/${HOLD_ID}`;

/** @param used without what is held */
const meter = (used: number, held: number) => ({
  ...exportsMeter(used),
  ...(held > 0 && { held }),
  remaining: 100 - used - held,
});
const held = (amount: number) => ({ id: HOLD_ID, amount, expiresAt: NOW + 120_000 });
const answered: Omit<HoldAnswer, 'hold' | 'meter'> = {
  status: 'success',
  requestId: REQUEST_ID,
  accepted: true,
  replayed: false,
  allowed: true,
  warnings: [],
};
const REFUSED = { accepted: false, allowed: false, reason: 'limit-reached' } as const;
const TEN = { userIdentifier: USER, feature: 'data-exports', property: 'exports', amount: 10 };

export const HOLD_EXAMPLES: Readonly<Record<string, Situation<HoldRequest, HoldAnswer>>> = {
  hold: {
    summary: 'Hold an amount',
    description:
      'The amount counts against the limit at once. The hold ends after two minutes, unless it is settled or extended.',
    key: 'secret',
    request: { ...TEN, idempotencyKey: 'job-118' },
    answer: { ...answered, hold: held(10), meter: meter(45, 10) },
  },
  refused: {
    summary: 'More than is left',
    description: 'Nothing is held. This is a 200.',
    key: 'secret',
    request: { ...TEN, amount: 80 },
    answer: { ...answered, ...REFUSED, hold: null, meter: meter(45, 10) },
  },
  orLess: {
    summary: 'Hold what is left',
    description: 'With orLess the hold is what is left: do less, instead of nothing.',
    key: 'secret',
    request: { ...TEN, amount: 80, orLess: true, lastsMs: 60_000 },
    answer: { ...answered, hold: held(45), meter: { ...meter(45, 55), allowed: false } },
  },
};

export const EXTEND_HOLD_EXAMPLES: Readonly<Record<string, Situation<ExtendHold, ExtendHoldAnswer>>> = {
  extend: {
    summary: 'Hold more',
    description: 'Adds to the hold, and lets it last for two minutes from now.',
    key: 'secret',
    path: `${PATH}/extend`,
    request: { amount: 5, idempotencyKey: 'job-118-step-2' },
    answer: { ...answered, hold: held(15), meter: meter(45, 15) },
  },
  longer: {
    summary: 'Hold for longer',
    description: 'Without an amount only the end moves.',
    key: 'secret',
    path: `${PATH}/extend`,
    request: { lastsMs: 600_000 },
    answer: { ...answered, hold: held(15), meter: meter(45, 15) },
  },
};

export const SETTLE_HOLD_EXAMPLES: Readonly<Record<string, Situation<SettleHold, SettleHoldAnswer>>> = {
  settle: {
    summary: 'Settle with what was used',
    description: 'What was not used is free again.',
    key: 'secret',
    path: `${PATH}/settle`,
    request: { amount: 8 },
    answer: { ...answered, applied: 8, released: 7, overage: 0, hold: held(15), meter: meter(53, 0) },
  },
  again: {
    summary: 'Settle again',
    description: 'The same amount again is answered with replayed: true. Another amount is a conflict.',
    key: 'secret',
    path: `${PATH}/settle`,
    request: { amount: 8 },
    answer: {
      ...answered,
      replayed: true,
      ...{ applied: 8, released: 7, overage: 0, hold: held(15), meter: meter(53, 0) },
    },
  },
};

const { twoSubjects: _subjects, ...SHARED } = SHARED_REFUSALS;
const NEEDS_SECRET_KEY = refusal(
  'Holding with a public key',
  'secret-key-required',
  'Holding usage requires a secret key',
);
const USAGE_UNAVAILABLE = refusal(
  'Usage is unavailable',
  'usage-unavailable',
  'The customer’s usage is temporarily unavailable. Try again in a moment.',
);
const UNKNOWN = refusal('A hold that does not exist', 'hold-unknown', 'The environment has no such hold');

export const HOLD_REFUSALS: Readonly<Record<string, Refusal>> = {
  ...SHARED_REFUSALS,
  needsSecretKey: NEEDS_SECRET_KEY,
  nothing: invalid('Nothing to hold', 'amount', 'Must be at least 1'),
  resources: invalid(
    'A meter of unique resources',
    'property',
    'The meter counts unique resources, of which nothing can be held',
    'meter-counts-resources',
  ),
  keyReused: KEY_REUSED,
  tooMany: refusal(
    'Too many open holds',
    'too-many-holds',
    'The customer has 100 open holds, as many as are allowed',
  ),
};

export const EXTEND_HOLD_REFUSALS: Readonly<Record<string, Refusal>> = {
  ...SHARED,
  needsSecretKey: NEEDS_SECRET_KEY,
  usageUnavailable: USAGE_UNAVAILABLE,
  holdUnknown: UNKNOWN,
  over: refusal('A hold that has ended', 'hold-over', 'hold: The hold has ended', [
    { path: 'hold', message: 'The hold has ended' },
  ]),
  keyReused: KEY_REUSED,
  tooOften: refusal(
    'A hold that was extended too often',
    'extension-limit-reached',
    'hold: Was extended 100 times, as often as is allowed. Settle it and make a new one.',
    [
      {
        path: 'hold',
        message: 'Was extended 100 times, as often as is allowed. Settle it and make a new one.',
      },
    ],
  ),
};

export const SETTLE_HOLD_REFUSALS: Readonly<Record<string, Refusal>> = {
  ...SHARED,
  needsSecretKey: NEEDS_SECRET_KEY,
  usageUnavailable: USAGE_UNAVAILABLE,
  holdUnknown: UNKNOWN,
  settled: refusal(
    'A hold that is settled with another amount',
    'hold-settled',
    'amount: The hold is settled with 8 already, and stays so',
    [{ path: 'amount', message: 'The hold is settled with 8 already, and stays so' }],
  ),
};
