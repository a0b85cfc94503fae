// Figures from roll-ups equal the stored events: counted once, whatever is delivered twice, fails or is rebuilt.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { MetricsRange } from '#contracts/console/event-metrics';
import type { EventGroup, RecordedEvent } from '#contracts/internal/event-batch';
import { readShapes } from '#engine/events/event-shape';
import { LatencyHistogram } from '#engine/events/latency-histogram';
import { Rollup } from '#engine/events/rollup';
import { tallyLines } from '#engine/events/tally-lines';
import {
  groupsOf,
  idsOf,
  NOON,
  someEvent,
  someEvents,
  someRun,
  someStream,
} from '#lab/fixtures/recorded-events';
import type { EventStream } from '#objects/event-stream/event-stream-object';
import { evict } from '#tests/support/evict';
import { expectConsole } from '#tests/support/expect-console';

type Stream = Awaited<ReturnType<typeof someStream>>;

describe('a histogram', () => {
  const HOUR = 3_600_000;
  const histogram = async (stream: Awaited<ReturnType<typeof someStream>>, criteria: object) =>
    stream.stub.histogram({ timeFrom: NOON, timeTo: NOON + HOUR, ...criteria });
  const sum = (buckets: { allowed: number; denied: number; warning: number; error: number }[]) =>
    buckets.reduce(
      (total, { allowed, denied, warning, error }) => total + allowed + denied + warning + error,
      0,
    );

  it('counts events by time and outcome, without gaps, from the range, environment, type and outcome', async () => {
    const stream = await someStream();
    expect(sum((await histogram(stream, {})).buckets)).toBe(0);
    await stream.append([
      someEvent({ time: NOON - 1 }),
      someEvent({ time: NOON }),
      someEvent({ time: NOON + 61_000, isDenied: true }),
      someEvent({ time: NOON + 61_000, type: 'cu', envId: 'env_two', isError: true }),
      someEvent({ time: NOON + 62_000, type: 'se', envId: '', warnings: [{ code: 'a' }] }),
      someEvent({ time: NOON + HOUR }),
    ]);
    const { bucketMs, buckets } = await histogram(stream, {});
    expect(bucketMs).toBe(60_000);
    expect(buckets.map(({ at }) => at)).toEqual(
      Array.from({ length: 60 }, (_, index) => NOON + index * 60_000),
    );
    expect(buckets.slice(0, 3)).toEqual([
      { at: NOON, allowed: 1, denied: 0, warning: 0, error: 0 },
      { at: NOON + 60_000, allowed: 0, denied: 1, warning: 1, error: 1 },
      { at: NOON + 120_000, allowed: 0, denied: 0, warning: 0, error: 0 },
    ]);
    for (const [criteria, count] of [
      [{ environment: 'env_one' }, 3],
      [{ environment: 'env_two' }, 2],
      [{ type: 'cu' }, 1],
      [{ outcome: 'denied' }, 1],
      [{ type: 'ac', outcome: 'error' }, 0],
    ] as const) {
      expect(sum((await histogram(stream, criteria)).buckets), JSON.stringify(criteria)).toBe(count);
    }
  });

  it('ends after 60 buckets, whatever the range', async () => {
    const stream = await someStream();
    for (const [timeFrom, timeTo] of [
      [1e22, 1e22 + 2 ** 21],
      [0, 1e15],
    ] as const) {
      const { buckets } = await histogram(stream, { timeFrom, timeTo });
      expect(buckets.length).toBeLessThanOrEqual(60);
    }
  });

  it('of any range and age has at most 60 buckets and every event, as roll-ups age from minutes to days', async () => {
    const stream = await someStream();
    const days = 12;
    const times = Array.from({ length: days * 12 }, (_, index) => NOON - index * 2 * HOUR - index * 7_000);
    // Old events first, as they happen, and the rest late.
    await stream.append(
      times
        .filter((_, index) => index % 3 !== 0)
        .toReversed()
        .map((time) => someEvent({ time })),
    );
    await stream.append(times.filter((_, index) => index % 3 === 0).map((time) => someEvent({ time })));
    await stream.append([someEvent({ time: NOON + HOUR })]);
    await stream.append([someEvent({ time: NOON + HOUR })]);
    await stream.fold();
    const widths = await runInDurableObject(stream.stub, (_, { storage }) =>
      storage.sql.exec<{ width: number }>('SELECT DISTINCT width FROM rollup ORDER BY width').toArray(),
    );
    expect(widths.map(({ width }) => width)).toEqual([60_000, HOUR, 24 * HOUR]);
    for (const hours of [1, 5, 48, 24 * 5, 24 * 40]) {
      const timeFrom = NOON + 2 * HOUR - hours * HOUR;
      const { bucketMs, buckets } = await histogram(stream, { timeFrom, timeTo: NOON + 2 * HOUR });
      expect(buckets.length).toBeLessThanOrEqual(60);
      const from = buckets[0]!.at;
      expect(from).toBeGreaterThan(timeFrom - bucketMs);
      expect(sum(buckets)).toBe(times.filter((time) => time >= from).length + 2);
    }
  });
});

/** Everything that the stream says about its events. */
async function figuresOf({ stub }: Stream, now = NOON + 60_000) {
  const ranges = ['1h', '24h', '7d', '30d'] as const satisfies MetricsRange[];
  return {
    metrics: await Promise.all(ranges.map((range) => stub.metrics({ range }, now))),
    histogram: await stub.histogram({ timeFrom: NOON - 86_400_000, timeTo: now }),
    usage: await stub.usage(0, NOON + 30 * 86_400_000),
  };
}

const timings = (totalMs: number) => ({
  totalMs,
  authMs: 0,
  snapshotMs: 0,
  ledgerMs: 0,
  evaluateMs: 0,
  isCold: false,
});

/** Events of every kind, over two days. */
function variedEvents(count: number): RecordedEvent[] {
  return someEvents(count, (index) => ({
    time: NOON - index * 171_000,
    type: (['ac', 'ac', 'cu', 'se'] as const)[index % 4]!,
    envId: index % 4 === 3 ? '' : index % 3 === 0 ? 'env_two' : 'env_one',
    isDenied: index % 5 === 0,
    isError: index % 7 === 0,
    warnings: index % 6 === 0 ? [{ code: 'usage-unknown' }] : [],
    timings: timings(1 + (index % 100)),
    subjectIdentifier: index % 9 === 0 ? null : `customer-${index % 30}`,
    nearLimits:
      index % 2 === 0 ? [{ feature: 'exports', property: 'rows', used: 80 + index, limit: 100 }] : [],
    place: {
      country: ['GB', 'JP', '__proto__'][index % 3]!,
      city: null,
      continent: ['EU', 'AS', null][index % 3]!,
    },
    request: { features: ['exports'] },
    denials: index % 5 === 0 ? [{ feature: 'exports', reason: 'not-in-plan' as const }] : [],
    executions: index % 8 === 0 ? [someRun({ success: index % 16 === 0 })] : undefined,
  }));
}

describe('metrics', () => {
  it('say what happened in a range, by environment', async () => {
    const stream = await someStream();
    const now = NOON + 30_000;
    expect(await stream.stub.metrics({ range: '1h' }, now)).toMatchObject({
      latency: null,
      totals: { total: 0 },
      customers: [],
      nearLimit: [],
    });
    const near = { feature: 'exports', property: 'rows', used: 90, limit: 100 };
    await stream.append([
      someEvent({
        timings: timings(4),
        denials: [{ feature: 'exports', reason: 'limit-reached' }],
        isDenied: true,
        nearLimits: [near],
      }),
      someEvent({ timings: timings(4), subjectIdentifier: null, planSlugs: ['constructor'] }),
      someEvent({
        timings: timings(100),
        type: 'cu',
        envId: 'env_two',
        warnings: [{ code: 'usage-unknown' }],
      }),
      someEvent({ type: 'se', envId: '', place: { country: null, city: null, continent: null } }),
      someEvent({ isError: true, error: 'invalid-request', time: NOON - 5 * 60_000 }),
      someEvent({ time: NOON - 3_600_000 - 60_000 }),
    ]);
    const all = await stream.stub.metrics({ range: '1h' }, now);
    expect(all).toMatchObject({
      from: NOON - 3_600_000,
      to: now,
      bucketMs: 60_000,
      totals: { allowed: 2, denied: 1, warning: 1, error: 1, total: 5 },
      reasonsFrom: null,
      features: [],
      plans: [
        { slug: 'starter', count: 4 },
        { slug: 'constructor', count: 1 },
      ],
      countries: [{ code: 'GB', count: 4 }],
      locations: [{ location: 'weur', count: 5 }],
      warnings: [{ code: 'usage-unknown', count: 1 }],
      customers: [{ identifier: 'ada@example.com', count: 4 }],
      nearLimit: [{ envId: 'env_one', identifier: 'ada@example.com', ...near }],
    });
    expect(all.buckets).toHaveLength(61);
    expect(all.buckets[60]).toMatchObject({
      at: NOON,
      types: { ac: { allowed: 1, denied: 1 }, cu: { warning: 1 }, se: { allowed: 1 } },
    });
    for (const latency of [all.latency!, all.buckets[60]!.latency!]) {
      expect(Math.abs(latency.p50 - 4)).toBeLessThan(0.2);
      expect(Math.abs(latency.p99 - 100)).toBeLessThan(5);
    }
    const bins = all.buckets.flatMap(({ latencyBins }) => latencyBins);
    expect(LatencyHistogram.read(bins.map(({ bin, count }) => [bin, count])).percentiles()).toEqual(
      all.latency,
    );
    expect((await stream.stub.metrics({ range: '1h', environment: 'env_two' }, now)).totals.total).toBe(2);
    expect((await stream.stub.metrics({ range: '24h' }, now)).totals.total).toBe(6);
  });

  const NONE = { 'not-in-plan': 0, 'limit-reached': 0, 'token-not-accepted': 0, blocked: 0 };
  const denied = (reason: 'not-in-plan' | 'limit-reached', changes: Partial<RecordedEvent> = {}) =>
    someEvent({
      isDenied: true,
      denials: [{ feature: 'exports', reason }],
      request: { features: ['exports'] },
      ...changes,
    });

  it('count the calls that name a feature by reason, and no others', async () => {
    const stream = await someStream();
    await stream.append([
      denied('not-in-plan'),
      denied('limit-reached', { time: NOON - 60_000 }),
      denied('limit-reached', {
        type: 'cu',
        request: { feature: 'exports', property: 'rows' },
        features: null,
      }),
      denied('not-in-plan', { warnings: [{ code: 'jwt-expired' }], subjectIdentifier: null }),
      someEvent({ request: { features: ['exports', 'missing'] }, warnings: [{ code: 'feature-unknown' }] }),
      someEvent({ request: { consume: { feature: 'exports', property: 'rows' } } }),
      // Names none.
      someEvent({ denials: [{ feature: 'exports', reason: 'not-in-plan' }] }),
      someEvent({ isError: true, error: 'usage-blocked', request: null }),
      someEvent({ isError: true, error: 'unavailable', request: { features: ['exports'] } }),
    ]);
    for (const [range, now] of [
      ['1h', NOON + 60_000],
      ['24h', NOON + 60_000],
      // From hours and days, which the minutes are folded into.
      ['7d', NOON + 3 * 3_600_000],
      ['30d', NOON + 3 * 3_600_000],
    ] as const) {
      if (range === '7d') await stream.append([someEvent({ time: NOON + 2 * 3_600_000 })]);
      const { features, buckets, totals } = await stream.stub.metrics({ range }, now);
      expect(features, range).toEqual([
        {
          slug: 'exports',
          allowed: 2,
          denied: 4,
          causes: { ...NONE, 'not-in-plan': 1, 'limit-reached': 2, 'token-not-accepted': 1 },
        },
      ]);
      expect(totals.denied).toBe(4);
      const sum = (cause: keyof typeof NONE) => buckets.reduce((all, { causes }) => all + causes[cause], 0);
      expect([sum('not-in-plan'), sum('limit-reached'), sum('token-not-accepted'), sum('blocked')]).toEqual([
        1, 2, 1, 1,
      ]);
    }
    expect((await stream.stub.metrics({ range: '1h' }, NOON + 60_000)).buckets[58]?.causes).toEqual({
      ...NONE,
      'limit-reached': 1,
    });
  });

  it('have the latency of each continent and location, and the runs of each workflow', async () => {
    const stream = await someStream();
    const from = (continent: string, totalMs: number): Partial<RecordedEvent> => ({
      place: { country: null, city: null, continent },
      timings: timings(totalMs),
    });
    await stream.append([
      someEvent(from('AS', 200)),
      someEvent({
        ...from('AS', 200),
        executions: [someRun({ status: 'killed', success: false, wallTime: 50 })],
      }),
      someEvent({
        ...from('EU', 4),
        executions: [someRun(), someRun({ workflowId: 'wf_2', status: 'skipped' })],
      }),
      someEvent({ type: 'se', envId: '', ...from('NA', 1) }),
    ]);
    const { routes, workflows } = await stream.stub.metrics({ range: '24h' }, NOON + 60_000);
    expect(routes.map(({ continent, location, count }) => [continent, location, count])).toEqual([
      ['AS', 'weur', 2],
      ['EU', 'weur', 1],
    ]);
    expect(Math.abs(routes[0]!.latency!.p50 - 200)).toBeLessThan(9);
    const none = { done: 0, failed: 0, killed: 0, lost: 0, skipped: 0 };
    expect(workflows.map(({ id, runs }) => [id, runs])).toEqual([
      ['wf_1', { ...none, done: 1, killed: 1 }],
      ['wf_2', { ...none, skipped: 1 }],
    ]);
    expect(Math.abs(workflows[0]!.latency!.p95 - 50)).toBeLessThan(3);
    expect(workflows[1]!.latency).toBeNull();
  });

  it('say from when on they have reasons, where an earlier release counted before', async () => {
    const stream = await someStream();
    const since = async () => (await stream.stub.metrics({ range: '24h' }, NOON + 60_000)).reasonsFrom;
    await stream.append([denied('not-in-plan', { time: NOON - 10 * 60_000 })]);
    expect(await since()).toBeNull();
    // As the earlier release left it.
    await runInDurableObject(stream.stub, (_, { storage: { sql } }) => {
      sql.exec("DELETE FROM setting WHERE name = 'reasons_from'");
    });
    await evict(stream.stub);
    expect(await since()).toBe(NOON - 9 * 60_000);
    // An isolate of the earlier release during the deployment.
    const former = (group: EventGroup): EventGroup => ({
      ...group,
      shapes: JSON.stringify((JSON.parse(group.shapes) as unknown[][]).map((shape) => shape.slice(0, 20))),
    });
    const late = denied('not-in-plan', { time: NOON - 5_000 });
    await stream.stub.appendGroups({ orgId: stream.orgId, groups: groupsOf([late]).map(former) });
    expect(await since()).toBe(NOON - 4_999);
    await stream.append([denied('not-in-plan', { time: NOON })]);
    expect(await since()).toBe(NOON - 4_999);
    const { features } = await stream.stub.metrics({ range: '24h' }, NOON + 60_000);
    expect(features).toMatchObject([{ slug: 'exports', denied: 2 }]);
    await evict(stream.stub);
    expect(await since()).toBe(NOON - 4_999);
  });

  it('list a customer near a limit until a newer reading is far from it, in any order', async () => {
    const stream = await someStream();
    const reading = (offset: number, used: number, features = ['exports']) =>
      someEvent({
        time: NOON + offset,
        features: null,
        response: '{}',
        featureSlugs: features,
        nearLimits: used < 80 ? [] : [{ feature: 'exports', property: 'rows', used, limit: 100 }],
      });
    const near = async () =>
      (await stream.stub.metrics({ range: '1h' }, NOON + 60_000)).nearLimit.map(({ used }) => used);
    await stream.append([reading(10, 85)]);
    await stream.append([reading(5, 99)]);
    expect(await near()).toEqual([85]);
    await stream.append([reading(20, 0, ['others'])]);
    expect(await near()).toEqual([85]);
    await stream.append([reading(30, 0)]);
    await stream.append([reading(25, 95)]);
    expect(await near()).toEqual([]);
  });

  it('are not written again for a reading near a limit that repeats the last one', async () => {
    const stream = await someStream();
    const reading = (offset: number, used: number) =>
      someEvent({
        time: NOON + offset,
        nearLimits: [{ feature: 'exports', property: 'rows', used, limit: 100 }],
      });
    await stream.append([reading(0, 90)]);
    await stream.fold();
    await runInDurableObject(stream.stub, (_, { storage }) => {
      storage.sql.exec('CREATE TABLE written (used)');
      storage.sql.exec(
        `CREATE TRIGGER writes AFTER UPDATE ON near_limit BEGIN INSERT INTO written VALUES (1); END`,
      );
    });
    const writes = () =>
      runInDurableObject(stream.stub, (_, { storage }) =>
        storage.sql.exec('SELECT * FROM written').toArray(),
      );
    const append = async (event: ReturnType<typeof reading>) => {
      await stream.append([event]);
      await stream.fold();
    };
    for (let second = 1; second < 10; second++) await append(reading(second * 1_000, 90));
    expect(await writes()).toHaveLength(0);
    await append(reading(11_000, 91));
    await append(reading(400_000, 91));
    expect(await writes()).toHaveLength(2);
    expect((await stream.stub.metrics({ range: '1h' }, NOON + 400_000)).nearLimit).toMatchObject([
      { used: 91 },
    ]);
  });
});

it('events that are delivered three times, also after an eviction, change no figure', async () => {
  const stream = await someStream();
  const batch = stream.batchOf(variedEvents(300));
  await stream.stub.appendGroups(batch);
  const figures = await figuresOf(stream);
  expect(figures.metrics[3]?.totals.total).toBe(300);
  await stream.stub.appendGroups(batch);
  await evict(stream.stub);
  await stream.stub.appendGroups(batch);
  expect(await figuresOf(stream)).toEqual(figures);
});

it('an append that fails after its roll-ups are written leaves no trace, twenty times', async () => {
  const stream = await someStream();
  // Too many for the inbox.
  const events = variedEvents(400);
  const figures = await figuresOf(stream);
  await runInDurableObject(stream.stub, (instance: EventStream, { storage }) => {
    storage.sql.exec(
      `CREATE TRIGGER fails AFTER INSERT ON near_limit BEGIN SELECT raise(ABORT, 'killed'); END`,
    );
    return instance.usage(0, 1);
  });
  for (let attempt = 0; attempt < 20; attempt++) {
    const [result] = await Promise.allSettled([stream.append(events)]);
    expect(result.status).toBe('rejected');
  }
  expect(await stream.findAll()).toEqual([]);
  expect(await figuresOf(stream)).toEqual(figures);
  await runInDurableObject(stream.stub, (_, { storage }) => void storage.sql.exec('DROP TRIGGER fails'));
  await stream.append(events);
  expect((await stream.findAll()).sort()).toEqual(idsOf(events).sort());
  expect((await figuresOf(stream)).metrics[3]?.totals.total).toBe(400);
});

describe('roll-ups', () => {
  const [HOUR, DAY] = [3_600_000, 86_400_000];

  it('give the same figures in any order of arrival, also hours after their time', async () => {
    const events = someEvents(150, (index) => ({
      time: NOON - index * 7_000_000,
      timings: timings(1 + index),
      subjectIdentifier: `customer-${index % 20}`,
    }));
    const [oldest, newest, mixed] = [await someStream(), await someStream(), await someStream()];
    await oldest.append(events.toReversed());
    for (const event of events) await newest.append([event]);
    for (let start = 0; start < 10; start++)
      await mixed.append(events.filter((_, index) => index % 10 === start));
    const figures = await figuresOf(oldest);
    expect(figures.metrics[3]?.totals.total).toBe(150);
    expect(await figuresOf(newest)).toEqual(figures);
    expect(await figuresOf(mixed)).toEqual(figures);
  });

  it('of an earlier version, which counted an event in one row only, are kept', async () => {
    const stream = await someStream();
    const events = variedEvents(300).map((event, index) => ({ ...event, time: NOON - index * 3_600_000 }));
    await stream.append(events.toReversed());
    const figures = await figuresOf(stream);
    await runInDurableObject(stream.stub, (_, { storage: { sql } }) => {
      sql.exec('DELETE FROM rollup');
      sql.exec("DELETE FROM setting WHERE name = 'rollups'");
      for (const event of events) {
        const age = NOON - event.time;
        const isLate = age === 100 * HOUR || age === 250 * HOUR;
        const width =
          age < 3 * HOUR || isLate ? 60_000 : event.time < NOON - 8 * DAY - 12 * HOUR ? DAY : HOUR;
        const at = event.time - (event.time % width);
        const part = width === 60_000 ? 0 : (event.time - at) / (width === DAY ? HOUR : 60_000);
        const [group] = groupsOf([event]);
        const { lines, shapes } = group!;
        const { minutes } = tallyLines(lines, readShapes(shapes), () => ['exports']);
        const stored = sql
          .exec<{ body: string }>(
            'SELECT body FROM rollup WHERE width = ? AND at = ? AND env_id = ?',
            ...[width, at, event.envId],
          )
          .toArray()[0];
        const rollup = stored === undefined ? new Rollup() : Rollup.read({ body: stored.body, lists: null });
        for (const minute of minutes.values()) rollup.merge(minute, part);
        const { body, lists } = rollup.write();
        sql.exec(
          'INSERT OR REPLACE INTO rollup (width, at, env_id, body, lists) VALUES (?, ?, ?, ?, NULL)',
          ...[width, at, event.envId, JSON.stringify({ ...JSON.parse(body), ...JSON.parse(lists) })],
        );
      }
    });
    await evict(stream.stub);
    expect(await figuresOf(stream)).toEqual(figures);
    const more = someEvents(2, (index) => ({ time: NOON + 3 * HOUR - index * 20 * HOUR }));
    await stream.append(more);
    const { metrics } = await figuresOf(stream, NOON + 3 * HOUR);
    expect(metrics[3]?.totals.total).toBe((figures.metrics[3]?.totals.total ?? 0) + 2);
  });
});

describe('a rebuild', () => {
  async function rebuild(stream: Stream): Promise<void> {
    await stream.stub.rebuildIndex();
    await finish(stream);
  }

  /** An alarm rebuilds for a limited time and sets the next one. */
  async function finish({ stub }: Stream): Promise<void> {
    const isPending = () =>
      runInDurableObject(stub, (_, { storage }) =>
        storage.sql.exec("SELECT 1 FROM setting WHERE name = 'rebuild' AND value <> ''").toArray(),
      );
    while ((await isPending()).length > 0) await runDurableObjectAlarm(stub);
  }

  it('of a lost index restores search and every figure', async () => {
    const stream = await someStream();
    const recent = variedEvents(200).map((event) => ({ ...event, time: event.time + Date.now() - NOON }));
    for (let start = 0; start < 200; start += 40) await stream.append(recent.slice(start, start + 40));
    const now = Date.now() + 60_000;
    const figures = await figuresOf(stream, now);
    const found = await stream.findAll({ text: 'customer-7' });
    expect(found).not.toEqual([]);
    await runInDurableObject(stream.stub, (_, { storage }) => {
      storage.sql.exec('DELETE FROM rollup');
      storage.sql.exec('DELETE FROM near_limit');
      for (const { key } of storage.sql.exec<{ key: number }>('SELECT key FROM chunk').toArray())
        storage.sql.exec('DELETE FROM search WHERE rowid = CAST(? AS INTEGER)', key);
    });
    await evict(stream.stub);
    await rebuild(stream);
    expect(await figuresOf(stream, now)).toEqual(figures);
    expect(await stream.findAll({ text: 'customer-7' })).toEqual(found);
    await rebuild(stream);
    expect(await figuresOf(stream, now)).toEqual(figures);
  });

  it('happens by itself, and archiving goes on after it', async () => {
    const stream = await someStream();
    await stream.append(someEvents(20, (index) => ({ time: Date.now() - index * 1_000 })));
    await stream.stub.rebuildIndex();
    const archived = () =>
      runInDurableObject(stream.stub, (_, { storage }) =>
        storage.sql.exec("SELECT 1 FROM setting WHERE name = 'archived_at'").toArray(),
      );
    await expect.poll(archived, { timeout: 5_000 }).toHaveLength(1);
  });

  it('that is interrupted resumes, and counts events that arrive meanwhile once', async () => {
    const stream = await someStream();
    const events = someEvents(120, (index) => ({ time: Date.now() - index * 20_000 }));
    await stream.append(events);
    await stream.stub.rebuildIndex();
    await runInDurableObject(stream.stub, (instance: EventStream) => {
      const { sql } = (instance as unknown as { ctx: DurableObjectState }).ctx.storage;
      sql.exec(`CREATE TRIGGER stops AFTER UPDATE ON setting WHEN new.name = 'rebuild' AND new.value NOT LIKE '{"done":50,%'
                BEGIN SELECT raise(ABORT, 'killed'); END`);
    });
    expectConsole('error', /could not be rebuilt.*killed/);
    await runDurableObjectAlarm(stream.stub);
    await stream.append([someEvent({ time: Date.now() })]);
    await evict(stream.stub);
    await runInDurableObject(stream.stub, (_, { storage }) => void storage.sql.exec('DROP TRIGGER stops'));
    await finish(stream);
    expect((await stream.stub.metrics({ range: '24h' }, Date.now())).totals.total).toBe(121);
    expect(await stream.findAll({ text: 'ada' })).toHaveLength(121);
  });

  it('keeps the roll-ups of archived events', async () => {
    const stream = await someStream();
    const day = 86_400_000;
    const old = someEvents(5, () => ({ time: Date.now() - 9 * day }));
    const young = someEvents(5, () => ({ time: Date.now() - 2 * day }));
    await stream.append([...old, ...young]);
    await runDurableObjectAlarm(stream.stub);
    expect(await stream.findAll()).toHaveLength(5);
    await rebuild(stream);
    expect((await stream.stub.metrics({ range: '30d' }, Date.now())).totals.total).toBe(10);
  });

  it('of an empty stream does nothing', async () => {
    expect(await (await someStream()).stub.rebuildIndex()).toBe(0);
  });
});

describe("a key's last use", () => {
  const HOUR = 3_600_000;
  const use = (keyId: string, time: number) => someEvent({ time, key: { id: keyId, type: 'secret' } });
  const rowOf = (stream: Stream) =>
    runInDurableObject(stream.stub, (_object, { storage }) =>
      storage.sql.exec<{ at: number }>('SELECT at FROM key_use').one(),
    );

  it('is the newest call, is written once an hour, and is at most an hour late after a crash', async () => {
    const stream = await someStream();
    await stream.append([someEvent({ time: NOON }), use('key_one', NOON)]);
    await stream.append([use('key_one', NOON + 90_000), use('key_one', NOON + 30_000)]);
    expect(await stream.stub.keyUses('env_one')).toEqual([{ keyId: 'key_one', lastUsedAt: NOON + 90_000 }]);
    expect(await stream.stub.keyUses('env_two')).toEqual([]);
    expect(await rowOf(stream)).toEqual({ at: NOON });
    await evict(stream.stub);
    expect(await stream.stub.keyUses('env_one')).toEqual([{ keyId: 'key_one', lastUsedAt: NOON }]);
    await stream.append([use('key_one', NOON + HOUR), use('key_one', NOON - HOUR)]);
    await stream.fold();
    expect(await rowOf(stream)).toEqual({ at: NOON + HOUR });
  });
});
