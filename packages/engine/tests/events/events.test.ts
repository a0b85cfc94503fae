// The event storage format: lossless, and every event matches a search for each of its fields.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventOutcome } from '#contracts/console/events';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { EventGroup, RecordedEvent } from '#contracts/internal/event-batch';
import type { DenialReason } from '#contracts/public/verdict';
import { Breakdown } from '#engine/events/breakdown';
import { eventsOf, joinGroups } from '#engine/events/chunk-text';
import { countExecutions, readExecutions } from '#engine/events/event-executions';
import { EventFilter } from '#engine/events/event-filter';
import { type EventLine, readLines } from '#engine/events/event-line';
import { readShapes } from '#engine/events/event-shape';
import {
  groupEvents as groupWithIds,
  MAX_GROUP_EVENTS,
  MAX_GROUP_SPAN_MS,
} from '#engine/events/group-events';
import { LatencyHistogram } from '#engine/events/latency-histogram';
import { namedFeatures } from '#engine/events/named-features';
import { onlyEvents } from '#engine/events/only-events';
import { noEvents, Rollup } from '#engine/events/rollup';
import { normaliseText } from '#engine/events/search-terms';
import { addSeenCustomers, listSeenCustomers } from '#engine/events/seen-customers';
import { storedEventText, toStoredEvent } from '#engine/events/stored-event';
import { mergeTallies, tallyLines } from '#engine/events/tally-lines';
import { tenthsText } from '#engine/events/tenths';
import { applyDelta, cutPieces, deltaOf } from '#engine/events/text-delta';
import { locationName } from '#engine/regions/data-locations';
import { HOSTILE_NAMES } from '../arbitraries.ts';
import { plainEvent } from './plain-event.ts';

const name = fc.oneof(fc.constantFrom(...HOSTILE_NAMES), fc.string(), fc.string({ unit: 'grapheme' }));
const names = fc.array(name, { maxLength: 3 });
const textOrNone = fc.option(name);
const answer = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), {
  maxKeys: 3,
  noNullPrototype: true,
});

const tenths = fc.nat(99_999).map((number) => number / 10);
const execution = fc.record({
  executionId: fc.string(),
  workflowId: fc.constantFrom('wf_1', 'wf_2'),
  workflowName: name,
  success: fc.boolean(),
  status: fc.option(fc.constantFrom('done', 'failed', 'killed', 'lost', 'skipped'), { nil: undefined }),
  result: fc.jsonValue({ maxDepth: 1 }),
  logs: fc.array(fc.record({ m: name, l: fc.constantFrom('log', 'warn', 'error'), t: fc.nat() }), {
    maxLength: 2,
  }),
  diagnosticMessages: names,
  wallTime: tenths,
  input: fc.jsonValue({ maxDepth: 1 }),
  seed: fc.string(),
});

const recordedEvent: fc.Arbitrary<Omit<RecordedEvent, 'id'>> = fc.record({
  time: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_030_000 }),
  envId: fc.constantFrom('env_a', 'env_b', '__proto__'),
  environmentType: fc.constantFrom('live', 'test', null),
  type: fc.constantFrom('ac', 'cu', 'se'),
  key: fc.option(fc.record({ id: fc.constantFrom('key_1', 'key_2'), type: fc.constant('secret' as const) })),
  timings: fc.option(
    fc.record({
      totalMs: tenths,
      authMs: tenths,
      snapshotMs: tenths,
      ledgerMs: tenths,
      evaluateMs: tenths,
      workflowsMs: fc.option(tenths, { nil: undefined }),
      isCold: fc.boolean(),
      answered: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
    }),
  ),
  isHold: fc.option(fc.boolean(), { nil: undefined }),
  isError: fc.boolean(),
  isDenied: fc.boolean(),
  warnings: fc
    .uniqueArray(fc.constantFrom('usage-unknown', 'jwt-expired', 'feature-unknown'))
    .map((codes) => codes.map((code) => ({ code }))),
  denials: fc.array(fc.record({ feature: name, reason: fc.constantFrom('not-in-plan', 'limit-reached') }), {
    maxLength: 2,
  }),
  nearLimits: fc.option(
    fc.array(fc.record({ feature: name, property: name, used: fc.nat(), limit: fc.nat() }), { maxLength: 2 }),
  ),
  executions: fc.option(fc.array(execution, { maxLength: 2 }), { nil: undefined }),
  subjectIdentifier: textOrNone,
  secondarySubjectIdentifiers: names,
  place: fc.record({ country: textOrNone, city: textOrNone, continent: textOrNone }),
  planSlugs: names,
  featureSlugs: names,
  readDataLocations: fc.subarray(['weur', 'apac'] as const),
  writeDataLocations: fc.subarray(['weur', 'apac'] as const),
  request: fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.record(
      { features: names, feature: name, consume: fc.record({ feature: name }) },
      { requiredKeys: [], noNullPrototype: true },
    ),
  ),
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

let groupCount = 0;
function groupEvents(events: readonly RecordedEvent[]): EventGroup[] {
  return groupWithIds(events, () => `grp_${groupCount++}`);
}

function linesOf(group: EventGroup) {
  return [...readLines(group.lines, readShapes(group.shapes))];
}

function outcomeOf({ isError, isDenied, warnings }: RecordedEvent): EventOutcome {
  return isError ? 'error' : isDenied ? 'denied' : warnings.length > 0 ? 'warning' : 'allowed';
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('every event is in one group of its environment and parses back unchanged', () => {
  fc.assert(
    fc.property(recordedEvents, (events) => {
      const read = new Map(
        groupEvents(events).flatMap((group) =>
          linesOf(group).map((line) => {
            const event = toStoredEvent(group.envId, line, undefined);
            expect(JSON.parse(storedEventText(group.envId, line, undefined))).toEqual(plain(event));
            return [line.id, event] as const;
          }),
        ),
      );
      expect(read.size).toBe(events.length);
      for (const event of events) {
        expect(read.get(event.id)).toEqual({
          id: event.id,
          time: event.time,
          envId: event.envId,
          environmentType: event.environmentType,
          type: event.type,
          outcome: outcomeOf(event),
          isHold: event.isHold ?? false,
          isError: event.isError,
          isWarning: event.warnings.length > 0,
          key: event.key,
          latency: event.timings && {
            total: event.timings.totalMs,
            auth: event.timings.authMs,
            snapshot: event.timings.snapshotMs,
            ledger: event.timings.ledgerMs,
            workflows: event.timings.workflowsMs ?? 0,
            evaluate: event.timings.evaluateMs,
          },
          answered: event.timings?.answered ?? 0,
          isCold: event.timings?.isCold ?? null,
          warningCodes: event.warnings.map(({ code }) => code),
          deniedFeatures: event.denials.map(({ feature }) => feature),
          denials: event.denials,
          workflowExecutions: {
            total: event.executions?.length ?? 0,
            failed: event.executions?.filter(({ success }) => !success).length ?? 0,
          },
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

test('workflow executions are restored', () => {
  fc.assert(
    fc.property(recordedEvents, (events) => {
      const executions = new Map(
        groupEvents(events).flatMap((group) =>
          linesOf(group).map((line) => [line.id, readExecutions(line.executions)] as const),
        ),
      );
      for (const event of events) expect(executions.get(event.id)).toEqual(plain(event.executions ?? []));
    }),
  );
});

describe('workflow executions that are too long for their event', () => {
  const input = {
    identity: { isAuthenticated: true, method: 'identifier', identifier: 'ada@example.com' },
    customer: { isCustomer: true, plans: ['starter'], metadata: { about: 'x'.repeat(3_000) } },
    place: { country: 'GB' },
  };
  const some = (changes: Partial<WorkflowExecution>): WorkflowExecution => ({
    executionId: 'exe_1',
    workflowId: 'wf_1',
    workflowName: 'Talks',
    success: true,
    result: ['pro'],
    logs: [],
    diagnosticMessages: [],
    wallTime: 1,
    input,
    seed: 'req_1',
    ...changes,
  });
  const talk = (lines: number, length: number) =>
    Array.from({ length: lines }, (_, t) => ({ m: 'x'.repeat(length), l: 'log' as const, t }));
  const stored = (executions: WorkflowExecution[], changes: Partial<RecordedEvent> = {}) => {
    const event = { ...fc.sample(recordedEvent, 1)[0]!, nearLimits: null, secondarySubjectIdentifiers: [] };
    const [group] = groupEvents([
      { ...event, id: 'evt_1', response: '{}', features: null, request: {}, executions, ...changes },
    ]);
    expect(group!.lines.length).toBeLessThanOrEqual(50_000);
    const [line] = linesOf(group!);
    expect(countExecutions(line!.executions).total).toBe(executions.length);
    return { executions: readExecutions(line!.executions), request: line!.request };
  };

  test('lose log lines from the end, and say how many', () => {
    const [quiet, loud] = stored([some({ logs: talk(3, 20) }), some({ logs: talk(50, 1_000) })]).executions;
    expect(quiet).toEqual(some({ logs: talk(3, 20) }));
    expect(loud).toMatchObject({ input, result: ['pro'] });
    expect(loud!.logs).toEqual(talk(loud!.logs.length, 1_000));
    expect(loud!.logs.length).toBeGreaterThanOrEqual(30);
    expect(loud!.logs.length + loud!.droppedLogs!).toBe(50);
  });

  test('share one input, whatever their features and plans', () => {
    const executions = Array.from({ length: 20 }, (_, index) =>
      some({
        executionId: `exe_${index}`,
        logs: talk(5, 20),
        input: {
          ...input,
          customer: { ...input.customer, plans: [`plan-${index}`] },
          feature: { slug: `feature-${index}` },
        },
      }),
    );
    expect(stored(executions).executions).toEqual(executions);
  });

  test('lose a long result before logs, and say so; also beside a long request', () => {
    const long = some({ result: 'x'.repeat(60_000), logs: talk(2, 100) });
    expect(stored([long]).executions).toEqual([{ ...long, result: null, isResultDropped: true }]);
    const request = { userIdentifier: 'ada@example.com', note: 'y'.repeat(30_000) };
    const beside = stored([some({ logs: talk(50, 1_000) })], { request });
    expect(beside.request).toEqual(request);
    expect(beside.executions[0]).toMatchObject({ input, result: ['pro'] });
    const tooLong = stored([long], { request: { note: 'y'.repeat(60_000) } });
    expect(tooLong.request).toBeNull();
    expect(tooLong.executions).toEqual([{ ...long, input: null, result: null, isResultDropped: true }]);
  });

  test('lose their inputs last, and keep three diagnostics', () => {
    const about = 'x'.repeat(60_000);
    const diagnosticMessages = Array.from({ length: 5_000 }, (_, index) => `Dropped ${index}`);
    const [one] = stored([some({ input: { about }, logs: talk(1, 9), diagnosticMessages })]).executions;
    expect(one).toMatchObject({ input: null, result: null, isResultDropped: true, droppedLogs: 1 });
    expect(one!.diagnosticMessages).toEqual(['Dropped 0', 'Dropped 1', 'Dropped 2', '4997 more']);
  });

  test('are read from lines of earlier versions, which had no marks', () => {
    const former = [some({ input: null, result: null }), some({ input: null, result: null, success: false })];
    expect(readExecutions(`2,1,${JSON.stringify(former)}`)).toEqual([
      { ...former[0], isResultDropped: true },
      former[1],
    ]);
  });
});

test('lines of earlier versions are read', () => {
  const shapes = readShapes(
    '[["ac",2,"GB",null,null,["starter"],["exports"],["weur"],[],null,null,null,"",null]]',
  );
  const line = '["evt_1",5,0,"ada",["cus_1"],null,{"a":1}]\t{"status":"success"}';
  const [read] = [...readLines(line, shapes)];
  const event = toStoredEvent('env_a', read!, undefined);
  expect(JSON.parse(storedEventText('env_a', read!, undefined))).toEqual(plain(event));
  expect(event).toMatchObject({
    id: 'evt_1',
    time: 5,
    outcome: 'warning',
    subjectIdentifier: 'ada',
    secondarySubjectIdentifiers: ['cus_1'],
    request: { a: 1 },
    response: { status: 'success' },
    key: null,
    latency: null,
    isCold: null,
    environmentType: null,
    warningCodes: [],
    deniedFeatures: [],
    denials: null,
    workflowExecutions: { total: 0, failed: 0 },
  });
  expect(tallyLines(line, shapes, () => []).usage).toEqual([{ dayAt: 0, type: 'ac', total: 1 }]);
});

/** The tallies of all groups, with the roll-ups of all minutes merged. */
function tallied(groups: readonly EventGroup[]) {
  const rollup = new Rollup();
  let used = 0;
  for (const { lines, shapes } of groups) {
    const tally = tallyLines(lines, readShapes(shapes), () => []);
    for (const minute of tally.minutes.values()) rollup.merge(minute);
    for (const { total } of tally.usage) used += total;
  }
  return { rollup, used };
}

test('a group carries the ids and times of its events', () => {
  fc.assert(
    fc.property(recordedEvents, (events) => {
      for (const group of groupEvents(events)) {
        const lines = linesOf(group);
        const times = lines.map((line) => line.time);
        const named = lines.filter(({ shape }) => shape.type !== 'ac');
        expect(JSON.parse(group.ids)).toEqual(named.map((line) => line.id));
        expect(group.count).toBe(lines.length);
        expect([group.fromAt, group.toAt]).toEqual([Math.min(...times), Math.max(...times)]);
        expect(group.toAt - group.fromAt).toBeLessThanOrEqual(MAX_GROUP_SPAN_MS);
      }
    }),
  );
});

test('figures equal those of the events, however the events are grouped and roll-ups are merged', () => {
  fc.assert(
    fc.property(recordedEvents, fc.nat(20), (events, cut) => {
      const { rollup, used } = tallied(groupEvents(events));
      const parts = [...groupEvents(events.slice(cut)), ...groupEvents(events.slice(0, cut))];
      const again = tallied(parts).rollup;
      expect(used).toBe(events.filter(({ isError }) => !isError).length);
      for (const type of ['ac', 'cu', 'se'] as const) {
        const expected = noEvents();
        for (const event of events) if (event.type === type) expected[outcomeOf(event)] += 1;
        for (const each of [rollup, again, Rollup.read(rollup.write())]) {
          expect([...each.series].find((entry) => entry.type === type)?.counts ?? noEvents()).toEqual(
            expected,
          );
        }
      }
      expect(again.latency.entries()).toEqual(rollup.latency.entries());
      const answered = events.reduce((sum, { timings }) => sum + (timings?.answered ?? 0), 0);
      for (const each of [rollup, again, Rollup.read(rollup.write())]) expect(each.answered).toBe(answered);
      for (const list of ['plans', 'countries', 'locations', 'warnings', 'customers'] as const) {
        expect(again.largest(list, 999)).toEqual(rollup.largest(list, 999));
        expect(Rollup.read(rollup.write()).largest(list, 999)).toEqual(rollup.largest(list, 999));
      }
      for (const each of [rollup, again, Rollup.read(rollup.write())]) expectBreakdowns(each, events);
      const countries = events.flatMap(({ place }) => place.country ?? []);
      expect(rollup.largest('countries', 999).reduce((sum, [, count]) => sum + count, 0)).toBe(
        countries.length,
      );
    }),
  );
});

/** Counts by key and column, sorted by key. */
function countsOf(breakdown: Breakdown) {
  const all = breakdown.largest(999).map(({ key, counts }) => [key, [...counts]] as const);
  return new Map(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The same, counted event by event. */
function counted(entries: readonly (readonly [key: string, column: number])[]) {
  const breakdown = new Breakdown();
  for (const [key, column] of entries) breakdown.count(key, column, 1);
  return countsOf(breakdown);
}

const [ALLOWED, NOT_IN_PLAN, LIMIT_REACHED, TOKEN] = [0, 1, 2, 3];

function expectBreakdowns({ named, routes, runs, causes }: Rollup, events: readonly RecordedEvent[]): void {
  const columnOf = (event: RecordedEvent, reason: DenialReason) => {
    if (reason === 'limit-reached') return LIMIT_REACHED!;
    return event.warnings.some(({ code }) => code.startsWith('jwt-')) ? TOKEN! : NOT_IN_PLAN!;
  };
  const calls = events.filter(({ isError }) => !isError);
  expect(countsOf(named)).toEqual(
    counted(
      calls.flatMap((event) =>
        [...new Set(namedFeatures(event.type, event.request))].flatMap((slug) => {
          const denial = event.denials.find(({ feature }) => feature === slug);
          if (denial !== undefined) return [[slug, columnOf(event, denial.reason)] as const];
          const isUnknown = event.warnings.some(({ code }) => code === 'feature-unknown');
          return isUnknown && !event.featureSlugs.includes(slug) ? [] : [[slug, ALLOWED!] as const];
        }),
      ),
    ),
  );
  const routed = events.filter(({ type, place, readDataLocations }) => {
    return type !== 'se' && place.continent !== null && readDataLocations.length > 0;
  });
  expect(countsOf(routes)).toEqual(
    counted(routed.map(({ place, readDataLocations }) => [`${readDataLocations[0]} ${place.continent}`, 0])),
  );
  const timed = routed.filter(({ timings }) => timings !== null).length;
  const latencies = routes.largest(999).flatMap(({ latency }) => latency?.entries() ?? []);
  expect(latencies.reduce((sum, [, count]) => sum + count, 0)).toBe(timed);
  const statuses = ['done', 'failed', 'killed', 'lost', 'skipped'];
  expect(countsOf(runs)).toEqual(
    counted(
      events
        .flatMap(({ executions }) => executions ?? [])
        .map((each) => [
          each.workflowId,
          statuses.indexOf(each.status ?? (each.success ? 'done' : 'failed')),
        ]),
    ),
  );
  const denied = calls.filter(({ isDenied, denials }) => isDenied && denials.length > 0).length;
  const all = causes.largest(999).flatMap(({ counts }) => counts);
  expect(all.reduce((sum, count) => sum + count, 0)).toBe(denied);
}

test('what the calls of a release without named features are about is unknown, and since when is told', () => {
  const former = readShapes('[["ac",0,"GB",null,"EU",[],["exports"],["weur"],[],null,null,null,"",null]]');
  const line = 'evt_1\t61000\t0\t\t\t\t\t\t\t{"features":["exports"]}\t{}';
  const { minutes, formerTo } = tallyLines(line, former, () => []);
  expect(formerTo).toBe(61_000);
  expect(minutes.get(60_000)?.named.largest(9)).toEqual([]);
});

test('milliseconds are written with at most one decimal, as numbers are', () => {
  fc.assert(
    fc.property(fc.double({ min: -5, max: 1e9, noNaN: true }), (ms) => {
      expect(tenthsText(ms)).toBe(String(Math.max(0, Math.round(ms * 10)) / 10));
    }),
  );
});

test('latency percentiles are within 4% of the truth', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.2, max: 60_000, noNaN: true }), { minLength: 1 }),
      (latencies) => {
        const histogram = new LatencyHistogram();
        for (const ms of latencies) histogram.add(ms);
        const sorted = latencies.toSorted((one, other) => one - other);
        const { p50, p95, p99 } = histogram.percentiles()!;
        for (const [share, ms] of [
          [0.5, p50],
          [0.95, p95],
          [0.99, p99],
        ] as const) {
          const truth = sorted[Math.ceil(share * sorted.length) - 1]!;
          expect(Math.abs(ms - truth)).toBeLessThanOrEqual(0.04 * truth + 0.01);
        }
      },
    ),
  );
  expect(new LatencyHistogram().percentiles()).toBeNull();
});

test('a group without some of its named events has all others, unchanged', () => {
  fc.assert(
    fc.property(recordedEvents, fc.func(fc.boolean()), (events, isKept) => {
      for (const group of groupEvents(events)) {
        const isNamed = (id: string) => events.find((event) => event.id === id)?.type !== 'ac';
        const kept = linesOf(group).filter(({ id }) => !isNamed(id) || isKept(id));
        const left = onlyEvents(group, new Set(kept.map(({ id }) => id).filter(isNamed)));
        const stored = (lines: EventLine[]) => lines.map((line) => toStoredEvent('env_a', line, undefined));
        expect(left === null ? [] : stored(linesOf(left))).toEqual(stored(kept));
        if (left !== null) expect(left.count).toBe(kept.length);
      }
    }),
  );
});

test('groups that are joined in a chunk are read as they were, and counted as one', () => {
  fc.assert(
    fc.property(recordedEvents, (events) => {
      const groups = groupEvents(events);
      if (groups.length === 0) return;
      const hashes = groups.map((_, index) => [`hash-${index}`]);
      const chunk = joinGroups(groups.map((group, index) => ({ group, hashes: hashes[index]! })));
      const read = [...eventsOf(chunk)].map(([line, { texts }]) => [
        toStoredEvent('', line, undefined),
        texts,
      ]);
      const expected = groups.flatMap((group, index) =>
        linesOf(group).map((line) => [toStoredEvent('', line, undefined), hashes[index]]),
      );
      expect(read).toEqual(expected);
      const tallies = groups.map(({ lines, shapes }) => tallyLines(lines, readShapes(shapes), () => []));
      const { rollup, used } = tallied(groups);
      const joined = mergeTallies(tallies);
      expect(joined.usage.reduce((sum, { total }) => sum + total, 0)).toBe(used);
      expect(joined.formerTo).toBe(0);
      const whole = new Rollup();
      for (const minute of joined.minutes.values()) whole.merge(minute);
      for (const part of ['body', 'lists'] as const)
        expect(JSON.parse(whole.write()[part])).toEqual(JSON.parse(rollup.write()[part]));
    }),
  );
});

function expectTermsIn(words: readonly string[], filter: EventFilter): void {
  for (const { text, isPrefix } of filter.terms)
    expect(words.some((word) => (isPrefix ? word.startsWith(text) : word === text))).toBe(true);
}

test('an event matches each of its fields, in the group index and in the filter', () => {
  fc.assert(
    fc.property(recordedEvents, (events) => {
      for (const group of groupEvents(events)) {
        const words = group.terms.split(' ');
        for (const line of linesOf(group)) {
          const event = events.find(({ id }) => id === line.id)!;
          const texts = [
            ...[event.subjectIdentifier, event.cfRay, event.place.city, ...event.planSlugs],
            ...event.warnings.map(({ code }) => code),
            ...event.readDataLocations.map(locationName),
          ];
          for (const text of texts) {
            if (text === null || normaliseText(text) === '') continue;
            const filter = new EventFilter({ text });
            expect(filter.matches(line, () => [])).toBe(true);
            expectTermsIn(words, filter);
          }
          for (const criteria of [
            { type: event.type },
            { outcome: outcomeOf(event) },
            ...event.planSlugs.map((plan) => ({ plan })),
            ...event.featureSlugs.map((feature) => ({ feature })),
            { country: event.place.country },
          ]) {
            const filter = new EventFilter(criteria);
            expect(filter.matches(line, () => [])).toBe(true);
            expectTermsIn(words, filter);
          }
          const type = event.type === 'ac' ? ('cu' as const) : ('ac' as const);
          const outcome = event.isError ? ('allowed' as const) : ('error' as const);
          for (const criteria of [{ type }, { outcome }, { plan: 'no-plan' }, { country: 'no country' }]) {
            expect(new EventFilter(criteria).matches(line, () => [])).toBe(false);
          }
        }
      }
    }),
  );
});

describe('groups', () => {
  test('a phrase that most events contain is not looked up in the index, whatever else is wanted', () => {
    const termsAfter = (filter: EventFilter, rare: number) => {
      const events = Array.from({ length: 100 }, (_, index) =>
        plainEvent({ subjectIdentifier: index < rare ? 'rare-77@example.com' : 'ada@example.com' }),
      );
      for (const group of groupEvents(events))
        for (const line of linesOf(group)) filter.matches(line, () => []);
      return filter.terms.map(({ text, isPrefix }) => (isPrefix ? `${text}*` : text));
    };
    expect(termsAfter(new EventFilter({ text: 'exam rare-7' }), 1)).toEqual(['rare', '7*']);
    expect(termsAfter(new EventFilter({ text: 'exam', outcome: 'denied' }), 1)).toEqual(['outcome0denied']);
    expect(termsAfter(new EventFilter({ text: 'exam rare' }), 50)).toEqual([]);
    expect(new EventFilter({ text: 'exam' }).terms).toEqual([{ text: 'exam', isPrefix: true }]);
    // A frequent word or type is looked up only if nothing else is.
    expect(termsAfter(new EventFilter({ text: 'ada-77', type: 'ac' }), 1)).toEqual(['77*']);
    expect(termsAfter(new EventFilter({ text: 'ada-exam', type: 'ac' }), 1)).toEqual(['ada', 'type0ac']);
  });

  test('events of a hold are found by its ID, also by its beginning', () => {
    const id = 'hold_weur_0_1_01kb8x2v9aq7ztm3c5d4e6f8g0';
    const response = JSON.stringify({ accepted: true, hold: { id, amount: 4_000 }, allowed: true });
    const [group] = groupEvents([
      plainEvent({ type: 'cu', response }),
      plainEvent({ type: 'cu', id: 'evt_2' }),
    ]);
    const lines = linesOf(group!);
    for (const text of [id, id.slice(0, 30)]) {
      const filter = new EventFilter({ text });
      expect(lines.map((line) => filter.matches(line, () => []))).toEqual([true, false]);
      expectTermsIn(group!.terms.split(' '), filter);
    }
    const other = new EventFilter({ text: 'hold_weur_0_1_01kb8x2v9aq7ztm3d' });
    expect(lines.map((line) => other.matches(line, () => []))).toEqual([false, false]);
  });

  test('stay within the limits of a row: events, time span and text', () => {
    const many = Array.from({ length: 3 * MAX_GROUP_EVENTS + 1 }, (_, index) =>
      plainEvent({ id: `${index}` }),
    );
    expect(groupEvents(many).map((group) => group.count)).toEqual([500, 500, 500, 1]);
    const apart = [0, MAX_GROUP_SPAN_MS, MAX_GROUP_SPAN_MS + 1].map((time) => plainEvent({ time }));
    expect(groupEvents(apart).map((group) => group.count)).toEqual([2, 1]);
    const long = Array.from({ length: 60 }, () => plainEvent({ request: '"'.repeat(20_000) }));
    for (const { lines, count } of groupEvents(long))
      expect(count === 1 || lines.length <= 38_000).toBe(true);
  });

  test('drop only the body of an event that nests too deep to parse again', () => {
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
    const depths = [10, 300, 3_000, 30_000, 300_000];
    const [group] = groupEvents(
      depths.map((depth, index) => plainEvent({ id: `evt_${index}`, request: nested(depth) })),
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
        plainEvent({
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
      const text = line.shape.textIndex;
      return toStoredEvent('env_a', line, text === null ? undefined : JSON.parse(group!.texts[text]!))
        .response;
    });
    expect(answers).toEqual(features.map((text, n) => ({ n, rest: true, features: JSON.parse(text) })));
  });

  test('are written as JSON like they are read, with or without features, and even if a response is malformed', () => {
    const features = '{"exports":{"properties":{"label":"}}"}}}';
    const [group] = groupEvents([
      plainEvent({ id: 'evt_0', features, response: '{"n":0', responseRest: ',"rest":"}}"' }),
      plainEvent({ id: 'evt_1', features, response: '{', responseRest: '' }),
      plainEvent({ id: 'evt_2', response: '{"n":2,"inner":{}}' }),
      plainEvent({ id: 'evt_3', features, response: '{"n":', responseRest: ',"}}' }),
      plainEvent({ id: 'evt_4', request: JSON.parse('{"__proto__":{"a":"\u2028"}}') }),
    ]);
    for (const line of linesOf(group!)) {
      const text = line.shape.textIndex === null ? undefined : features;
      const parsed = text === undefined ? undefined : (JSON.parse(text) as unknown);
      const written = storedEventText('env_a', line, text);
      expect(JSON.parse(written)).toEqual(plain(toStoredEvent('env_a', line, parsed)));
    }
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

test('a customer is reported with its newest fifty readings, whatever lists of features it asks for', () => {
  const events = Array.from({ length: 60 }, (_, index) => ({
    ...fc.sample(recordedEvent, 1)[0]!,
    id: `evt_${index}`,
    envId: 'env_one',
    type: 'ac',
    time: 1_000 + ((index * 7) % 60),
    isError: false,
    subjectIdentifier: 'ada',
    nearLimits: [],
    featureSlugs: [`feature-${index}`],
    features: `{"feature-${index}":{}}`,
    executions: [],
  })) as RecordedEvent[];
  const seen = new Map();
  for (const { envId, lines, shapes, texts } of groupEvents(events)) {
    const slugs = texts.map((text) => Object.keys(JSON.parse(text)));
    addSeenCustomers(seen, envId, { lines, shapes: readShapes(shapes) }, (text) => slugs[text] ?? []);
  }
  const [customer, ...others] = listSeenCustomers(seen);
  expect(others).toEqual([]);
  expect(customer).toMatchObject({ identifier: 'ada', at: 1_059 });
  expect(customer?.readings.map(({ at }) => at)).toEqual(
    Array.from({ length: 50 }, (_, index) => 1_010 + index),
  );
});
