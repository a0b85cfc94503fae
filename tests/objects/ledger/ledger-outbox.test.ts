// Outbox: the event of a counted update is stored with the count until the event stream has it, exactly once.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import type { CounterUpdate, EventName } from '#contracts/internal/ledger';
import type { MeterableValue } from '#contracts/public/values';
import { someEvent, someEvents, someStream } from '#lab/fixtures/recorded-events';
import { ledgerStub } from '#objects/stubs';
import { evict } from '#tests/support/evict';
import { EVENT, LIFETIME, NOW, TestEnvironment, update } from './ledger-calls';

type Stream = Awaited<ReturnType<typeof someStream>>;

let ids = 0;

function nameIn({ orgId }: Stream): EventName {
  ids += 1;
  return { id: `evt_outbox_${ids}`, orgId, home: 'weur' };
}

/** Counts like an isolate that is evicted before it sends the event. */
async function count(
  home: TestEnvironment,
  event: EventName,
  given: Partial<CounterUpdate> = {},
): Promise<void> {
  const place = { ...home.site('weur'), customer: 'ada', shards: 1 };
  const { ledger, site } = await ledgerStub(env, place);
  await ledger.answer({ site, customer: 'ada', now: NOW, updates: [update(given)], reads: [], event }, EVENT);
}

/** Runs the alarm at a time when events are due. @returns whether an alarm was set */
async function alarm(home: TestEnvironment): Promise<boolean> {
  const ledger = await home.ledger('weur');
  await runInDurableObject(ledger, (object) => {
    object.effects = { ...object.effects, now: () => Date.now() + 120_000 };
  });
  return runDurableObjectAlarm(ledger);
}

async function kept(home: TestEnvironment): Promise<number> {
  return runInDurableObject(
    await home.ledger('weur'),
    (_object, state) => state.storage.sql.exec('SELECT * FROM outbox').toArray().length,
  );
}

async function counted({ stub }: Stream): Promise<number> {
  const usage = await stub.usage(0, Date.now() + 86_400_000);
  return usage.reduce((total, item) => total + item.total, 0);
}

it('the ledger delivers the complete event if the isolate was evicted', async () => {
  const [home, stream] = [new TestEnvironment('weur'), await someStream()];
  const event = nameIn(stream);
  await count(home, event, { by: 7 });
  expect(await stream.findAll()).toEqual([]);
  expect(await alarm(home)).toBe(true);
  expect(await stream.stub.get(event.id)).toMatchObject({
    id: event.id,
    envId: home.environmentId,
    type: 'cu',
    isError: false,
    isWarning: false,
    time: EVENT.time,
    subjectIdentifier: 'ada',
    cfRay: 'ray-1',
    environmentType: 'live',
    key: EVENT.key,
    outcome: 'allowed',
    latency: null,
    isCold: null,
    detail: { countryCode: 'GB', city: 'London', continent: 'EU', planSlugs: ['starter'] },
    readDataLocations: ['weur'],
    writeDataLocations: ['weur'],
    request: EVENT.request,
    response: {
      status: 'success',
      requestId: 'req_1',
      accepted: true,
      replayed: false,
      warnings: [],
      meter: { state: 'metered', used: 7, limit: 50, remaining: 43 },
    },
  });
  expect(await kept(home)).toBe(0);
  const ledger = await home.ledger('weur');
  expect(await runInDurableObject(ledger, (_object, state) => state.storage.getAlarm())).toBeNull();
});

it('the event that the ledger delivers says what was counted on the meter that pays', async () => {
  const [home, stream] = [new TestEnvironment('weur'), await someStream()];
  const event = nameIn(stream);
  const { ledger, site } = await ledgerStub(env, { ...home.site('weur'), customer: 'ada', shards: 1 });
  const payer = { propertyId: 'prop_credits', value: { state: 'metered', meter: LIFETIME } as const };
  const updates = [update({ by: 7, also: [{ ...payer, per: 250 }] })];
  const cost = { propertyId: 'prop_credits', feature: 'ai', property: 'credits', thousandths: 250 };
  const call = { site, customer: 'ada', now: NOW, updates, reads: [], event };
  await ledger.answer(call, { ...EVENT, costs: cost });
  await alarm(home);
  expect(await stream.stub.get(event.id)).toMatchObject({
    response: {
      ...{ accepted: true, applied: 7, meter: { used: 7 } },
      costs: {
        ...{ feature: 'ai', property: 'credits', per: 0.25, accepted: true, applied: 2 },
        meter: { used: 2 },
      },
    },
  });
});

it('an eviction between a count and its event neither loses nor duplicates the event', async () => {
  const [home, stream] = [new TestEnvironment('weur'), await someStream()];
  const events = [nameIn(stream), nameIn(stream), nameIn(stream)];
  for (const event of events) {
    await count(home, event);
    await evict(await home.ledger('weur'));
  }
  await alarm(home);
  expect((await stream.findAll()).sort()).toEqual(events.map(({ id }) => id).sort());
  expect(await counted(stream)).toBe(3);
});

it('an event that the stream already has is not delivered again', async () => {
  const [home, stream] = [new TestEnvironment('weur'), await someStream()];
  const [sent, lost] = [nameIn(stream), nameIn(stream)];
  await stream.append([someEvent({ id: sent.id, type: 'cu', subjectIdentifier: 'as the isolate has it' })]);
  await Promise.all([count(home, sent), count(home, lost)]);
  const ledger = await home.ledger('weur');
  const appended = await runInDurableObject(ledger, async (object) => {
    const { effects } = object;
    const append = vi.fn(async (batch: Parameters<typeof effects.append>[0]) => {
      await effects.append(batch);
      throw new Error('the answer was lost');
    });
    object.effects = { ...effects, append, now: () => Date.now() + 120_000 };
    await object.alarm();
    object.effects = { ...effects, now: () => Date.now() + 240_000 };
    return append.mock.calls.flatMap(([batch]) => batch.groups.map((group) => group.ids));
  });
  expect(appended).toEqual([JSON.stringify([lost.id])]);
  expect(await kept(home)).toBeGreaterThan(0);
  await runDurableObjectAlarm(ledger);
  expect(await kept(home)).toBe(0);
  expect((await stream.findAll()).sort()).toEqual([sent.id, lost.id].sort());
  expect(await stream.stub.get(sent.id)).toMatchObject({ subjectIdentifier: 'as the isolate has it' });
  expect(await counted(stream)).toBe(2);
});

it('a delivery that another overtakes deletes no event that was counted meanwhile', async () => {
  const [home, stream] = [new TestEnvironment('weur'), await someStream()];
  const [first, second] = [nameIn(stream), nameIn(stream)];
  await count(home, first);
  await runInDurableObject(await home.ledger('weur'), async (object) => {
    const { effects } = object;
    const answers = Promise.withResolvers<void>();
    const missing = vi.fn(async (...asked: Parameters<typeof effects.missing>) => {
      if (missing.mock.calls.length === 1) await answers.promise;
      return effects.missing(...asked);
    });
    object.effects = { ...effects, missing, now: () => Date.now() + 120_000 };
    const overtaken = object.alarm();
    await object.alarm();
    await count(home, second);
    answers.resolve();
    await overtaken;
  });
  expect(await kept(home)).toBe(1);
  const ledger = await home.ledger('weur');
  await runInDurableObject(ledger, (object) => {
    object.effects = { ...object.effects, now: () => Date.now() + 240_000 };
    return object.alarm();
  });
  expect((await stream.findAll()).sort()).toEqual([first.id, second.id].sort());
});

it('events of updates one after the other share rows, and none is lost that is counted during a delivery', async () => {
  const [home, stream] = [new TestEnvironment('weur'), await someStream()];
  const early = Array.from({ length: 12 }, () => nameIn(stream));
  for (const event of early) await count(home, event);
  expect(await kept(home)).toBeLessThanOrEqual(4);
  const late = [nameIn(stream), nameIn(stream)];
  const ledger = await home.ledger('weur');
  await runInDurableObject(ledger, async (object) => {
    const { effects } = object;
    object.effects = {
      ...effects,
      now: () => Date.now() + 120_000,
      missing: async (...asked) => {
        object.effects = { ...effects, now: () => Date.now() + 120_000 };
        for (const event of late) await count(home, event);
        return effects.missing(...asked);
      },
    };
    await object.alarm();
  });
  expect((await stream.findAll()).sort()).toEqual(early.map(({ id }) => id).sort());
  expect(await kept(home)).toBe(1);
  await runInDurableObject(ledger, (object) => {
    object.effects = { ...object.effects, now: () => Date.now() + 240_000 };
  });
  await runDurableObjectAlarm(ledger);
  expect(await kept(home)).toBe(0);
  expect((await stream.findAll()).sort()).toEqual([...early, ...late].map(({ id }) => id).sort());
});

it('events are stored while the stream is down, and delivered when it is back', async () => {
  const [home, stream] = [new TestEnvironment('weur'), await someStream()];
  const ledger = await home.ledger('weur');
  const mend = await runInDurableObject(ledger, (object) => {
    const { effects } = object;
    const fail = () => Promise.reject(new Error('The stream is down'));
    object.effects = { ...effects, missing: fail, append: fail, now: () => Date.now() + 120_000 };
    return effects;
  });
  const events = Array.from({ length: 30 }, () => nameIn(stream));
  await Promise.all(events.map((event) => count(home, event)));
  for (let round = 0; round < 3; round++) expect(await runDurableObjectAlarm(ledger)).toBe(true);
  expect(await stream.findAll()).toEqual([]);
  await runInDurableObject(ledger, (object) => {
    object.effects = { ...mend, now: () => Date.now() + 600_000 };
  });
  await runDurableObjectAlarm(ledger);
  expect((await stream.findAll()).sort()).toEqual(events.map(({ id }) => id).sort());
  expect(await counted(stream)).toBe(30);
});

it('events of one group commit share a row, and long ones are split below the row limit', async () => {
  const [home, stream] = [new TestEnvironment('weur'), await someStream()];
  await count(home, nameIn(stream));
  const ledger = await home.ledger('weur');
  const site = home.site('weur');
  const countMany = (size: number) =>
    runInDurableObject(ledger, async (object) => {
      const text = (event: EventName) =>
        JSON.stringify({ site, customer: 'ada', now: NOW, updates: [update({})], reads: [], event });
      const eventJson = JSON.stringify({ ...EVENT, request: 'x'.repeat(size) });
      await Promise.all(Array.from({ length: 50 }, () => object.answerText(text(nameIn(stream)), eventJson)));
    });
  const before = await kept(home);
  await countMany(10);
  // After a quiet time the first calls are committed alone, until one of them waits and finds the others.
  const between = await kept(home);
  expect(between - before).toBeLessThanOrEqual(10);
  await countMany(10);
  expect((await kept(home)) - between).toBe(1);
  await countMany(100_000);
  expect((await kept(home)) - between).toBeLessThan(20);
  await alarm(home);
  expect(await kept(home)).toBe(0);
  expect(await counted(stream)).toBe(151);
});

it('stores no event of an update that was refused, replayed or not written', async () => {
  const [home, stream] = [new TestEnvironment('weur'), await someStream()];
  const keyed = { key: { text: 'k', bodyHash: 'a' } };
  const first = nameIn(stream);
  await count(home, first, keyed);
  await count(home, nameIn(stream), keyed);
  await count(home, nameIn(stream), { key: { text: 'k', bodyHash: 'b' } });
  await count(home, nameIn(stream), { by: 1000, enforce: true });
  const ledger = await home.ledger('weur');
  const site = home.site('weur');
  await runInDurableObject(ledger, async (object) => {
    const { store } = object;
    const whole = store.transaction.bind(store);
    const failing = vi.spyOn(store, 'transaction').mockImplementation((work) =>
      whole(() => {
        work();
        throw new Error('disk full');
      }),
    );
    const call = { site, customer: 'ada', now: NOW, updates: [update({})], reads: [], event: nameIn(stream) };
    const counting = async () => object.answerText(JSON.stringify(call), JSON.stringify(EVENT));
    await expect(counting()).rejects.toThrow('disk full');
    failing.mockRestore();
  });
  await alarm(home);
  expect(await stream.findAll()).toEqual([first.id]);
});

it('a disabled location is not erased before its events are delivered', async () => {
  const [home, stream] = [new TestEnvironment('weur'), await someStream()];
  const event = nameIn(stream);
  await count(home, event);
  const off = await home.ledger('weur');
  const site = { ...home.site('weur'), generation: 2, locations: [] };
  const mend = await runInDurableObject(off, (object) => {
    const { effects } = object;
    object.effects = { ...effects, missing: () => Promise.reject(new Error('The stream is down')) };
    return effects;
  });
  expect(await off.erase(site, true)).toBe(false);
  await runInDurableObject(off, (object) => {
    object.effects = mend;
  });
  expect(await off.erase(site, true)).toBe(true);
  expect(await stream.findAll()).toEqual([event.id]);
});

it('the stream returns the ids of the events that it lacks', async () => {
  const stream = await someStream();
  const events = someEvents(3, () => ({ type: 'cu' }));
  await stream.append(events.slice(0, 2));
  expect(await stream.stub.missing(JSON.stringify(events.map(({ id }) => id)))).toEqual([events[2]!.id]);
});

it.each<[string, MeterableValue]>([
  ['on', { state: 'on' }],
  ['off', { state: 'off' }],
  ['metered', { state: 'metered', meter: LIFETIME }],
])('an accepted update of 0 or less is one event, also as the first of a ledger (%s)', async (_, value) => {
  for (const given of [{ by: 0 }, { by: -1 }, { by: 0, enforce: true }, { by: -1, enforce: true }]) {
    for (const key of [undefined, { text: 'k', bodyHash: 'a' }]) {
      const [home, stream] = [new TestEnvironment('weur'), await someStream()];
      const event = nameIn(stream);
      await count(home, event, { ...given, key, value });
      await evict(await home.ledger('weur'));
      expect(await home.used('weur')).toBe(0);
      await alarm(home);
      expect(await stream.findAll()).toEqual([event.id]);
    }
  }
});
