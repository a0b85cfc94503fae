// The Events tab without a browser: the search in the URL, events in words, and what hostile events must not do.
import { describe, expect, test } from 'vitest';
import type { Event } from '#contracts/console/events';
import { LatencyHistogram } from '#engine/events/latency-histogram';
import {
  criteriaOf,
  eventsAddress,
  followingNow,
  pageOf,
  periodOf,
  readEventSearch,
} from '../../web/domains/events/event-search.ts';
import { eventSentence, featuresOf } from '../../web/domains/events/event-sentence.ts';
import { isTreeSized, openLevels } from '../../web/domains/events/json-size.ts';
import { repeatCurl } from '../../web/domains/events/repeat-curl.ts';
import { latencyOfSlots } from '../../web/domains/metrics/latency-of-slots.ts';
import { paths } from '../../web/paths.ts';
import { joinBars } from '../../web/ui/charts/bar-chart.tsx';
import { pathsOf } from '../../web/ui/charts/line-chart.tsx';
import { axisTicks, periodLabel, spanLabel } from '../../web/ui/charts/time-labels.ts';
import { countryName, countryOptions } from '../../web/values/countries.ts';

function event(changes: Partial<Event> = {}): Event {
  return {
    id: 'evt_1',
    time: 0,
    envId: 'env_1',
    environmentType: 'live',
    type: 'ac',
    outcome: 'allowed',
    isError: false,
    isWarning: false,
    isCold: false,
    key: null,
    latency: null,
    warningCodes: [],
    deniedFeatures: [],
    denials: null,
    workflowExecutions: { total: 0, failed: 0 },
    subjectIdentifier: 'ada@example.com',
    secondarySubjectIdentifiers: [],
    detail: { countryCode: 'PT', city: 'Lisbon', continent: 'EU', planSlugs: ['pro'] },
    readDataLocations: [],
    writeDataLocations: [],
    integrationId: null,
    stripeEventType: null,
    request: { userIdentifier: 'ada@example.com' },
    response: { status: 'success' },
    cfRay: null,
    ...changes,
  } as Event;
}

describe('the search in the URL', () => {
  const read = (query: string) => readEventSearch(new URLSearchParams(query));

  test.each([
    '?q=ada&subject=ada%2Bx%40example.com&environment=env_1&type=ac&outcome=denied&plan=pro&feature=exports&country=PT&range=7d',
    '?from=1000&to=2000',
    '?type=hold&drew=balance%3Ainv-118',
    '?drew=held',
    '?q=hold_weur_0_01kb8x2v9aq7ztm3c5d4e6f8g0',
    '?q=a%26b%3D%2B%25',
    '',
  ])('%s is kept as it is', (query) => {
    expect(paths.events('org_1', eventsAddress(read(query)))).toBe(`/o/org_1/observe/events${query}`);
  });

  test.each([
    ['type=xx&outcome=maybe&range=99d&plan=NOT%20A%20SLUG&country=Portugal', ''],
    ['from=2000&to=1000', ''],
    ['from=1.5&to=NaN', ''],
    ['from=8640000000000000&to=8640000000000001', ''],
    ['range=__proto__&type=constructor', ''],
    [`subject=${'x'.repeat(201)}`, ''],
    [`q=${'x'.repeat(80)}`, `?q=${'x'.repeat(30)}`],
    [`q=hold_weur_0_${'x'.repeat(27)}`, `?q=hold_weur_0_${'x'.repeat(18)}`],
    [`drew=balance:${'x'.repeat(201)}`, ''],
    ['drew=inv-118', ''],
    ['country=pt', '?country=PT'],
  ])('%s: what is invalid is ignored', (query, expected) => {
    expect(paths.events('org_1', eventsAddress(read(query)))).toBe(`/o/org_1/observe/events${expected}`);
  });

  test('calls about holds are a type of their own', () => {
    const typeOf = (query: string) => {
      const { type, isHold } = criteriaOf(read(query), 0, null);
      return { type, isHold };
    };
    expect(typeOf('type=hold')).toEqual({ type: 'cu', isHold: true });
    expect(typeOf('type=cu')).toEqual({ type: 'cu', isHold: false });
    expect(typeOf('type=ac')).toEqual({ type: 'ac', isHold: undefined });
  });

  test('a range that ends now has no end, a fixed one has both', () => {
    const now = 10 ** 12;
    expect(criteriaOf(read('range=1h'), now, null)).toMatchObject({ timeFrom: now - 3_600_000 });
    expect(criteriaOf(read('range=1h'), now, null).timeTo).toBeUndefined();
    expect(criteriaOf(read('from=5&to=9'), now, null)).toMatchObject({ timeFrom: 5, timeTo: 9 });
    expect(criteriaOf(read('from=5&to=9'), now, 7.25)).toMatchObject({ timeFrom: 5, timeTo: 7.25 });
    expect(periodOf(read('from=5&to=9'), now)).toEqual({ from: 5, to: 9 });
  });

  test('the chart and the export follow the list when its first page is fetched again, but only then', () => {
    const now = 10 ** 12;
    const follow = (query: string, before: number | null, fetchedAt: number) =>
      followingNow(read(query), { now, before, fetchedAt });
    expect(follow('range=1h', null, now + 60_001)).toBe(now + 60_001);
    expect(follow('range=1h', null, now + 60_000)).toBe(now);
    expect(follow('range=1h', null, 0)).toBe(now);
    expect(follow('range=1h', now - 5, now + 600_000)).toBe(now);
    expect(follow('from=5&to=9', null, now + 600_000)).toBe(now);
  });

  test('the first page of a range that ends now is not fetched twice because that instant moves', () => {
    const keyOf = (query: string, now: number, before: number | null) =>
      JSON.stringify(pageOf(read(query), now, before).key);
    expect(keyOf('range=1h', 10 ** 12, null)).toBe(keyOf('range=1h', 10 ** 12 + 60_001, null));
    expect(keyOf('range=1h', 10 ** 12, null)).not.toBe(keyOf('range=24h', 10 ** 12, null));
    expect(keyOf('range=1h', 10 ** 12, 7)).not.toBe(keyOf('range=1h', 10 ** 12 + 60_001, 7));
    expect(keyOf('from=5&to=9', 1, null)).toBe(keyOf('from=5&to=9', 2, null));
    const [at, hour] = [10 ** 12, 3_600_000];
    expect(pageOf(read('range=1h'), 5, null).criteriaAt(at)).toMatchObject({ timeFrom: at - hour });
    expect(pageOf(read('range=1h'), at, 7).criteriaAt(at + 9)).toMatchObject({
      timeFrom: at - hour,
      timeTo: 7,
    });
  });
});

const COSTS = { feature: 'ai', property: 'credits', per: 0.25, accepted: true, applied: 3, remaining: 9 };
const HOLD = { id: 'hold_weur_0_1_01kb', amount: 4_000, expiresAt: 120_000 };

/** A call about a hold of ai.credits. */
const held = (request: object, response: object): Partial<Event> => ({
  type: 'cu',
  request: { feature: 'ai', property: 'credits', ...request },
  response: { accepted: true, ...response },
});

describe('an event in a sentence', () => {
  test.each([
    [{}, 'ada@example.com in Lisbon, Portugal, was checked for all features on the pro plan.'],
    [
      {
        deniedFeatures: ['exports', 'seats'],
        outcome: 'denied',
        request: { features: ['exports', 'seats'] },
      },
      'ada@example.com in Lisbon, Portugal, was checked for 2 features on the pro plan. Denied: exports and seats.',
    ],
    [
      {
        deniedFeatures: ['exports'],
        denials: [{ feature: 'exports', reason: 'not-in-plan' as const }],
        outcome: 'denied',
        request: { features: ['exports'] },
      },
      'ada@example.com in Lisbon, Portugal, was checked for exports on the pro plan. Denied: not in plan.',
    ],
    [
      {
        deniedFeatures: ['exports', 'sso'],
        denials: [
          { feature: 'exports', reason: 'limit-reached' as const },
          { feature: 'sso', reason: 'not-in-plan' as const },
        ],
        outcome: 'denied',
        request: { features: ['exports', 'sso'] },
      },
      'ada@example.com in Lisbon, Portugal, was checked for 2 features on the pro plan. Denied. Limit reached: exports. Not in plan: sso.',
    ],
    [
      {
        deniedFeatures: ['sso', 'reports'],
        denials: ['sso', 'reports'].map((feature) => ({ feature, reason: 'not-in-plan' as const })),
      },
      'ada@example.com in Lisbon, Portugal, was checked for all features on the pro plan. Not in plan: sso and reports.',
    ],
    [
      {
        type: 'cu',
        outcome: 'denied',
        deniedFeatures: ['exports'],
        denials: [{ feature: 'exports', reason: 'limit-reached' as const }],
        request: { feature: 'exports', property: 'rows', by: 3 },
        response: { accepted: false, meter: { used: 9, limit: 10 } },
      },
      'ada@example.com in Lisbon, Portugal, tried to use 3 of exports.rows. Nothing was counted: limit reached (9 of 10).',
    ],
    [
      { deniedFeatures: ['exports', 'seats', 'sso'] },
      'ada@example.com in Lisbon, Portugal, was checked for all features on the pro plan. Limited: exports, seats and 1 more.',
    ],
    [
      { subjectIdentifier: null, detail: { countryCode: null, city: null, continent: null, planSlugs: [] } },
      'An anonymous visitor was checked for all features and has no plan.',
    ],
    [
      {
        isError: true,
        outcome: 'error',
        request: null,
        response: { errorType: 'invalid-request', message: 'feature: Required' },
      },
      'The access check was refused with “feature: Required”.',
    ],
    [
      {
        isError: true,
        outcome: 'error',
        response: { errorType: 'unavailable', message: 'Usage is unavailable.' },
      },
      'The access check failed with “Usage is unavailable”.',
    ],
    [{ isError: true, outcome: 'error', response: null }, 'The access check failed.'],
    [
      {
        type: 'cu',
        request: { feature: 'exports', property: 'rows', by: 3 },
        response: { accepted: true, meter: { used: 8, limit: 10_000 } },
      },
      'ada@example.com in Lisbon, Portugal, used 3 of exports.rows. 8 of 10,000 used.',
    ],
    [
      {
        type: 'cu',
        request: { feature: 'exports', property: 'rows', by: -3 },
        response: { accepted: true },
      },
      'ada@example.com in Lisbon, Portugal, returned 3 of exports.rows.',
    ],
    [
      {
        type: 'cu',
        request: { feature: 'exports', property: 'rows', by: 2 },
        response: { accepted: true, applied: 2, meter: { state: 'on', allowed: true, used: 1200 } },
      },
      'ada@example.com in Lisbon, Portugal, used 2 of exports.rows. 1,200 used.',
    ],
    [
      {
        type: 'cu',
        request: { feature: 'exports', property: 'rows', by: -1500 },
        response: { accepted: true, applied: -3 },
      },
      'ada@example.com in Lisbon, Portugal, returned 3 of exports.rows, of 1,500 requested.',
    ],
    [
      {
        type: 'cu',
        request: { feature: 'team', property: 'seats', resourceId: 'bo', release: true },
        response: { accepted: true },
      },
      'ada@example.com in Lisbon, Portugal, released bo from team.seats.',
    ],
    [
      {
        type: 'cu',
        request: { feature: 'team', property: 'seats', resourceId: 'bo' },
        response: { accepted: true, replayed: true, meter: { used: 4, limit: 10 } },
      },
      'ada@example.com in Lisbon, Portugal, added bo to team.seats. This was a retry, so it was counted once. 4 of 10 used.',
    ],
    [
      {
        type: 'cu',
        request: { feature: 'team', property: 'seats', resourceId: 'bo' },
        response: { accepted: false, meter: { state: 'off', allowed: false } },
      },
      'ada@example.com in Lisbon, Portugal, tried to add bo to team.seats. It was not accepted, so nothing was counted.',
    ],
    [
      {
        type: 'cu',
        request: { feature: 'exports', property: 'rows', by: 3 },
        response: { accepted: false, meter: { used: 9, limit: 10 } },
      },
      'ada@example.com in Lisbon, Portugal, tried to use 3 of exports.rows. It was not accepted, so nothing was counted. 9 of 10 used.',
    ],
    [
      {
        type: 'cu',
        request: { feature: 'chat', property: 'tokens', by: 12 },
        response: { accepted: true, applied: 12, costs: COSTS, meter: { used: 12, limit: 100 } },
      },
      'ada@example.com in Lisbon, Portugal, used 12 of chat.tokens, which cost 3 of ai.credits. 12 of 100 used.',
    ],
    [
      {
        type: 'cu',
        request: { feature: 'chat', property: 'tokens', by: -12 },
        response: { accepted: true, applied: -12, costs: { ...COSTS, applied: -3 } },
      },
      'ada@example.com in Lisbon, Portugal, returned 12 of chat.tokens, which gave back 3 of ai.credits.',
    ],
    [
      {
        type: 'cu',
        request: { feature: 'chat', property: 'tokens', by: 12 },
        response: { accepted: false, costs: { ...COSTS, accepted: false, applied: 0, remaining: 2 } },
      },
      'ada@example.com in Lisbon, Portugal, tried to use 12 of chat.tokens. It was not accepted, so nothing was counted. 2 of ai.credits are left to pay for it.',
    ],
    [
      {
        request: { features: ['chat'], consume: { feature: 'chat', property: 'tokens', by: 12 } },
        response: { consumed: { accepted: true, applied: 12, costs: COSTS } },
      },
      'ada@example.com in Lisbon, Portugal, was checked for chat on the pro plan. Counted 12 of chat.tokens, which cost 3 of ai.credits.',
    ],
    [
      held({ amount: 4_000 }, { hold: HOLD, costs: COSTS }),
      'ada@example.com in Lisbon, Portugal, held 4,000 of ai.credits, and 3 of ai.credits.',
    ],
    [
      held({ amount: 4_000 }, { hold: HOLD, meter: { used: 2_150, held: 4_000, limit: 10_000 } }),
      'ada@example.com in Lisbon, Portugal, held 4,000 of ai.credits. 2,150 of 10,000 used, 4,000 held.',
    ],
    [
      held({ amount: 9_000, orLess: true }, { hold: HOLD, replayed: true }),
      'ada@example.com in Lisbon, Portugal, held 4,000 of ai.credits, of 9,000 requested. This was a retry, so it was counted once.',
    ],
    [
      held({ amount: 9_000 }, { accepted: false, hold: null, meter: { used: 9, held: 5, limit: 20 } }),
      'ada@example.com in Lisbon, Portugal, tried to hold 9,000 of ai.credits. Nothing was held: it was not accepted. 9 of 20 used, 5 held.',
    ],
    [
      held({ amount: 1_000, hold: HOLD.id }, { hold: HOLD }),
      'ada@example.com in Lisbon, Portugal, added 1,000 to a hold of ai.credits: 4,000 in all.',
    ],
    [
      held({ hold: HOLD.id, lastsMs: 5_000 }, { hold: HOLD }),
      'ada@example.com in Lisbon, Portugal, kept a hold of 4,000 of ai.credits open for longer.',
    ],
    [
      {
        ...held(
          { amount: 7_000, hold: HOLD.id },
          { accepted: false, hold: HOLD, meter: { used: 6_000, held: 4_000, limit: 10_000 } },
        ),
        denials: [{ feature: 'ai', reason: 'limit-reached' }],
      },
      'ada@example.com in Lisbon, Portugal, tried to add 7,000 to a hold of 4,000 of ai.credits. It stays as it was: limit reached (6,000 of 10,000, 4,000 held).',
    ],
    [
      held({ amount: 3_127, hold: HOLD.id }, { applied: 3_127, released: 873, overage: 0, hold: HOLD }),
      'ada@example.com in Lisbon, Portugal, settled a hold of 4,000 of ai.credits: 3,127 used, 873 released.',
    ],
    [
      held({ amount: 5_000, hold: HOLD.id }, { applied: 5_000, released: 0, overage: 20, hold: HOLD }),
      'ada@example.com in Lisbon, Portugal, settled a hold of 4,000 of ai.credits: 5,000 used, 20 beyond the limit.',
    ],
    [
      held({ amount: 0, hold: HOLD.id }, { applied: 0, released: 4_000, overage: 0, hold: HOLD }),
      'ada@example.com in Lisbon, Portugal, released a hold of 4,000 of ai.credits.',
    ],
    [
      held({ amount: 5_000, hold: HOLD.id, onExcess: 'reject' }, { accepted: false, hold: HOLD }),
      'ada@example.com in Lisbon, Portugal, tried to settle a hold of 4,000 of ai.credits with 5,000. That is more than it holds, so it stays open.',
    ],
    [
      {
        ...{ type: 'cu', isHold: true, isError: true, outcome: 'error', request: null },
        response: { errorType: 'conflict', code: 'hold-over', message: 'hold: The hold has ended' },
      },
      'The call about a hold was refused with “hold: The hold has ended”.',
    ],
    [
      {
        request: { features: ['exports'], consume: { feature: 'exports', property: 'rows', by: 3 } },
        response: { consumed: { accepted: false } },
      },
      'ada@example.com in Lisbon, Portugal, was checked for exports on the pro plan. Did not count 3 of exports.rows: it was not accepted.',
    ],
    [
      { type: 'se', subjectIdentifier: 'cus_1', stripeEventType: 'customer.updated' },
      'Stripe sent customer.updated for cus_1. It applies to all environments.',
    ],
  ] as [Partial<Event>, string][])('%#', (changes, sentence) => {
    const changed = event(changes);
    expect(eventSentence(changed, changed.subjectIdentifier)).toBe(sentence);
  });

  test('has the features that were checked or counted', () => {
    const response = { features: { exports: {}, seats: {} } };
    expect(featuresOf({ request: { features: ['exports', 'exports'] }, response })).toEqual(['exports']);
    expect(featuresOf({ request: { feature: 'seats' }, response: {} })).toEqual(['seats']);
    expect(featuresOf({ request: {}, response })).toEqual(['exports', 'seats']);
  });

  test('never fails, whatever was recorded', () => {
    const hostile: unknown[] = [
      null,
      1,
      'text',
      [],
      [[]],
      { features: {} },
      { consume: [] },
      { consume: null },
      { hold: 'hold_x', amount: 'much', feature: 3 },
      { amount: 1, hold: { id: 7, amount: null }, applied: 1, released: {} },
    ];
    hostile.push(JSON.parse('{"__proto__":{"feature":1},"constructor":null,"features":[null,{}]}'));
    for (const type of ['ac', 'cu', 'se'] as const) {
      for (const request of hostile) {
        for (const response of hostile) {
          expect(typeof eventSentence(event({ type, request, response }), 'Ada')).toBe('string');
          for (const slug of featuresOf({ request, response })) expect(typeof slug).toBe('string');
        }
      }
    }
  });
});

/** A word as a POSIX shell reads it. Fails for anything outside of single quotes but an escaped character. */
function unquoted(word: string): string {
  let text = '';
  for (let at = 0; at < word.length; ) {
    const end = word.indexOf("'", at + 1);
    if (word[at] === "'" && end !== -1) {
      text += word.slice(at + 1, end);
      at = end + 1;
    } else if (word[at] === '\\') {
      text += word[at + 1] ?? '';
      at += 2;
    } else throw new Error(`Outside of quotes: ${word.slice(at)}`);
  }
  return text;
}

describe('the command that repeats a request', () => {
  const plainly = { response: {}, warningCodes: [] };

  test.each(["it's", '$(touch x) `id` "quoted" \\ \n !', '; rm -rf "$HOME" #', '<b>&amp;</b>', "''\\'"])(
    'a shell passes %j on unchanged',
    (userIdentifier) => {
      const request = { userIdentifier };
      const command = repeatCurl({ ...plainly, type: 'ac', request }, 'https://tessera.example')!;
      expect(command).toMatch(/^curl 'https:\/\/tessera\.example\/api\/v1\/access-checks' \\\n/);
      const [, data = ''] = command.split(' -d ');
      expect(unquoted(data)).toBe(JSON.stringify(request));
    },
  );

  test('asks for the explanation again, also where a public key was refused it', () => {
    const of = (response: object, warningCodes: string[]) =>
      repeatCurl({ type: 'ac', request: {}, response, warningCodes }, '')?.split(' ')[1];
    expect(of({ explanation: [] }, [])).toBe("'/api/v1/access-checks?explain=1'");
    expect(of({}, ['explain-needs-secret-key'])).toBe("'/api/v1/access-checks?explain=1'");
    expect(of({}, [])).toBe("'/api/v1/access-checks'");
  });

  test('names the hold in its path, and in the body only what the call may have', () => {
    const of = (request: object, response: object) => {
      const command = repeatCurl({ ...plainly, ...(held(request, response) as Event) }, '') ?? '';
      return [command.split(' ')[1], unquoted(command.split(' -d ')[1] ?? '')];
    };
    const what = { feature: 'ai', property: 'credits' };
    expect(of({ userIdentifier: 'ada', amount: 9 }, { hold: HOLD })).toEqual([
      "'/api/v1/holds'",
      JSON.stringify({ ...what, userIdentifier: 'ada', amount: 9 }),
    ]);
    expect(of({ hold: HOLD.id, amount: 9, idempotencyKey: 'a' }, { hold: HOLD })).toEqual([
      `'/api/v1/holds/${HOLD.id}/extend'`,
      '{"amount":9,"idempotencyKey":"a"}',
    ]);
    expect(of({ hold: HOLD.id, amount: 9 }, { applied: 9, released: 1, hold: HOLD })).toEqual([
      `'/api/v1/holds/${HOLD.id}/settle'`,
      '{"amount":9}',
    ]);
    expect(of({ feature: 'ai', property: 'credits', by: 9 }, {})[0]).toBe("'/api/v1/counter-updates'");
  });

  test('is not offered for what cannot be repeated', () => {
    expect(repeatCurl({ ...plainly, type: 'se', request: {} }, '')).toBeNull();
    expect(repeatCurl({ ...plainly, type: 'ac', request: null }, '')).toBeNull();
  });
});

describe('JSON', () => {
  const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as object;

  test('that is small is a tree, open as far as fits a screen', () => {
    expect(isTreeSized({ a: [1, 2, { b: null }] })).toBe(true);
    expect(openLevels({ a: [1, 2, { b: null }] })).toBe(4);
    expect(openLevels({ list: Array.from({ length: 200 }, (_, index) => index) })).toBe(2);
    expect(isTreeSized(JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":2}}') as object)).toBe(
      true,
    );
  });

  test.each([
    ['deep', nested(2_000)],
    ['wide', Array.from({ length: 100_000 }, (_, index) => index)],
    ['bushy', Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 0))],
    ['long', { text: 'x'.repeat(1_000_000) }],
  ])('that is %s is not', (_name, value) => {
    expect(isTreeSized(value)).toBe(false);
  });
});

describe('charts', () => {
  test('a read-out sums what a range covers, and names both ends', () => {
    const bars = [1, 20, 300].map((value, hour) => ({ label: `${hour}:00`, values: [value, 0] }));
    expect(joinBars(bars, { first: 1, last: 2 })).toEqual({ label: '1:00 to 2:00', values: [320, 0] });
    expect(joinBars(bars, { first: 1, last: 1 })).toEqual({ label: '1:00', values: [20, 0] });
    expect(joinBars(bars, null).values).toEqual([321, 0]);
    const aDayLater = bars.map((bar) => ({ ...bar, label: '1:00' }));
    expect(joinBars(aDayLater, null).label).toBe('1:00 to 1:00');
    expect(joinBars([], null)).toEqual({ label: '', values: [] });
    const day = 24 * 60 * 60 * 1000;
    expect(spanLabel(day, 3 * day, day)).toBe('2 Jan – 3 Jan');
    expect(spanLabel(0, 60_000, 60_000)).toBe(periodLabel(0, 60_000));
  });

  test('an axis labels the slots that contain round times, whenever the range begins', () => {
    const [minute, hour] = [60_000, 3_600_000];
    const day = 24 * hour;
    const slots = (from: number, bucketMs: number, count: number) => ({
      bucketMs,
      buckets: Array.from({ length: count }, (_, index) => ({ at: from + index * bucketMs })),
    });
    const local = (hours: number, minutes = 0) => new Date(2026, 10, 22, hours, minutes).getTime();
    expect(axisTicks(slots(local(9, 41), minute, 61)).map(({ label }) => label)).toEqual([
      '09:50',
      '10:00',
      '10:10',
      '10:20',
      '10:30',
      '10:40',
    ]);
    const aDay = axisTicks(slots(local(10), hour, 25));
    expect(aDay.map(({ label }) => label)).toEqual([
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      '23 Nov',
      '03:00',
      '06:00',
      '09:00',
    ]);
    expect(aDay.map(({ index }) => index)).toEqual([2, 5, 8, 11, 14, 17, 20, 23]);
    expect(axisTicks(slots(Date.UTC(2026, 9, 24), day, 31))).toEqual([
      { index: 2, label: '26 Oct' },
      { index: 9, label: '2 Nov' },
      { index: 16, label: '9 Nov' },
      { index: 23, label: '16 Nov' },
      { index: 30, label: '23 Nov' },
    ]);
    expect(axisTicks(slots(local(9, 41), minute, 1))).toEqual([{ index: 0, label: '09:41' }]);
    expect(axisTicks(slots(0, minute, 0))).toEqual([]);
  });

  test('the latency of a range is that of all its calls, not a mean of its slots', () => {
    const slots = [[1, 1, 1, 1, 1, 1, 1, 1, 1], [], [500], [2]];
    const histogramOf = (latencies: readonly number[]) => {
      const histogram = new LatencyHistogram();
      for (const ms of latencies) histogram.add(ms);
      return histogram;
    };
    const buckets = slots.map((latencies) => ({
      latencyBins: histogramOf(latencies)
        .entries()
        .map(([bin, count]) => ({ bin, count })),
    }));
    for (const [first, last] of [
      [0, 3],
      [0, 2],
      [2, 2],
      [1, 1],
    ] as const) {
      const all = histogramOf(slots.slice(first, last + 1).flat());
      expect(latencyOfSlots(buckets, { first, last })).toEqual(all.percentiles());
    }
    expect(latencyOfSlots(buckets, { first: 0, last: 2 })?.p50).toBe(histogramOf([1]).percentiles()?.p50);
    expect(latencyOfSlots(buckets, { first: 1, last: 1 })).toBeNull();
  });

  test('a line has gaps where nothing was measured, and points between gaps', () => {
    expect(pathsOf([], 10)).toEqual({ line: '', points: '' });
    expect(pathsOf([null, null], 10)).toEqual({ line: '', points: '' });
    expect(pathsOf([10, 0], 10)).toEqual({ line: 'M0.5 2.00L1.5 98.00', points: '' });
    expect(pathsOf([10, null, 10], 10)).toEqual({ line: '', points: 'M0.5 2.00h0.001M2.5 2.00h0.001' });
  });
});

test('countries have names, and other text stays as it is', () => {
  expect(countryName('PT')).toBe('Portugal');
  expect(countryName('T1')).toBe('T1');
  expect(countryName('<img>')).toBe('<img>');
  const codes = countryOptions().map(({ value }) => value);
  expect(codes).toContain('BR');
  expect(codes).not.toContain('ZZ');
});
