import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import type { CounterUpdate } from '#contracts/internal/ledger';
import type { MeterableValue } from '#contracts/public/values';
import { CopiedRows } from '#objects/ledger/copied-rows';
import { migrations } from '#objects/ledger/schema';
import { migrate } from '#objects/storage';
import { ledgerStub } from '#objects/stubs';
import { evict } from '#tests/support/evict';
import { LIFETIME, NOW, SEATS, TestEnvironment, update } from './ledger-calls';

const seats: MeterableValue = { state: 'metered', meter: SEATS };
type Home = TestEnvironment;
type Place = TestEnvironment['locations'][number];

/** Makes all calls from a location to its peers fail, until the returned function is called. */
async function cutOff(home: Home, location: Place): Promise<() => Promise<void>> {
  const ledger = await home.ledger(location);
  const whole = await runInDurableObject(ledger, (object) => {
    const { effects } = object;
    const fail = () => Promise.reject(new Error('unreachable'));
    object.effects = { ...effects, receive: fail, copy: fail };
    return effects;
  });
  return () =>
    runInDurableObject(ledger, (object) => {
      object.effects = { ...whole, now: () => Date.now() + 120_000 };
    });
}

async function alarm(home: Home, location: Place): Promise<boolean> {
  return runDurableObjectAlarm(await home.ledger(location));
}

/** How many pages a location copies while it does something. */
async function copiesIn(home: Home, location: Place, work: () => Promise<unknown>): Promise<number> {
  return runInDurableObject(await home.ledger(location), async (object) => {
    const { effects } = object;
    const copy = vi.fn(effects.copy);
    object.effects = { ...effects, copy };
    await work();
    return copy.mock.calls.length;
  });
}

/** Uses the customer in all locations, so that no location has to copy it again: later changes arrive by replication. */
async function spreadCustomer(home: Home): Promise<void> {
  await home.update(home.locations[0]!, {});
  for (const location of home.locations) {
    await alarm(home, location);
    await home.used(location);
  }
}

describe('between locations', () => {
  it('an update is sent at once; it sets one alarm, which an instance that wakes up for the next one leaves as it is', async () => {
    const home = new TestEnvironment('weur', 'apac', 'sam');
    await spreadCustomer(home);
    const ledger = await home.ledger('weur');
    await runInDurableObject(ledger, (object) => {
      object.effects = { ...object.effects, now: () => Date.now() + 120_000 };
    });
    await alarm(home, 'weur');
    await evict(ledger);
    const alarmAt = () => runInDurableObject(ledger, async (_, { storage }) => storage.getAlarm());
    await home.update('weur', {});
    const first = await alarmAt();
    for (const location of ['apac', 'sam'] as const)
      await vi.waitFor(async () => expect(await home.used(location)).toBe(2), { timeout: 5_000 });
    expect((first ?? 0) - Date.now()).toBeGreaterThan(10_000);
    await evict(ledger);
    await home.update('weur', {});
    await vi.waitFor(async () => expect(await home.used('sam')).toBe(3), { timeout: 5_000 });
    expect(await alarmAt()).toBe(first);
  });

  it('usage counted in each location is read in all of them', async () => {
    const home = new TestEnvironment('weur', 'apac', 'sam');
    await home.update('weur', { by: 2 });
    await home.update('apac', { by: 3 });
    await home.update('sam', { by: 4 });
    await home.update('sam', { resourceId: 'a', value: seats });
    for (const location of home.locations) await alarm(home, location);
    for (const location of home.locations) {
      expect(await home.used(location)).toBe(10);
      expect(await home.used(location, SEATS)).toBe(1);
    }
  });

  it('locations that have not heard each other for ten seconds together take no more than was left then', async () => {
    const home = new TestEnvironment('weur', 'apac');
    const value: MeterableValue = { state: 'metered', meter: { ...LIFETIME, limit: 100 } };
    const take = async (location: Place, by: number) => {
      const outcome = await home.update(location, { by, value, enforce: true });
      return outcome.kind === 'decided' && outcome.accepted;
    };
    await spreadCustomer(home);
    const mend = [];
    for (const location of home.locations) {
      mend.push(await cutOff(home, location));
      // What is on its way until the others are known to be silent is what the bound leaves out.
      await take(location, 10);
      await alarm(home, location);
      await runInDurableObject(await home.ledger(location), (object) => {
        object.effects = { ...object.effects, now: () => Date.now() + 15_000 };
      });
    }
    const taken = { weur: 0, apac: 0 };
    for (let round = 0; round < 60; round++)
      for (const location of ['weur', 'apac'] as const) if (await take(location, 2)) taken[location] += 2;
    // Each knows 11 and 10 of the 100 to be taken.
    expect(taken).toEqual({ weur: 44, apac: 44 });
    for (const each of mend) await each();
    for (const location of home.locations) await alarm(home, location);
    expect(await home.used('weur')).toBe(1 + 20 + 88);
  });

  it('an alarm is set until every peer has acknowledged', async () => {
    const home = new TestEnvironment('weur', 'apac');
    const ledger = await home.ledger('weur');
    await spreadCustomer(home);
    const mend = await cutOff(home, 'weur');
    await home.update('weur', { by: 2 });
    for (let round = 0; round < 3; round++) expect(await alarm(home, 'weur')).toBe(true);
    expect(await home.used('apac')).toBe(1);
    await mend();
    expect(await alarm(home, 'weur')).toBe(true);
    expect(await home.used('apac')).toBe(3);
    expect(await runInDurableObject(ledger, (_object, state) => state.storage.getAlarm())).toBeNull();
  });

  it('changes that were not replicated before an eviction are replicated after it', async () => {
    const home = new TestEnvironment('weur', 'apac');
    await spreadCustomer(home);
    const ledger = await home.ledger('weur');
    await cutOff(home, 'weur');
    await home.update('weur', { by: 5 });
    await alarm(home, 'weur');
    await evict(ledger);
    expect(await home.used('apac')).toBe(1);
    await home.used('weur');
    expect(await alarm(home, 'weur')).toBe(true);
    expect(await home.used('apac')).toBe(6);
  });

  it('an alarm that runs a moment before anything is due runs again', async () => {
    const home = new TestEnvironment('weur', 'apac');
    await spreadCustomer(home);
    const ledger = await home.ledger('weur');
    // The clock stands still: after the failure the next attempt is due at the instant of the alarm that runs.
    const effects = await runInDurableObject(ledger, (object) => {
      const { effects } = object;
      const frozen = Date.now();
      const fail = () => Promise.reject(new Error('unreachable'));
      object.effects = { ...effects, receive: fail, now: () => frozen, random: () => 0 };
      return effects;
    });
    await home.update('weur', { by: 2 });
    await scheduler.wait(600);
    await runInDurableObject(ledger, (object) => {
      object.effects = effects;
    });
    await expect.poll(() => home.used('apac'), { timeout: 5_000 }).toBe(3);
  });

  it('a lost alarm is set again by the next update', async () => {
    const home = new TestEnvironment('weur', 'apac');
    const ledger = await home.ledger('weur');
    await home.update('weur', { by: 5 });
    await runInDurableObject(ledger, async (object, state) => {
      await state.storage.deleteAlarm();
      object.effects = { ...object.effects, now: () => Date.now() + 120_000 };
    });
    await home.update('weur', { by: 1 });
    expect(await alarm(home, 'weur')).toBe(true);
  });

  it('a lost alarm is set again when the object is next woken', async () => {
    const home = new TestEnvironment('weur', 'apac');
    await home.update('weur', { by: 5 });
    const ledger = await home.ledger('weur');
    await runInDurableObject(ledger, (_object, state) => state.storage.deleteAlarm());
    await evict(ledger);
    await home.used('weur');
    expect(await alarm(home, 'weur')).toBe(true);
  });

  it('a batch whose acknowledgement was lost is harmless when it is repeated', async () => {
    const home = new TestEnvironment('weur', 'apac');
    const ledger = await home.ledger('weur');
    await home.update('weur', { by: 5 });
    const lost = await runInDurableObject(ledger, async (object) => {
      const { effects } = object;
      const receive = vi.fn(async (...sent: Parameters<typeof effects.receive>) => {
        await effects.receive(...sent);
        throw new Error('the answer was lost');
      });
      object.effects = { ...effects, receive };
      await object.alarm();
      object.effects = { ...effects, now: () => Date.now() + 120_000 };
      return receive.mock.calls.length;
    });
    expect(lost).toBe(1);
    expect(await home.used('apac')).toBe(5);
    await alarm(home, 'weur');
    expect(await home.used('apac')).toBe(5);
  });

  it('a key that two locations accepted counts once, as decided by the origin that sorts first', async () => {
    const home = new TestEnvironment('weur', 'apac');
    await home.update('weur', { by: 10 });
    await alarm(home, 'weur');
    await home.update('apac', { by: 20 });
    await alarm(home, 'apac');
    const keyed = { by: 3, resourceId: undefined, key: { text: 'k', bodyHash: 'a' } };
    expect(await home.update('weur', keyed)).toMatchObject({ replayed: false });
    expect(await home.update('apac', keyed)).toMatchObject({ replayed: false });
    for (let round = 0; round < 2; round++)
      for (const location of home.locations) await alarm(home, location);
    for (const location of home.locations) {
      expect(await home.used(location)).toBe(33);
      expect(await home.update(location, keyed)).toMatchObject({ replayed: true, reading: { used: 33 } });
    }
  });

  it('a key that one location refused and another accepted counts once and is accepted everywhere, whichever origin sorts first', async () => {
    for (const refusing of ['weur', 'apac'] as const) {
      const home = new TestEnvironment('weur', 'apac');
      await spreadCustomer(home);
      const accepting = refusing === 'weur' ? 'apac' : 'weur';
      const keyed = { by: 50, enforce: true, key: { text: 'k', bodyHash: 'a' } };
      expect(await home.update(refusing, keyed)).toMatchObject({ accepted: false });
      await home.update(accepting, { by: -1 });
      expect(await home.update(accepting, keyed)).toMatchObject({ accepted: true, replayed: false });
      for (let round = 0; round < 2; round++)
        for (const location of home.locations) await alarm(home, location);
      for (const location of home.locations) {
        expect(await home.used(location)).toBe(50);
        expect(await home.update(location, keyed)).toMatchObject({ accepted: true, replayed: true });
      }
    }
  });

  it('a key of a retired location counts once, also if a new location accepted it before it could copy the customer', async () => {
    const home = new TestEnvironment('weur', 'oc');
    const keyed = { by: 3, key: { text: 'k', bodyHash: 'a' } };
    await home.update('weur', keyed);
    const off = await home.ledger('weur');
    const site = { ...home.site('weur'), generation: 2, locations: ['oc'] as const };
    expect(await off.erase(site, false)).toBe(true);
    home.generation = 3;
    home.locations.splice(0, 2, 'oc', 'afr'); // sorts before the retired location
    const mend = await cutOff(home, 'afr');
    expect(await home.update('afr', keyed)).toMatchObject({ accepted: true, replayed: false });
    await mend();
    await alarm(home, 'afr');
    for (const location of home.locations) {
      expect(await home.used(location)).toBe(3);
      expect(await home.update(location, keyed)).toMatchObject({ replayed: true, at: NOW });
    }
  });

  it('a retiring location learns of locations enabled meanwhile, and hands off to them as well', async () => {
    const home = new TestEnvironment('weur', 'apac');
    await spreadCustomer(home);
    const mend = await cutOff(home, 'weur');
    await home.update('weur', { by: 5 });
    const off = await home.ledger('weur');
    const site = { ...home.site('weur'), generation: 2, locations: ['apac'] as const };
    await off.drain(site);
    home.generation = 3;
    home.locations.splice(0, 2, 'apac', 'sam');
    expect(await home.used('sam')).toBe(1);
    await mend();
    expect(await off.erase(site, false)).toBe(false);
    // The order was for other locations.
    expect(await off.erase(site, false)).toBe(false);
    expect(await off.erase(home.site('weur'), false)).toBe(true);
    for (const location of home.locations) expect(await home.used(location)).toBe(6);
  });

  it('a location enabled later copies a customer once, with usage or without, also if it slept since', async () => {
    const home = new TestEnvironment('weur', 'apac');
    await home.update('weur', { by: 2 });
    await home.update('apac', { by: 3, key: { text: 'k', bodyHash: 'a' } });
    await home.update('apac', { resourceId: 'a', value: seats });
    for (const location of home.locations) await alarm(home, location);
    home.locations.push('sam');
    home.generation += 1;
    expect(await home.used('sam')).toBe(6);
    expect(await home.used('sam', SEATS)).toBe(1);
    expect(await home.update('sam', { by: 3, key: { text: 'k', bodyHash: 'a' } })).toMatchObject({
      replayed: true,
    });
    await home.used('sam', LIFETIME, NOW, 'nobody');
    await evict(await home.ledger('sam'));
    expect(await copiesIn(home, 'sam', () => home.used('sam'))).toBe(0);
    expect(await copiesIn(home, 'sam', () => home.used('sam', LIFETIME, NOW, 'nobody'))).toBe(0);
    await home.call('weur', { customer: 'nobody', updates: [update({ by: 7 })] });
    await alarm(home, 'weur');
    expect(await home.used('sam', LIFETIME, NOW, 'nobody')).toBe(7);
  });

  it('of customers without usage, the last ones are remembered as copied, so that identifiers that nobody has need little room', async () => {
    const home = new TestEnvironment('weur');
    const ledger = await home.ledger('weur');
    const remembered = await runInDurableObject(ledger, (_object, { storage }) => {
      migrate(storage, migrations);
      const rows = new CopiedRows(storage.sql, 2);
      const save = (customer: string, ...locations: Place[]) => rows.save(customer, null, locations);
      save('first', 'apac');
      save('second', 'apac');
      save('second', 'apac', 'sam');
      save('third', 'sam');
      return ['first', 'second', 'third'].map((customer) => rows.of(customer));
    });
    expect(remembered).toEqual([[], ['apac', 'sam'], ['sam']]);
  });

  it('a location asks the others once for all customers if all are new, also if it slept since, and is sent what they count', async () => {
    const home = new TestEnvironment('weur', 'apac', 'sam');
    expect(await copiesIn(home, 'weur', () => home.used('weur', LIFETIME, NOW, 'ada'))).toBe(2);
    for (const customer of ['ada', 'grace']) {
      await evict(await home.ledger('weur'));
      expect(await copiesIn(home, 'weur', () => home.used('weur', LIFETIME, NOW, customer))).toBe(0);
      await home.call('sam', { customer, updates: [update({ by: 5 })] });
      await alarm(home, 'sam');
      expect(await home.used('weur', LIFETIME, NOW, customer)).toBe(5);
    }
    for (const location of ['weur', 'apac'] as const) {
      const alarmAt = await runInDurableObject(await home.ledger(location), (_, { storage }) =>
        storage.getAlarm(),
      );
      expect(alarmAt, `nothing to send in ${location}`).toBeNull();
    }
  });

  it('a peer of an earlier version, which registers nobody before its first batch, is sent an empty one', async () => {
    const home = new TestEnvironment('weur', 'apac');
    const batches = await runInDurableObject(await home.ledger('weur'), (object) => {
      const { copy, receive } = object.effects;
      const sent = vi.fn(receive);
      object.effects = {
        ...object.effects,
        receive: sent,
        copy: async (site, request) =>
          sent.mock.calls.length > 0
            ? copy(site, request)
            : {
                records: { customer: request.customer, buckets: [], holds: [], keys: [] },
                next: null,
                isRegistered: false,
                isAllPushed: false,
              },
      };
      return sent;
    });
    expect(await home.call('weur', { meters: [LIFETIME] })).toMatchObject({ isWhole: true });
    expect(batches.mock.calls.map(([, { customers }]) => customers)).toEqual([[]]);
    expect(await copiesIn(home, 'weur', () => home.used('weur', LIFETIME, NOW, 'grace'))).toBe(0);
  });

  it('the first reading in a newly enabled location is complete, also in an environment with customer facts', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: 2 });
    home.locations.push('sam');
    home.generation += 1;
    for (const location of home.locations) {
      const { ledger, site } = await ledgerStub(env, { ...home.site(location), customer: 'ada', shards: 1 });
      const reads = [{ propertyId: 'prop_calls', meter: LIFETIME }];
      const call = { site, customer: 'ada', now: NOW, updates: [], reads, facts: { version: 0 } };
      expect(await ledger.answer(call)).toMatchObject({ readings: [{ used: 2 }], isWhole: true });
    }
  });

  it('answers with the usage that it has while no peer is reachable, and marks it incomplete', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: 2 });
    home.locations.push('sam');
    home.generation += 1;
    const mend = await cutOff(home, 'sam');
    expect(await home.call('sam', { updates: [update({})], meters: [LIFETIME] })).toMatchObject({
      isWhole: false,
      readings: [{ used: 1 }],
    });
    await mend();
    expect(await home.call('sam', { meters: [LIFETIME] })).toMatchObject({
      isWhole: true,
      readings: [{ used: 3 }],
    });
  });

  it('a new home location decides no limit before it has copied the customer, if it is asked to', async () => {
    const home = new TestEnvironment('weur');
    const used = { by: 45, enforce: true, key: { text: 'k', bodyHash: 'a' } };
    await home.update('weur', used);
    home.locations.unshift('sam');
    home.generation += 1;
    const mend = await cutOff(home, 'sam');
    const strictly = (given: Partial<CounterUpdate>) =>
      home.call('sam', { updates: [update({ enforce: true, ...given })], wholeOnly: true });
    for (const given of [{ by: 10 }, { by: -1 }, used]) {
      expect(await strictly(given)).toEqual({ kind: 'incomplete' });
    }
    for (const given of [{ enforce: false }, { value: { state: 'on' } as const }]) {
      expect(await strictly(given)).toMatchObject({ isWhole: false, outcomes: [{ accepted: true }] });
    }
    await mend();
    expect(await strictly(used)).toMatchObject({ outcomes: [{ accepted: true, replayed: true }] });
    expect(await strictly({ by: 10 })).toMatchObject({
      outcomes: [{ accepted: false, reading: { used: 47 } }],
    });

    home.locations.push('oc');
    home.generation += 1;
    await cutOff(home, 'sam');
    expect(await strictly({ by: 1 })).toEqual({ kind: 'incomplete' });
    expect(await strictly(used)).toMatchObject({ isWhole: false, outcomes: [{ replayed: true }] });
  });

  it('a disabled location hands off its records, then stores nothing and redirects callers', async () => {
    const home = new TestEnvironment('weur', 'apac');
    await home.update('weur', { by: 2, key: { text: 'k', bodyHash: 'a' } });
    await home.update('weur', { resourceId: 'a', value: seats });
    const off = await home.ledger('weur');
    const site = { ...home.site('weur'), generation: 2, locations: ['apac'] as const };
    const mend = await cutOff(home, 'weur');
    expect(await off.drain(site)).toEqual({ isDrained: false, waitingFor: ['apac'] });
    expect(await off.erase(site, false)).toBe(false);
    expect(await home.call('weur', { updates: [update({})] })).toEqual({
      kind: 'moved',
      generation: 2,
      locations: ['apac'],
    });
    await mend();
    expect(await off.drain(site)).toEqual({ isDrained: true, waitingFor: [] });
    expect(await off.erase(site, false)).toBe(true);
    const rows = await runInDurableObject(off, (_object, state) =>
      ['customer', 'cell', 'mark', 'key', 'name'].flatMap((table) =>
        state.storage.sql.exec(`SELECT * FROM ${table}`).toArray(),
      ),
    );
    expect(rows).toEqual([]);
    expect(await runInDurableObject(off, ({ store }) => store.loadState())).toMatchObject({
      origin: null,
      peers: [],
    });
    home.generation = 2;
    home.locations.shift();
    expect(await home.used('apac')).toBe(3);
    expect(await home.update('apac', { by: 2, key: { text: 'k', bodyHash: 'a' } })).toMatchObject({
      replayed: true,
    });
  });

  it('a location that is enabled again starts a new incarnation and loses nothing', async () => {
    const home = new TestEnvironment('weur', 'apac');
    await home.update('weur', { by: 2 });
    await home.update('apac', { by: 1 });
    for (const location of home.locations) await alarm(home, location);
    const off = await home.ledger('weur');
    await off.erase({ ...home.site('weur'), generation: 2, locations: ['apac'] }, false);
    home.generation = 3;
    expect(await home.used('weur')).toBe(3);
    await home.update('weur', { by: 4 });
    await home.update('apac', { by: 10 });
    for (const location of home.locations) await alarm(home, location);
    for (const location of home.locations) expect(await home.used(location)).toBe(17);
  });

  it('a location that lost all data copies it from the others', async () => {
    const home = new TestEnvironment('weur', 'apac');
    await home.update('weur', { by: 2 });
    await home.update('apac', { by: 1 });
    for (const customer of ['grace', 'mary']) {
      await home.call('apac', { customer, updates: [update({ by: 7 })] });
    }
    for (const location of home.locations) await alarm(home, location);
    await spreadCustomer(home);
    const weur = await home.ledger('weur');
    await cutOff(home, 'weur');
    expect(await weur.erase({ ...home.site('weur'), generation: 2, locations: ['apac'] }, true)).toBe(true);
    await evict(weur);
    home.generation = 3;
    expect(await home.used('weur')).toBe(4);
    for (const customer of ['grace', 'mary']) {
      expect(await home.used('weur', LIFETIME, NOW, customer)).toBe(7);
    }
  });

  it('a customer with thousands of resources and keys is copied and handed off completely', async () => {
    const home = new TestEnvironment('weur', 'apac');
    for (let part = 0; part < 13; part++) {
      const updates = Array.from({ length: 100 }, (_, index) => {
        const name = `${part} ${index}`;
        return update({ resourceId: name, value: seats, key: { text: name, bodyHash: 'a' } });
      });
      await home.call('weur', { updates });
    }
    home.locations.push('sam');
    home.generation += 1;
    expect(await home.used('sam', SEATS)).toBe(1300);
    const weur = await home.ledger('weur');
    home.generation += 1;
    home.locations.shift();
    const site = { ...home.site('apac'), location: 'weur' } as const;
    expect(await weur.drain(site)).toEqual({ isDrained: true, waitingFor: [] });
    expect(await weur.erase(site, false)).toBe(true);
    for (const location of home.locations) {
      expect(await home.used(location, SEATS)).toBe(1300);
      expect(await home.used(location)).toBe(1300);
      const again = { resourceId: '12 99', value: seats, key: { text: '12 99', bodyHash: 'a' } };
      expect(await home.update(location, again)).toMatchObject({ replayed: true });
    }
  });
});

describe('while one of three peers never answers', () => {
  /** Calls of this location from Western Europe wait for ever. */
  async function silence(home: Home, silent: Place) {
    const ledger = await home.ledger('weur');
    let calls = 0;
    await runInDurableObject(ledger, (object) => {
      const { receive } = object.effects;
      object.effects = {
        ...object.effects,
        receive: (site, batch) => {
          if (site.location !== silent) return receive(site, batch);
          calls += 1;
          return new Promise(() => undefined);
        },
      };
    });
    return { calls: () => calls };
  }

  it('the others have every change, and the event stream every event, without waiting for it', async () => {
    const home = new TestEnvironment('weur', 'apac', 'sam', 'oc');
    await spreadCustomer(home);
    const silent = await silence(home, 'oc');
    const ledger = await home.ledger('weur');
    let asked = 0;
    let minutes = 0;
    await runInDurableObject(ledger, (object) => {
      const { effects } = object;
      object.effects = {
        ...effects,
        now: () => Date.now() + minutes * 60_000,
        missing: async () => {
          asked += 1;
          return [];
        },
      };
    });
    for (const total of [3, 5]) {
      await home.update('weur', { by: 2 });
      minutes += 2;
      expect(await alarm(home, 'weur')).toBe(true);
      for (const location of ['apac', 'sam'] as const) expect(await home.used(location)).toBe(total);
    }
    expect(asked).toBe(2);
    expect(silent.calls()).toBe(1);
    expect(await runInDurableObject(ledger, (_object, state) => state.storage.getAlarm())).not.toBeNull();
  });
});
