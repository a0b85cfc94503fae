// The event storage format: lossless, and every event matches a search for each of its fields.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventGroup, RecordedEvent } from '#contracts/internal/event-batch';
import { EventFilter } from '#engine/events/event-filter';
import { readLines, readShapes, toStoredEvent } from '#engine/events/event-line';
import { filterGroup } from '#engine/events/filter-group';
import { groupEvents, MAX_GROUP_EVENTS, MAX_GROUP_SPAN_MS } from '#engine/events/group-events';
import { normaliseText } from '#engine/events/search-terms';
import { applyDelta, cutPieces, deltaOf } from '#engine/events/text-delta';
import { HOSTILE_NAMES } from '../arbitraries.ts';

const name = fc.oneof(fc.constantFrom(...HOSTILE_NAMES), fc.string(), fc.string({ unit: 'grapheme' }));
const names = fc.array(name, { maxLength: 3 });
const textOrNone = fc.option(name);
const answer = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), {
  maxKeys: 3,
  noNullPrototype: true,
});

const recordedEvent: fc.Arbitrary<Omit<RecordedEvent, 'id'>> = fc.record({
  time: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_030_000 }),
  envId: fc.constantFrom('env_a', 'env_b', '__proto__'),
  type: fc.constantFrom('ac', 'cu', 'se'),
  isError: fc.boolean(),
  isWarning: fc.boolean(),
  subjectIdentifier: textOrNone,
  secondarySubjectIdentifiers: names,
  place: fc.record({ country: textOrNone, city: textOrNone, continent: textOrNone }),
  planSlugs: names,
  featureSlugs: names,
  readDataLocations: fc.subarray(['weur', 'apac'] as const),
  writeDataLocations: fc.subarray(['weur', 'apac'] as const),
  request: fc.jsonValue({ maxDepth: 2 }),
  response: answer.map((body) => JSON.stringify(body)),
  features: fc.constant(null),
  error: textOrNone,
  integrationId: textOrNone,
  stripeEventType: textOrNone,
  cfRay: textOrNone,
});

const recordedEvents = fc
  .array(recordedEvent, { maxLength: 20 })
  .map((events) => events.map((event, index): RecordedEvent => ({ ...event, id: `evt_${index}` })));

function linesOf(group: EventGroup) {
  return [...readLines(group.lines, readShapes(group.shapes))];
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('every event is in one group of its environment and parses back unchanged', () => {
  fc.assert(
    fc.property(recordedEvents, (events) => {
      const read = new Map(
        groupEvents(events).flatMap((group) =>
          linesOf(group).map((line) => [line.id, toStoredEvent(group.envId, line, undefined)] as const),
        ),
      );
      expect(read.size).toBe(events.length);
      for (const event of events) {
        expect(read.get(event.id)).toEqual({
          id: event.id,
          time: event.time,
          envId: event.envId,
          type: event.type,
          isError: event.isError,
          isWarning: event.isWarning,
          subjectIdentifier: event.subjectIdentifier,
          secondarySubjectIdentifiers: event.secondarySubjectIdentifiers,
          detail: {
            countryCode: event.place.country,
            city: event.place.city,
            continent: event.place.continent,
            planSlugs: event.planSlugs,
          },
          readDataLocations: event.readDataLocations,
          writeDataLocations: event.writeDataLocations,
          request: plain(event.request),
          response: JSON.parse(event.response),
          integrationId: event.integrationId,
          stripeEventType: event.stripeEventType,
          cfRay: event.cfRay,
        });
      }
    }),
  );
});

test('a group carries the ids, times and usage counts of its events', () => {
  fc.assert(
    fc.property(recordedEvents, (events) => {
      for (const group of groupEvents(events)) {
        const lines = linesOf(group);
        const times = lines.map((line) => line.time);
        expect(JSON.parse(group.ids)).toEqual(lines.map((line) => line.id));
        expect(group.count).toBe(lines.length);
        expect([group.fromAt, group.toAt]).toEqual([Math.min(...times), Math.max(...times)]);
        expect(group.toAt - group.fromAt).toBeLessThanOrEqual(MAX_GROUP_SPAN_MS);
        const counted = events.filter((event) => JSON.parse(group.ids).includes(event.id) && !event.isError);
        expect(group.usage.reduce((total, usage) => total + usage.total, 0)).toBe(counted.length);
      }
    }),
  );
});

test('a filtered group equals a group of the remaining events', () => {
  fc.assert(
    fc.property(recordedEvents, fc.func(fc.boolean()), (events, isKept) => {
      for (const group of groupEvents(events)) {
        const kept = linesOf(group).filter((line) => isKept(line.id));
        const left = filterGroup(group, new Set(kept.map((line) => line.id)));
        expect(left.count).toBe(kept.length);
        if (kept.length > 0) expect(linesOf(left)).toEqual(kept);
        const counted = kept.filter(({ id }) => events.some((event) => event.id === id && !event.isError));
        expect(left.usage.reduce((total, usage) => total + usage.total, 0)).toBe(counted.length);
      }
    }),
  );
});

test('an event matches each of its fields, in the group index and in the filter', () => {
  fc.assert(
    fc.property(recordedEvents, (events) => {
      for (const group of groupEvents(events)) {
        const words = group.terms.split(' ');
        for (const line of linesOf(group)) {
          const event = events.find(({ id }) => id === line.id)!;
          for (const text of [event.subjectIdentifier, event.cfRay, event.place.city, ...event.planSlugs]) {
            if (text === null || normaliseText(text) === '') continue;
            const filter = new EventFilter(text);
            expect(filter.matches(line, () => [])).toBe(true);
            for (const word of filter.terms) expect(words.some((each) => each.startsWith(word))).toBe(true);
          }
        }
      }
    }),
  );
});

describe('groups', () => {
  const event = (changes: Partial<RecordedEvent>): RecordedEvent => ({
    id: 'evt_1',
    time: 0,
    envId: 'env_a',
    type: 'ac',
    isError: false,
    isWarning: false,
    subjectIdentifier: null,
    secondarySubjectIdentifiers: [],
    place: { country: null, city: null, continent: null },
    planSlugs: [],
    featureSlugs: [],
    readDataLocations: [],
    writeDataLocations: [],
    request: {},
    response: '{}',
    features: null,
    error: null,
    integrationId: null,
    stripeEventType: null,
    cfRay: null,
    ...changes,
  });

  test('stay within the limits of a row: events, time span and text', () => {
    const many = Array.from({ length: 3 * MAX_GROUP_EVENTS + 1 }, (_, index) =>
      event({ id: `evt_${index}` }),
    );
    expect(groupEvents(many).map((group) => group.count)).toEqual([100, 100, 100, 1]);
    const apart = [0, MAX_GROUP_SPAN_MS, MAX_GROUP_SPAN_MS + 1].map((time) => event({ time }));
    expect(groupEvents(apart).map((group) => group.count)).toEqual([2, 1]);
    const long = Array.from({ length: 60 }, () => event({ request: '"'.repeat(20_000) }));
    for (const group of groupEvents(long)) expect(group.lines.length).toBeLessThan(600_000);
  });

  test('drop only the body of an event that nests too deep to parse again', () => {
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
    const depths = [10, 300, 3_000, 30_000, 300_000];
    const [group] = groupEvents(
      depths.map((depth, index) => event({ id: `evt_${index}`, request: nested(depth) })),
    );
    const lines = linesOf(group!);
    expect(lines.map((line) => line.id)).toEqual(depths.map((_, index) => `evt_${index}`));
    expect(lines[0]!.request).toEqual(nested(10));
    expect(lines.slice(2).map((line) => line.request)).toEqual([null, null, null]);
    expect(toStoredEvent('env_a', lines[4]!, undefined).response).toEqual({ omitted: true });
  });

  test('store a shared features text once and restore every response whole', () => {
    const features = ['{"a":1}', '{"b":2}', '{"a":1}'];
    const [group] = groupEvents(
      features.map((text, index) =>
        event({
          id: `evt_${index}`,
          features: text,
          response: `{"n":${index}`,
          responseRest: ',"rest":true',
        }),
      ),
    );
    expect(group!.texts).toEqual(['{"a":1}', '{"b":2}']);
    expect(group!.lines).not.toContain('rest');
    const answers = linesOf(group!).map((line) => {
      const text = line.shape[13];
      return toStoredEvent('env_a', line, text === null ? undefined : JSON.parse(group!.texts[text]!))
        .response;
    });
    expect(answers).toEqual(features.map((text, n) => ({ n, rest: true, features: JSON.parse(text) })));
  });
});

describe('features that differ between responses', () => {
  const meter = (used: number) => `{"state":"metered","used":${used}}`;
  const unmetered = Array.from({ length: 12 }, (_, index) => `"f${index}":{"properties":{"on":true}}`).join();
  const featuresOf = (seats: number, calls: number) =>
    `{"exports":{"properties":{"enabled":true}},"seats":{"properties":{"seats":${meter(seats)},"label":"a},\\"b"}},"api":{"properties":{"calls":${meter(calls)}}},${unmetered}}`;

  test('are restored from deltas instead of being stored whole', () => {
    const texts = Array.from({ length: 100 }, (_, index) => featuresOf(index, index % 7));
    const [base] = texts;
    const deltas = texts.map((text) => deltaOf(cutPieces(base!), text)!);
    expect(deltas.map((delta) => applyDelta(base!, delta))).toEqual(texts);
    expect(Math.max(...deltas.map((delta) => JSON.stringify(delta).length))).toBeLessThan(
      texts[0]!.length / 2,
    );
  });

  test('are delta-encoded only if little differs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', '},"', '}', '"')),
        fc.array(fc.constantFrom('a', '},"')),
        (one, other) => {
          const [base, text] = [one.join(''), other.join('')];
          const delta = deltaOf(cutPieces(base), text);
          if (delta !== null) expect(applyDelta(base, delta)).toBe(text);
        },
      ),
    );
    expect(deltaOf(cutPieces('{"a":{},"b":{}}'), '{"a":{},"b":{},"c":{}}')).toBeNull();
    expect(deltaOf(cutPieces('{"a":{},"b":{}}'), '{"c":{},"d":{}}')).toBeNull();
  });
});

describe('normalised text', () => {
  test.each([
    ['Zürich-2 (Nord)', 'zurich 2 nord'],
    ['grace.hopper@navy.mil', 'grace hopper navy mil'],
    ['__proto__', 'proto'],
    ['王小明', '王小明'],
    ['a🦄b', 'a🦄b'],
    ['" OR 1=1 --', 'or 1 1'],
    ['***', ''],
  ])('of %j are %j', (text, words) => {
    expect(normaliseText(text)).toBe(words);
  });

  test('is idempotent and contains no query syntax', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const words = normaliseText(text);
        expect(normaliseText(words)).toBe(words);
        expect(words).not.toMatch(/[\p{Cc}!-/:-@[-`{-~]| {2}/u);
      }),
    );
  });
});
