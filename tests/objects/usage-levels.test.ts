// An event stream tells of each level that a month's API calls pass: once it is passed, until somebody has heard it, and
// never on account of events that it already had.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { dayOf, monthOf } from '#engine/usage/calendar';
import { NOON, someEvents, someStream } from '#tests/support/recorded-events';

type Stream = Awaited<ReturnType<typeof someStream>>;

const MONTH = monthOf(NOON);

/** Counts so many calls as if they had been recorded before anything else. */
async function seed({ stub }: Stream, total: number, at = NOON): Promise<void> {
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec("INSERT INTO usage VALUES (?, 'env_seed', 'ac', ?)", dayOf(at), total);
  });
}

async function passed({ stub }: Stream) {
  return runInDurableObject(stub, (_, { storage }) =>
    storage.sql
      .exec<{ level: string; total: number; due_at: number | null; tries: number }>(
        'SELECT level, total, due_at, tries FROM passed_level ORDER BY total, level',
      )
      .toArray(),
  );
}

const levels = async (stream: Stream) => (await passed(stream)).map(({ level, total }) => [level, total]);

it('a level is passed with the call that reaches it, by calls of every type but refused ones', async () => {
  const stream = await someStream();
  await seed(stream, 79_998);
  await stream.append(someEvents(5, () => ({ isError: true })));
  await stream.append(someEvents(1, () => ({ type: 'cu' as const })));
  expect(await levels(stream)).toEqual([]);
  await stream.append(someEvents(1, () => ({ type: 'se' as const })));
  expect(await levels(stream)).toEqual([['near', 80_000]]);
  expect(await stream.stub.callsOfMonth(MONTH)).toBe(80_000);
});

it('events that are delivered again pass no level', async () => {
  const stream = await someStream();
  await seed(stream, 99_950);
  const batch = stream.batchOf(someEvents(49));
  for (let delivery = 0; delivery < 3; delivery++) await stream.stub.append(batch);
  expect(await levels(stream)).toEqual([['near', 99_999]]);
  await stream.append(someEvents(1));
  expect(await levels(stream)).toEqual([
    ['near', 99_999],
    ['reached', 100_000],
  ]);
});

it('a batch that cannot be written counts for nothing', async () => {
  const stream = await someStream();
  await seed(stream, 79_990);
  await stream.append(someEvents(1));
  const { orgId, groups } = stream.batchOf(someEvents(50));
  const broken = groups.map((group) => ({ ...group, ids: '["evt_broken"]', shapes: null as never }));
  const [result] = await Promise.allSettled([stream.stub.append({ orgId, groups: [...groups, ...broken] })]);
  expect(result.status).toBe('rejected');
  await stream.append(someEvents(8));
  expect(await levels(stream)).toEqual([]);
  await stream.append(someEvents(1));
  expect(await levels(stream)).toEqual([['near', 80_000]]);
});

it('each month is counted by itself, and all of them for the sum', async () => {
  const stream = await someStream();
  const before = MONTH - 1;
  await seed(stream, 60_000);
  await seed(stream, 60_000, before);
  await stream.append(someEvents(2, (index) => ({ time: index === 0 ? before : NOON })));
  expect(await levels(stream)).toEqual([]);
  expect(await stream.stub.callsOfMonth(MONTH)).toBe(60_001);
  expect(await stream.stub.callsEver()).toBe(120_002);
});

it('a level is told again after a growing pause, also by a stream that was evicted, until it is acknowledged', async () => {
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
  await evictDurableObject(stream.stub);
  expect(await runDurableObjectAlarm(stream.stub)).toBe(true);
  const [again] = await passed(stream);
  expect(again?.tries).toBe(2);
  expect((again?.due_at ?? 0) - Date.now()).toBeGreaterThan(90_000);
  await stream.stub.acknowledgeLevel(MONTH, 'near');
  expect(await passed(stream)).toMatchObject([{ due_at: null }]);
});
