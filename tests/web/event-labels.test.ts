// Events as lists show them: what was asked and why it ended so, whatever the recorded request and response contain.

import { describe, expect, test } from 'vitest';
import { type Event, NO_ENVIRONMENT } from '#contracts/console/events';
import { drawsOf } from '../../web/domains/events/event-draws.ts';
import { exactTime } from '../../web/domains/events/exact-time.ts';
import { formatLatency, formatShortAge } from '../../web/ui/format.ts';
import { environmentMark, placeLabel, reasonLabel, requestLabel } from '../../web/values/event-labels.ts';

function event(changes: Partial<Event> = {}): Event {
  return {
    id: 'evt_1',
    time: 0,
    envId: 'env_1',
    type: 'ac',
    outcome: 'allowed',
    warningCodes: [],
    deniedFeatures: [],
    denials: null,
    isError: false,
    isWarning: false,
    subjectIdentifier: 'ada@example.com',
    secondarySubjectIdentifiers: [],
    detail: { countryCode: 'PT', city: 'Lisbon', continent: 'EU', planSlugs: [] },
    readDataLocations: [],
    writeDataLocations: [],
    request: { userIdentifier: 'ada@example.com' },
    response: { status: 'success', warnings: [] },
    integrationId: null,
    stripeEventType: null,
    cfRay: null,
    ...changes,
  } as Event;
}

const HOLD = { id: 'hold_weur_0_1_01kb', amount: 4_000, expiresAt: 120_000 };
const held = (request: object): Partial<Event> => ({
  type: 'cu',
  request: { feature: 'ai', property: 'credits', ...request },
});

describe('what was asked', () => {
  test.each<[Partial<Event>, string]>([
    [{}, 'all features'],
    [{ request: { features: ['exports', 'seats'] } }, 'exports, seats'],
    [{ request: { consume: { feature: 'exports', property: 'rows', by: 12 } } }, 'consumes exports.rows +12'],
    [{ type: 'cu', request: { feature: 'exports', property: 'rows', by: -3 } }, 'exports.rows −3'],
    [
      { type: 'cu', request: { feature: 'team', property: 'seats', resourceId: 'ada', release: true } },
      'team.seats releases ada',
    ],
    [{ ...held({ amount: 4000 }), response: { hold: HOLD } }, 'ai.credits holds 4,000'],
    [{ ...held({ amount: 9000 }), response: { accepted: false, hold: null } }, 'ai.credits holds 9,000'],
    [{ ...held({ amount: 500, hold: HOLD.id }), response: { hold: HOLD } }, 'ai.credits holds 500 more'],
    [{ ...held({ hold: HOLD.id }), response: { hold: HOLD } }, 'ai.credits holds longer'],
    [
      {
        ...held({ amount: 3127, hold: HOLD.id }),
        response: { applied: 3127, released: 873, overage: 0, hold: HOLD },
      },
      'ai.credits settles 3,127 of 4,000',
    ],
    [{ type: 'se', stripeEventType: 'invoice.paid', request: null }, 'invoice.paid'],
    [{ isError: true, request: null }, 'request not recorded'],
  ])('%j', (changes, label) => {
    expect(requestLabel(event(changes))).toBe(label);
  });

  test.each([null, 7, 'text', [], { features: 'no list' }, { consume: [] }, { feature: {}, by: 'much' }])(
    'a request of any shape has a label: %j',
    (request) => {
      expect(typeof requestLabel(event({ request }))).toBe('string');
      expect(typeof requestLabel(event({ type: 'cu', request }))).toBe('string');
    },
  );
});

test('milliseconds are written before the time zone', () => {
  expect(exactTime(Date.UTC(2026, 10, 26, 17, 40, 0, 42))).toMatch(/:40:00\.042 \S+$/);
});

test('an event is marked by its environment in a list of several, and as one of all in a list of one', () => {
  const environments = [{ id: 'env_1', name: 'Production' }];
  const [own, stripes] = [event(), event({ type: 'se', envId: NO_ENVIRONMENT })];
  expect(environmentMark(own, false, environments)).toEqual({ environment: 'Production' });
  expect(environmentMark(own, false, undefined)).toEqual({ environment: '' });
  expect(environmentMark(stripes, false, environments)).toEqual({ environment: 'All environments' });
  expect(environmentMark(own, true, environments)).toEqual({ isEverywhere: false });
  expect(environmentMark(stripes, true, environments)).toEqual({ isEverywhere: true });
});

test('the reason comes from the recorded fields, and from the response of older events', () => {
  const warned: Partial<Event> = {
    outcome: 'warning',
    isWarning: true,
    response: { warnings: [{ code: 'jwt-expired' }, { code: 'b' }, 'c'] },
  };
  expect(reasonLabel(event(warned))).toBe('jwt-expired and 1 more');
  const refused: Partial<Event> = {
    outcome: 'error',
    isError: true,
    response: { errorType: 'rate-limited' },
  };
  expect(reasonLabel(event(refused))).toBe('rate-limited');
  const denied: Partial<Event> = { outcome: 'denied', deniedFeatures: ['exports'] };
  expect(reasonLabel(event(denied))).toBe('Denied');
  expect(reasonLabel(event())).toBeNull();
});

describe('a denial says why, and never the feature that the request names already', () => {
  const [exports, sso] = [
    { feature: 'exports', reason: 'limit-reached' as const },
    { feature: 'sso', reason: 'not-in-plan' as const },
  ];
  const meter = { state: 'metered', allowed: false, used: 10_000, limit: 10_000 };
  const answered = { features: { exports: { properties: { formats: 'csv', rows: meter } } } };
  const consume = { feature: 'exports', property: 'rows', by: 5 };
  test.each<[string, Partial<Event>]>([
    ['Not in plan', { denials: [sso], request: { features: ['sso'] } }],
    ['Not in plan', { denials: [sso], request: {} }],
    ['Not in plan, 1 of 2 features', { denials: [sso], request: { features: ['sso', 'reports'] } }],
    [
      'Limit reached (10,000 of 10,000)',
      { denials: [exports], request: { features: ['exports'] }, response: answered },
    ],
    [
      'Limit reached',
      { denials: [exports], request: { features: ['exports'] }, response: { features: 'x' } },
    ],
    [
      'Limit reached (8 of 10)',
      { denials: [exports, sso], request: { consume }, response: { consumed: { used: 8, limit: 10 } } },
    ],
    [
      'Limit reached (3 of 3)',
      { type: 'cu', denials: [exports], request: consume, response: { meter: { used: 3, limit: 3 } } },
    ],
    [
      'Limit reached (10 of 10)',
      {
        ...{ type: 'cu', denials: [exports], request: { ...consume, by: undefined, amount: 5 } },
        response: { accepted: false, hold: null, meter: { used: 6, held: 4, limit: 10 } },
      },
    ],
    ['Limit reached and not in plan', { denials: [exports, sso], request: { features: ['exports', 'sso'] } }],
    ['Token not accepted', { denials: [sso], request: { features: ['sso'] }, warningCodes: ['jwt-expired'] }],
    [
      'Denied, 1 of 2 features',
      { denials: null, deniedFeatures: ['sso'], request: { features: ['sso', 'exports'] } },
    ],
  ])('%s: %j', (label, changes) => {
    const deniedFeatures = (changes.denials ?? []).map(({ feature }) => feature);
    expect(reasonLabel(event({ outcome: 'denied', deniedFeatures, ...changes }))).toBe(label);
  });

  test('a call that the used-up allowance refused is blocked', () => {
    const response = { errorType: 'usage-blocked', message: 'All used.' };
    expect(reasonLabel(event({ outcome: 'error', isError: true, response }))).toBe('Blocked');
  });
});

test('a place is named only as far as it is known, and a code that names no country is not looked up', () => {
  expect(placeLabel(event())).toBe('Lisbon, Portugal');
  for (const countryCode of [null, '', '<b>', 'portugal', 'T1', '__']) {
    const detail = { ...event().detail, countryCode };
    expect(placeLabel(event({ detail }))).toBe('Lisbon');
  }
});

test('ages and latencies fit narrow columns', () => {
  const ages = [-5_000, 12_999, 61_000, 7_200_000, 90_000_000].map((age) => formatShortAge(0, age));
  expect(ages).toEqual(['0s', '12s', '1m', '2h', '1d']);
  expect([0.42, 12.4, 999.6, 1_340].map(formatLatency)).toEqual([
    '0.4\u202fms',
    '12\u202fms',
    '1000\u202fms',
    '1.3\u202fs',
  ]);
});

describe('what an event took from balances', () => {
  const draws = [
    { from: 'inv-118', amount: 2_150 },
    { from: 'gift-7', amount: -40 },
  ];
  const words = [
    { from: 'inv-118', words: '2,150 from' },
    { from: 'gift-7', words: '40 given back to' },
  ];

  test('is said of updates and of checks that consume', () => {
    expect(drawsOf({ response: { draws } })).toEqual(words);
    expect(drawsOf({ response: { consumed: { draws } } })).toEqual(words);
    expect(drawsOf({ response: { costs: { draws } } })).toEqual(words);
  });

  test('is nothing without draws, and in responses of another shape', () => {
    for (const response of [
      null,
      {},
      { draws: 'all' },
      { draws: [null, { from: 1, amount: 2 }, { from: 'a' }] },
    ])
      expect(drawsOf({ response })).toEqual([]);
  });
});
