// Events are stored and counted exactly once under at-least-once delivery, and each usage level is notified until acknowledged.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import type { UsageItem } from '#contracts/console/usage';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { EventGroup } from '#contracts/internal/event-batch';
import { dayOf, monthOf } from '#engine/usage/calendar';
import { idsOf, NOON, someEvent, someEvents, someStream } from '#lab/fixtures/recorded-events';
import type { EventStream } from '#objects/event-stream/event-stream-object';
import { Inbox } from '#objects/event-stream/inbox';
import { SeenReports } from '#objects/event-stream/seen-customers';
import { Settings } from '#objects/event-stream/settings';
import { TextStore } from '#objects/event-stream/text-store';
import { evict } from '#tests/support/evict';

const DAY_MS = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 10, 21);

type Stream = Awaited<ReturnType<typeof someStream>>;

async function usageOf({ stub }: Stream): Promise<UsageItem[]> {
  return stub.usage(NOON - 30 * DAY_MS, NOON + 30 * DAY_MS);
}

async function totalOf(stream: Stream): Promise<number> {
  return (await usageOf(stream)).reduce((total, item) => total + item.total, 0);
}

describe('a batch', () => {
  it('that is redelivered changes nothing and is counted once', async () => {
    const stream = await someStream();
    const batch = stream.batchOf(someEvents(100));
    const added = async () => (await stream.stub.appendGroups(batch)).added;
    expect(await added()).toBe(100);
    expect(await added()).toBe(0);
    expect(await Promise.all([added(), added()])).toEqual([0, 0]);
    expect(await stream.findAll()).toHaveLength(100);
    expect(await totalOf(stream)).toBe(100);
  });

  it('that overlaps with others adds only new events, also concurrently', async () => {
    const stream = await someStream();
    const events = someEvents(90, (index) => ({ time: NOON + index, type: 'cu' }));
    const parts = [events.slice(0, 40), events.slice(20, 60), events.slice(10, 90), events.slice(0, 90)];
    const added = await Promise.all(parts.map((part) => stream.append(part)));
    expect(added.reduce((total, each) => total + each)).toBe(90);
    expect(await stream.findAll()).toEqual(idsOf(events).reverse());
    expect(await totalOf(stream)).toBe(90);
  });

  it('of many groups looks once for events that other groups have brought', async () => {
    const stream = await someStream();
    const groups = Array.from({ length: 20 }, (_, index) =>
      stream.batchOf(someEvents(3, () => ({ time: NOON + index, type: 'cu' }))),
    ).flatMap((batch) => batch.groups);
    const lookups = await runInDurableObject(stream.stub, async (object, { storage: { sql } }) => {
      const exec = vi.spyOn(sql, 'exec');
      await object.appendGroups({ orgId: stream.orgId, groups });
      const queries = exec.mock.calls.map(([query]) => query);
      exec.mockRestore();
      return queries.filter((query) => query.startsWith('SELECT ids FROM chunk'));
    });
    expect(lookups).toHaveLength(1);
    expect(await stream.findAll()).toHaveLength(60);
  });

  it('that contains an event twice stores it once', async () => {
    const stream = await someStream();
    const [first, second] = [someEvent({ type: 'cu' }), someEvent({ type: 'se' })];
    expect(await stream.append([first, second, first, first])).toBe(2);
    expect((await stream.findAll()).sort()).toEqual([first.id, second.id]);
    expect(await totalOf(stream)).toBe(2);
  });

  it('that is partly stored leaves the other events unchanged', async () => {
    const stream = await someStream();
    const [known, fresh] = [
      someEvent({ type: 'cu' }),
      someEvent({ type: 'cu', time: NOON + 5, place: { country: 'FR', city: 'Paris', continent: 'EU' } }),
    ];
    await stream.append([known]);
    await stream.append([known, fresh]);
    expect(await stream.stub.get(fresh.id)).toMatchObject({
      id: fresh.id,
      time: NOON + 5,
      detail: { city: 'Paris' },
      response: { status: 'success', features: { exports: { properties: { enabled: true } } } },
    });
  });

  it('of groups that were delivered in part, in any order and within one commit stores each once', async () => {
    const stream = await someStream();
    const groups = Array.from({ length: 12 }, (_, index) =>
      stream.batchOf(someEvents(5, () => ({ time: NOON + (index % 5) * 7_000 }))),
    ).flatMap((batch) => batch.groups);
    const append = async (...some: typeof groups) =>
      (await stream.stub.appendGroups({ orgId: stream.orgId, groups: some }, true)).added;
    const [one, two, ...others] = groups as [EventGroup, EventGroup, ...EventGroup[]];
    const added = await Promise.all([append(two, one), append(one), append(two, ...others.slice(0, 4))]);
    expect(added.reduce((total, each) => total + each)).toBe(30);
    await evict(stream.stub);
    expect(await append(...groups.toReversed(), one)).toBe(30);
    expect(await append(...groups)).toBe(0);
    expect(await stream.findAll()).toHaveLength(60);
    expect(await stream.findAll({ text: 'ada' })).toHaveLength(60);
    expect(await totalOf(stream)).toBe(60);
    for (const id of await stream.findAll()) expect(await stream.stub.get(id)).toMatchObject({ id });
  });

  it('of isolates waits for others, and one commit stores them together in a few rows', async () => {
    const stream = await someStream();
    const batches = Array.from({ length: 30 }, (_, index) =>
      stream.batchOf(someEvents(10, () => ({ time: NOON + index, cfRay: `ray-${index}` }))),
    );
    const added = await Promise.all(batches.map((batch) => stream.stub.appendGroups(batch, true)));
    expect(added.map((answer) => answer.added)).toEqual(batches.map(() => 10));
    const rows = await runInDurableObject(stream.stub, (object, { storage }) => {
      object.callsEver();
      return ['chunk', 'stored_group', 'event_id', 'usage', 'rollup'].map(
        (table) => storage.sql.exec<{ count: number }>(`SELECT count(*) AS count FROM ${table}`).one().count,
      );
    });
    // The first is stored before the others arrive; on a slow machine some of those arrive after the pause.
    expect(rows[0]).toBeLessThan(15);
    expect(rows).toEqual([rows[0], rows[0], 0, 1, 1]);
    expect(await stream.findAll()).toHaveLength(300);
    expect(await stream.findAll({ text: 'ray-7' })).toHaveLength(10);
  });

  it('of an earlier version, with the ids of all events and none of its own, is stored once', async () => {
    const stream = await someStream();
    const events = someEvents(8);
    const [group] = stream.batchOf(events).groups as [EventGroup];
    const { id: _, ...former } = { ...group, ids: JSON.stringify(idsOf(events)) };
    const append = async () =>
      (await stream.stub.appendGroups({ orgId: stream.orgId, groups: [former] })).added;
    expect([await append(), await append()]).toEqual([8, 0]);
    expect(await stream.findAll()).toHaveLength(8);
    expect(await totalOf(stream)).toBe(8);
  });

  it('of another organisation is rejected without failing other batches', async () => {
    const stream = await someStream();
    await stream.append(someEvents(1));
    const results = await Promise.allSettled([
      stream.append(someEvents(3)),
      stream.stub.appendGroups({ ...stream.batchOf(someEvents(2)), orgId: 'org_other' }),
      stream.append(someEvents(4)),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await totalOf(stream)).toBe(8);
  });
});

describe('usage', () => {
  it('equals the stored events, by day, environment and type', async () => {
    const stream = await someStream();
    const times = [MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + DAY_MS - 1, MIDNIGHT + DAY_MS];
    const types = ['ac', 'cu', 'se'] as const;
    const events = someEvents(600, (index) => ({
      time: times[index % 4]!,
      type: types[index % 3]!,
      envId: index % 5 === 0 ? 'env_two' : 'env_one',
    }));
    for (let start = 0; start < 600; start += 70) {
      const batch = stream.batchOf(events.slice(start, start + 70));
      await Promise.all([stream.stub.appendGroups(batch), stream.stub.appendGroups(batch)]);
    }
    const expected = new Map<string, number>();
    for (const { time, envId, type } of events) {
      const key = `${Math.floor(time / DAY_MS) * DAY_MS} ${envId} ${type}`;
      expected.set(key, (expected.get(key) ?? 0) + 1);
    }
    const usage = await usageOf(stream);
    expect(
      new Map(usage.map((item) => [`${item.periodStartAt} ${item.environment} ${item.type}`, item.total])),
    ).toEqual(expected);
  });

  it('covers the requested days, from the first inclusive to the last exclusive', async () => {
    const stream = await someStream();
    await stream.append([MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + DAY_MS].map((time) => someEvent({ time })));
    const days = async (fromAt: number, toAt: number) =>
      (await stream.stub.usage(fromAt, toAt)).map((item) => item.periodStartAt);
    expect(await days(MIDNIGHT, MIDNIGHT + DAY_MS)).toEqual([MIDNIGHT]);
    expect(await days(MIDNIGHT - DAY_MS, MIDNIGHT + 2 * DAY_MS)).toHaveLength(3);
  });

  it('does not count errors, which are stored', async () => {
    const stream = await someStream();
    const refused = someEvent({ isError: true, error: 'invalid-request', features: null, response: '{}' });
    expect(await stream.append([refused, someEvent()])).toBe(2);
    expect(await totalOf(stream)).toBe(1);
    expect(await stream.stub.get(refused.id)).toMatchObject({ isError: true, response: {} });
  });

  it('does not count an error that is redelivered with new events', async () => {
    const stream = await someStream();
    const refused = someEvent({ type: 'cu', isError: true, features: null, response: '{}' });
    await stream.append([refused]);
    await stream.append([refused, someEvent(), someEvent({ isError: true, response: '{}', features: null })]);
    expect(await totalOf(stream)).toBe(1);
  });
});

const EXECUTION: WorkflowExecution = {
  executionId: 'wfe_1',
  workflowId: 'wf_1',
  workflowName: '<b>"Trial"\t</b>',
  success: false,
  result: { __proto__: 1 },
  logs: [{ m: 'line\nbreak', l: 'warn', t: NOON }],
  diagnosticMessages: ['failed'],
  wallTime: 3.5,
  input: { now: 1 },
  seed: 'req_1',
};

describe('an event', () => {
  it('is returned as recorded', async () => {
    const stream = await someStream();
    const event = someEvent({
      type: 'cu',
      key: { id: 'key_1', type: 'secret' },
      timings: {
        totalMs: 1.25,
        authMs: 0.5,
        snapshotMs: 0,
        ledgerMs: 0.25,
        evaluateMs: 0.1,
        answered: 3,
        isCold: true,
      },
      isDenied: true,
      warnings: [{ code: 'usage-incomplete' }],
      denials: [{ feature: '__proto__', reason: 'not-in-plan' }],
      executions: [EXECUTION],
      subjectIdentifier: 'cus_1"\\\n\t\u2028🦄',
      secondarySubjectIdentifiers: ['ada@example.com', '__proto__'],
      place: { country: 'DE', city: 'Köln', continent: 'EU' },
      planSlugs: ['constructor', 'team'],
      readDataLocations: ['weur', 'apac'],
      writeDataLocations: ['weur'],
      request: { feature: '__proto__', by: 2, note: 'tab\tline\n' },
      response: '{\n\t"status": "success"',
      responseRest: ',"warnings":[{"code":"a","message":"b"}]',
      features: '{"constructor":{"properties":{"__proto__":1}}}',
      integrationId: 'int_1',
      stripeEventType: 'customer.updated',
      cfRay: '8f2b3c4d5e6f7a8b-LHR',
    });
    await stream.append([event]);
    expect(await stream.stub.get(event.id)).toEqual({
      id: event.id,
      time: NOON,
      envId: 'env_one',
      environmentType: 'live',
      type: 'cu',
      outcome: 'denied',
      isHold: false,
      isError: false,
      isWarning: true,
      key: { id: 'key_1', type: 'secret' },
      latency: { total: 1.3, auth: 0.5, snapshot: 0, ledger: 0.3, workflows: 0, evaluate: 0.1 },
      isCold: true,
      answered: 3,
      warningCodes: ['usage-incomplete'],
      deniedFeatures: ['__proto__'],
      denials: [{ feature: '__proto__', reason: 'not-in-plan' }],
      workflowExecutions: { total: 1, failed: 1 },
      subjectIdentifier: event.subjectIdentifier,
      secondarySubjectIdentifiers: ['ada@example.com', '__proto__'],
      detail: { countryCode: 'DE', city: 'Köln', continent: 'EU', planSlugs: ['constructor', 'team'] },
      readDataLocations: ['weur', 'apac'],
      writeDataLocations: ['weur'],
      request: { feature: '__proto__', by: 2, note: 'tab\tline\n' },
      response: {
        status: 'success',
        warnings: [{ code: 'a', message: 'b' }],
        features: JSON.parse(event.features!),
      },
      integrationId: 'int_1',
      stripeEventType: 'customer.updated',
      cfRay: '8f2b3c4d5e6f7a8b-LHR',
    });
    expect(await stream.stub.executions(event.id)).toEqual([EXECUTION]);
    for (const id of ['evt_unknown', '', "' OR 1=1"]) {
      expect(await stream.stub.get(id)).toBeNull();
      expect(await stream.stub.executions(id)).toBeNull();
    }
  });

  it('of any size is stored: responses are split into rows, oversized bodies are omitted', async () => {
    const stream = await someStream();
    const features = JSON.stringify({ big: { properties: { text: `x${'🜁'.repeat(900_000)}` } } });
    const large = someEvent({ features, featureSlugs: ['big'] });
    const huge = someEvent({ request: { text: 'y'.repeat(3_000_000) }, response: '{', features: null });
    await stream.append([...someEvents(40, () => ({ request: 'z'.repeat(40_000) })), large, huge]);
    expect(await stream.stub.get(large.id)).toMatchObject({ response: { features: JSON.parse(features) } });
    expect(await stream.stub.get(huge.id)).toMatchObject({
      request: null,
      response: { omitted: true },
      subjectIdentifier: 'ada@example.com',
    });
    expect(await totalOf(stream)).toBe(42);
  });

  it('has the meters of its own response, however similar responses are', async () => {
    const stream = await someStream();
    const featuresOf = (used: number) =>
      `{"seats":{"properties":{"seats":{"used":${used}},"label":"x"}},"exports":{"properties":{}},"logs":{"properties":{}}}`;
    const events = someEvents(150, (index) => ({
      features: featuresOf(index),
      featureSlugs: ['seats', 'exports', 'logs'],
      planSlugs: [index % 2 === 0 ? 'team' : 'starter'],
    }));
    await stream.append([...events, ...someEvents(20)]);
    for (const index of [0, 1, 77, 149]) {
      const event = await stream.stub.get(events[index]!.id);
      expect(event).toMatchObject({ response: { features: JSON.parse(featuresOf(index)) } });
    }
    expect(await stream.findAll({ text: 'logs' })).toHaveLength(150);
    expect(await stream.findAll({ text: 'logs team' })).toHaveLength(75);
    await runInDurableObject(stream.stub, (_, { storage }) => {
      expect(
        storage.sql.exec<{ count: number }>('SELECT count(*) AS count FROM text').one().count,
      ).toBeLessThan(5);
    });
  });

  it('shares its features text with other events', async () => {
    const stream = await someStream();
    for (let batch = 0; batch < 3; batch++) await stream.append(someEvents(20));
    await evict(stream.stub);
    await stream.append(someEvents(20));
    await runInDurableObject(stream.stub, (_, { storage }) => {
      expect(storage.sql.exec('SELECT count(*) AS count FROM text').one()).toEqual({ count: 1 });
    });
  });
});

it('an eviction loses nothing, and duplicates are still recognised', async () => {
  const stream = await someStream();
  const events = someEvents(250, (index) => ({ time: NOON + Math.floor(index / 7) }));
  const batch = stream.batchOf(events);
  await stream.stub.appendGroups(batch);
  const before = await stream.findAll({ text: 'ada' });
  await evict(stream.stub);
  expect(await stream.stub.appendGroups(batch)).toMatchObject({ added: 0 });
  expect(await stream.append(someEvents(1, () => ({ time: NOON })))).toBe(1);
  const after = await stream.findAll({ text: 'ada' });
  expect(after).toHaveLength(251);
  expect(after.filter((id) => before.includes(id))).toEqual(before);
  expect(await totalOf(stream)).toBe(251);
});

const MONTH = monthOf(NOON);

/** Sets the initial number of counted calls. */
async function seed({ stub }: Stream, total: number, at = NOON): Promise<void> {
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec("INSERT INTO usage VALUES (?, 'env_seed', 'ac', ?)", dayOf(at), total);
  });
}

/** Levels that were reached: those of the allowance, or the shares at which public keys can be capped. */
async function passed({ stub }: Stream, kind: 'allowance' | 'share' = 'allowance') {
  const rows = await runInDurableObject(stub, (_, { storage }) =>
    storage.sql
      .exec<{ level: string; total: number; due_at: number | null; tries: number }>(
        'SELECT level, total, due_at, tries FROM passed_level ORDER BY total, level',
      )
      .toArray(),
  );
  return rows.filter(({ level }) => level.startsWith('share-') === (kind === 'share'));
}

const levels = async (stream: Stream) => (await passed(stream)).map(({ level, total }) => [level, total]);

describe('usage levels', () => {
  it('calls of every type count towards a level, except refused ones', async () => {
    const stream = await someStream();
    await seed(stream, 79_998);
    await stream.append(someEvents(5, () => ({ isError: true })));
    await stream.append(someEvents(1, () => ({ type: 'cu' as const })));
    expect(await levels(stream)).toEqual([]);
    await stream.append(someEvents(1, () => ({ type: 'se' as const })));
    expect(await levels(stream)).toEqual([['near', 80_000]]);
    expect(await stream.stub.callsOfMonth(MONTH)).toBe(80_000);
  });

  it('each share of the allowance is reached once', async () => {
    const stream = await someStream();
    await seed(stream, 39_998);
    const reached = async () => (await passed(stream, 'share')).map(({ level, total }) => [level, total]);
    await stream.append(someEvents(1));
    await stream.fold();
    expect(await reached()).toEqual([['share-20', 39_999]]);
    for (const _ of [1, 2]) await stream.append(someEvents(1));
    expect(await reached()).toEqual([
      ['share-20', 39_999],
      ['share-40', 40_000],
    ]);
    expect(await levels(stream)).toEqual([]);
  });

  it('redelivered events do not reach a level', async () => {
    const stream = await someStream();
    await seed(stream, 99_950);
    const batch = stream.batchOf(someEvents(49));
    for (let delivery = 0; delivery < 3; delivery++) await stream.stub.appendGroups(batch);
    await stream.fold();
    expect(await levels(stream)).toEqual([['near', 99_999]]);
    await stream.append(someEvents(1));
    expect(await levels(stream)).toEqual([
      ['near', 99_999],
      ['reached', 100_000],
    ]);
  });

  it('a batch that fails to commit is not counted', async () => {
    const stream = await someStream();
    await seed(stream, 79_990);
    await stream.append(someEvents(1));
    const { orgId, groups } = stream.batchOf(someEvents(50));
    const broken = groups.map((group) => ({ ...group, id: `${group.id}-broken`, shapes: null as never }));
    const [result] = await Promise.allSettled([
      stream.stub.appendGroups({ orgId, groups: [...groups, ...broken] }),
    ]);
    expect(result.status).toBe('rejected');
    await stream.append(someEvents(8));
    expect(await levels(stream)).toEqual([]);
    await stream.append(someEvents(1));
    expect(await levels(stream)).toEqual([['near', 80_000]]);
  });

  it('each month is counted separately, and the total covers all months', async () => {
    const stream = await someStream();
    const before = MONTH - 1;
    await seed(stream, 60_000);
    await seed(stream, 60_000, before);
    await stream.append(someEvents(2, (index) => ({ time: index === 0 ? before : NOON })));
    expect(await levels(stream)).toEqual([]);
    expect(await stream.stub.callsOfMonth(MONTH)).toBe(60_001);
    expect(await stream.stub.callsEver()).toBe(120_002);
  });

  it('a level is notified again after a growing pause, also after an eviction, until it is acknowledged', async () => {
    const stream = await someStream();
    await seed(stream, 79_999);
    await stream.append(someEvents(1));
    const first = await passed(stream);
    expect(first).toMatchObject([{ level: 'near', tries: 1 }]);
    const overdue = () =>
      runInDurableObject(stream.stub, (_, { storage }) => {
        storage.sql.exec('UPDATE passed_level SET due_at = 1, tries = 1');
      });
    await overdue();
    await evict(stream.stub);
    expect(await runDurableObjectAlarm(stream.stub)).toBe(true);
    const [again] = await passed(stream);
    expect(again?.tries).toBe(2);
    expect((again?.due_at ?? 0) - Date.now()).toBeGreaterThan(90_000);
    await stream.stub.acknowledgeLevel(MONTH, 'near');
    expect(await passed(stream)).toMatchObject([{ due_at: null }]);
  });
});

it('a report of the customers who were seen ends at what had arrived when it began', async () => {
  const stream = await someStream();
  await stream.append([someEvent({ subjectIdentifier: 'first' })]);
  const reported = await runInDurableObject(stream.stub, async (object, { storage: { sql } }) => {
    object.callsEver();
    const texts = new TextStore(sql);
    const reports = new SeenReports(sql, texts, new Settings(sql), new Inbox(sql, texts));
    const identifiers: string[] = [];
    await reports.report(Date.now(), {
      report: async ({ customers }) => {
        identifiers.push(...customers.map(({ identifier }) => identifier));
        const later = someEvent({ subjectIdentifier: `${identifiers.length}` });
        if (identifiers.length < 5) await object.appendGroups(stream.batchOf([later]));
      },
      breathe: () => Promise.resolve(),
    });
    return identifiers;
  });
  expect(reported).toEqual(['first']);
});

describe('a few events', () => {
  const rowsOf = (stream: Stream, work: (object: EventStream) => Promise<unknown>) =>
    runInDurableObject(stream.stub, async (object: EventStream, { storage: { sql } }) => {
      let rows = 0;
      const exec = sql.exec.bind(sql);
      sql.exec = ((...args: Parameters<typeof exec>) => {
        const cursor = exec(...args);
        rows += cursor.rowsWritten;
        return cursor;
      }) as typeof exec;
      await work(object);
      sql.exec = exec;
      return rows;
    });

  it('change one row, are found, shown and counted nevertheless, and survive an eviction', async () => {
    const stream = await someStream();
    await stream.append(someEvents(1));
    const events = someEvents(20, (index) => ({
      time: NOON + index * 1_000,
      type: index % 2 === 0 ? 'ac' : 'cu',
    }));
    const written = await rowsOf(stream, async (object) => {
      for (const event of events) await object.appendGroups(stream.batchOf([event]));
    });
    expect(written).toBe(20);
    await evict(stream.stub);
    const ids = idsOf(events);
    expect(await stream.stub.missing(JSON.stringify([...ids, 'evt_unknown']))).toEqual([
      ...ids.filter((_, index) => index % 2 === 0),
      'evt_unknown',
    ]);
    for (const event of events) expect(await stream.append([event])).toBe(event.type === 'ac' ? 1 : 0);
    expect(await stream.findAll({ text: 'ada' })).toHaveLength(31);
    expect(await totalOf(stream)).toBe(31);
  });

  it('are folded in a few rows, and a group or event that is sent again afterwards is stored once', async () => {
    const stream = await someStream();
    const batches = Array.from({ length: 25 }, (_, index) =>
      stream.batchOf([someEvent({ time: NOON + index * 1_000, type: 'cu' })]),
    );
    for (const batch of batches) await stream.stub.appendGroups(batch);
    const folded = await rowsOf(stream, async (object) => object.callsEver());
    expect(folded).toBeLessThan(15);
    await evict(stream.stub);
    for (const batch of batches) expect(await stream.stub.appendGroups(batch)).toMatchObject({ added: 0 });
    for (const { orgId, groups } of batches) {
      const again = groups.map((group) => ({ ...group, id: `${group.id}-again` }));
      expect(await stream.stub.appendGroups({ orgId, groups: again })).toMatchObject({ added: 0 });
    }
    expect(await totalOf(stream)).toBe(25);
  });

  it('that are malformed are refused at once, so they cannot hold up those beside them', async () => {
    const stream = await someStream();
    const { orgId, groups } = stream.batchOf(someEvents(1));
    const broken = groups.map((group) => ({ ...group, id: `${group.id}-broken`, shapes: 'no JSON' }));
    const [refused] = await Promise.allSettled([stream.stub.appendGroups({ orgId, groups: broken })]);
    expect(refused.status).toBe('rejected');
    expect(await stream.append(someEvents(2))).toBe(2);
    expect(await totalOf(stream)).toBe(2);
  });
});

describe('a stream answers when an isolate is to come next', () => {
  const pauseOf = async (stream: Stream) =>
    (await stream.stub.appendGroups(stream.batchOf(someEvents(1)))).pauseMs;

  it('in a second, or in 250 ms while somebody reads', async () => {
    const stream = await someStream();
    expect(await pauseOf(stream)).toBe(1_000);
    await stream.findAll();
    expect(await pauseOf(stream)).toBe(250);
  });
});
