// Events past their retention are written to the archive before they are deleted, also when the move is interrupted.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import type { Event } from '#contracts/console/events';
import { idsOf, someEvent, someEvents, someStream } from '#lab/fixtures/recorded-events';
import type { EventStream } from '#objects/event-stream/event-stream-object';
import { type MessageSources, StreamMessages } from '#objects/event-stream/stream-messages';
import { evict } from '#tests/support/evict';
import { expectConsole } from '#tests/support/expect-console';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAYS_AGO = (days: number) => Date.now() - days * DAY_MS;

type Stream = Awaited<ReturnType<typeof someStream>>;
type ArchivedEvent = Event & { featuresHash?: string };

interface Archive {
  objects: string[];
  events: ArchivedEvent[];
  features: Map<string, unknown>;
}

async function archiveOf({ orgId }: Stream): Promise<Archive> {
  const archive: Archive = { objects: [], events: [], features: new Map() };
  const { objects } = await env.EVENT_ARCHIVE.list({ prefix: `events/${orgId}/` });
  for (const { key } of objects) {
    archive.objects.push(key);
    const object = await env.EVENT_ARCHIVE.get(key);
    const text = await new Response(object!.body.pipeThrough(new DecompressionStream('gzip'))).text();
    for (const line of text
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each))) {
      if ('id' in line) archive.events.push(line);
      else archive.features.set(line.featuresHash, line.features);
    }
  }
  return archive;
}

/** Replaces the archive's `put` from the next alarm on, until the object is evicted. */
async function onPut(
  stream: Stream,
  act: (put: () => Promise<unknown>, instance: EventStream) => Promise<unknown>,
): Promise<void> {
  await runInDurableObject(stream.stub, (instance: EventStream) => {
    const object = instance as unknown as { env: object };
    object.env = {
      ...object.env,
      EVENT_ARCHIVE: {
        put: (...args: Parameters<R2Bucket['put']>) => act(() => env.EVENT_ARCHIVE.put(...args), instance),
      },
    };
  });
}

it('old events move to the archive; recent events and usage stay', async () => {
  const stream = await someStream();
  const old = someEvents(230, (index) => ({ time: DAYS_AGO(8) + index }));
  const older = someEvent({
    time: DAYS_AGO(9),
    features: null,
    response: '{"status":"error"}',
    isError: true,
  });
  const young = someEvents(5, (index) => ({ time: DAYS_AGO(6) + index }));
  await stream.append([...old, older, ...young]);
  const month = { timeFrom: DAYS_AGO(30), timeTo: DAYS_AGO(0) };
  const countOf = ({ buckets }: { buckets: { allowed: number }[] }) =>
    buckets.reduce((sum, { allowed }) => sum + allowed, 0);
  const before = await stream.stub.histogram(month);
  expect(before.eventsFrom).toBeNull();
  expect(await runDurableObjectAlarm(stream.stub)).toBe(true);

  // Counts stay, and the histogram says which of them can be listed.
  const after = await stream.stub.histogram(month);
  expect(countOf(after)).toBe(countOf(before));
  expect(young.map(({ time }) => time)).toContain(after.eventsFrom);

  expect(await stream.findAll()).toEqual(idsOf(young).reverse());
  expect(await stream.findAll({ text: 'ada' })).toEqual(idsOf(young).reverse());
  expect(await stream.stub.get(old[0]!.id)).toBeNull();
  const usage = await stream.stub.usage(DAYS_AGO(20), DAYS_AGO(0));
  expect(usage.reduce((total, item) => total + item.total, 0)).toBe(235);

  const archive = await archiveOf(stream);
  expect(idsOf(archive.events).sort()).toEqual(idsOf([...old, older]).sort());
  const moved = archive.events.find((event) => event.id === old[0]!.id);
  expect(moved).toMatchObject({ time: old[0]!.time, subjectIdentifier: 'ada@example.com' });
  expect(archive.features.get(moved!.featuresHash!)).toEqual(JSON.parse(old[0]!.features!));
  expect(archive.objects.map((key) => key.split('/').length)).toEqual(archive.objects.map(() => 4));
  await runInDurableObject(stream.stub, (_, { storage }) => {
    for (const [table, count] of [
      ['event_id', 0],
      ['stored_group', 1],
      ['chunk', 1],
      ['search', 1],
      ['text', 1],
      ['leaving', 0],
    ]) {
      expect(storage.sql.exec(`SELECT count(*) AS count FROM ${table}`).one(), String(table)).toEqual({
        count,
      });
    }
  });
});

it('nothing is deleted while archive writes fail, and everything moves once they succeed', async () => {
  const stream = await someStream();
  const events = someEvents(120, (index) => ({ time: DAYS_AGO(8) + index }));
  await stream.append(events);
  await onPut(stream, () => Promise.reject(new Error('R2 is down')));
  expectConsole('error', /could not be archived.*R2 is down/);
  expect(await runDurableObjectAlarm(stream.stub)).toBe(true);
  expect(await stream.findAll()).toHaveLength(120);
  await evict(stream.stub);
  expect(await runDurableObjectAlarm(stream.stub)).toBe(true);
  expect(idsOf((await archiveOf(stream)).events).sort()).toEqual(idsOf(events));
  expect(await stream.findAll()).toEqual([]);
});

/** Chunks of the object that is being written, and their bytes. */
const queued = (instance: EventStream) =>
  (Reflect.get(instance, 'ctx') as DurableObjectState).storage.sql
    .exec<{ chunks: number; bytes: number }>(
      `SELECT count(*) AS chunks, sum(length(texts) + length(shapes) + length(lines) + ifnull(length(packed), 0)) AS bytes
       FROM leaving JOIN chunk ON chunk.key = leaving.chunk`,
    )
    .one();

it('a batch that could not be written twice is halved, until it can be: nothing is lost or doubled', async () => {
  const stream = await someStream();
  const events = someEvents(8, (index) => ({ time: DAYS_AGO(8) + index }));
  for (const event of events) {
    await stream.append([event]);
    await stream.fold();
  }
  const sizes: number[] = [];
  await onPut(stream, async (put, instance) => {
    const { chunks } = queued(instance);
    sizes.push(chunks);
    if (chunks > 2) throw new Error('exceeded its limit');
    return put();
  });
  expectConsole('error', /could not be archived.*exceeded its limit/);
  while (await runDurableObjectAlarm(stream.stub)) if (sizes.length > 20) break;
  expect(sizes).toEqual([8, 8, 4, 4, 2, 6, 6, 3, 3, 2, 4, 4, 2, 2]);
  expect(idsOf((await archiveOf(stream)).events).sort()).toEqual(idsOf(events));
  expect(await stream.findAll()).toEqual([]);
});

it('an object has what two megabytes of stored events allow, or one chunk', async () => {
  const stream = await someStream();
  const random = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(10_000)), (byte) => byte.toString(36)).join('');
  for (let chunk = 0; chunk < 4; chunk++) {
    await stream.append(someEvents(60, () => ({ time: DAYS_AGO(8) + chunk, request: { text: random() } })));
  }
  const sizes: number[] = [];
  await onPut(stream, (put, instance) => {
    sizes.push(queued(instance).bytes);
    return put();
  });
  await runDurableObjectAlarm(stream.stub);
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThan(2_000_000);
  expect(await stream.findAll()).toEqual([]);
});

it('a crash between archiving and deleting loses nothing and archives nothing twice', async () => {
  const stream = await someStream();
  const events = someEvents(120, (index) => ({ time: DAYS_AGO(8) + index }));
  await stream.append(events);
  await onPut(stream, async (put) => {
    await put();
    throw new Error('killed');
  });
  expectConsole('error', /could not be archived.*killed/);
  await runDurableObjectAlarm(stream.stub);
  expect(await stream.findAll()).toHaveLength(120);
  await evict(stream.stub);

  // Events that arrive after a batch is queued go into the next batch.
  const late = someEvent({ time: DAYS_AGO(8) });
  await stream.append([late]);
  await runDurableObjectAlarm(stream.stub);
  const archive = await archiveOf(stream);
  expect(idsOf(archive.events).sort()).toEqual(idsOf([...events, late]).sort());
  expect(await stream.findAll()).toEqual([]);
});

it('events redelivered during archiving are still recognised', async () => {
  const stream = await someStream();
  const old = someEvents(10, () => ({ time: DAYS_AGO(8), type: 'cu' }));
  const young = someEvents(10, () => ({ time: DAYS_AGO(1), type: 'cu' }));
  await stream.append([...old, ...young]);
  const added: number[] = [];
  await onPut(stream, async (put, instance) => {
    added.push((await instance.appendGroups(stream.batchOf([...young, ...old]))).added);
    return put();
  });
  await runDurableObjectAlarm(stream.stub);
  expect(added).toEqual([0]);
  expect(await stream.append(young)).toBe(0);
  expect(await stream.findAll()).toHaveLength(10);
  expect((await archiveOf(stream)).events).toHaveLength(10);
});

it('a features text is retained while an event refers to it, and then deleted', async () => {
  const stream = await someStream();
  const [shared, own] = ['{"shared":1}', '{"own":1}'];
  const young = someEvent({ time: DAYS_AGO(1), features: shared });
  await stream.append([
    someEvent({ time: DAYS_AGO(12), features: shared }),
    someEvent({ time: DAYS_AGO(12), features: own }),
    young,
  ]);
  await runDurableObjectAlarm(stream.stub);
  expect(await stream.stub.get(young.id)).toMatchObject({ response: { features: { shared: 1 } } });
  await runInDurableObject(stream.stub, (_, { storage }) => {
    expect(storage.sql.exec('SELECT body FROM text').toArray()).toEqual([{ body: shared }]);
  });
  // Deleted, and needed again.
  const again = someEvent({ features: own });
  await stream.append([again]);
  expect(await stream.stub.get(again.id)).toMatchObject({ response: { features: { own: 1 } } });
});

it('a delta-encoded response is archived whole', async () => {
  const stream = await someStream();
  const featuresOf = (used: number) => `{"seats":{"used":${used}},"exports":{"a":1},"logs":{"b":2}}`;
  const featureSlugs = ['seats', 'exports', 'logs'];
  const time = DAYS_AGO(8);
  await stream.append(someEvents(3, (index) => ({ time, features: featuresOf(index), featureSlugs })));
  await runDurableObjectAlarm(stream.stub);
  const { events, features } = await archiveOf(stream);
  const answers = events.map((event) => {
    const response = event.response as { features?: unknown };
    return response.features ?? features.get(event.featuresHash!);
  });
  expect(answers).toEqual([0, 1, 2].map((used) => JSON.parse(featuresOf(used))));
});

it('a longer retention keeps events longer', async () => {
  const stream = await someStream();
  await stream.stub.setRetention(30);
  const events = [8, 29, 31].map((days) => someEvent({ time: DAYS_AGO(days) }));
  await stream.append(events);
  await evict(stream.stub);
  await runDurableObjectAlarm(stream.stub);
  expect(await stream.findAll()).toEqual(idsOf(events.slice(0, 2)));
  expect(idsOf((await archiveOf(stream)).events)).toEqual([events[2]!.id]);
  await stream.stub.setRetention(7);
  await runDurableObjectAlarm(stream.stub);
  expect(await stream.findAll()).toEqual([]);
});

it('a stream above its size limit archives its oldest events early', async () => {
  const stream = await someStream();
  const events = someEvents(30, (index) => ({ time: DAYS_AGO(1) + index * 20_000 }));
  await stream.append(events);
  await stream.stub.setRetention(7, 1);
  await runDurableObjectAlarm(stream.stub);
  expect(await stream.findAll()).toEqual([]);
  expect(idsOf((await archiveOf(stream)).events).sort()).toEqual(idsOf(events));
});

it('an alarm is set exactly while the stream has events', async () => {
  const stream = await someStream();
  const alarmAt = () => runInDurableObject(stream.stub, (_, { storage }) => storage.getAlarm());
  expect(await alarmAt()).toBeNull();
  await stream.append([someEvent({ time: DAYS_AGO(1) })]);
  expect(await alarmAt()).toBeLessThan(Date.now() + MINUTE_MS); // for the report of its customers
  await stream.stub.reportSeenCustomers();
  await runInDurableObject(stream.stub, (_, { storage }) => storage.deleteAlarm());
  await evict(stream.stub);
  expect(await alarmAt()).toBeGreaterThan(Date.now() + 5 * DAY_MS); // set again when the object is made
  await stream.stub.setRetention(1);
  await runDurableObjectAlarm(stream.stub);
  expect(await alarmAt()).toBeNull();
});

it('seen customers that no message has room for are skipped, and others are sent again while the queue refuses them', async () => {
  const sent = vi.spyOn(env.SIGHTINGS_QUEUE, 'send').mockRejectedValue(new Error('Too Many Requests'));
  const settings = { get: () => 'org_sightings' } as unknown as MessageSources['settings'];
  const messages = new StreamMessages(env, { settings } as MessageSources);
  const report = (identifier: string) =>
    messages.sendSightings({ featureLists: [], customers: [{ identifier, at: 1, readings: [] }] }, 1);
  await expect(report('ada')).rejects.toThrow('Too Many Requests');
  expect(sent).toHaveBeenCalledTimes(1);
  expectConsole('error', /seen customers are too many for one message/);
  await report('a'.repeat(128_000));
  expect(sent).toHaveBeenCalledTimes(1);
  sent.mockRestore();
});
