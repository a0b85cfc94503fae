// What an identifier used before it was known to be a customer's other name is carried over to the customer, once.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { CustomerFacts, FactsInUse } from '#contracts/customer-facts';
import type { CounterUpdate, LedgerAnswer } from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt, ledgerStub } from '#objects/stubs';
import { LIFETIME, NOW, SEATS, TestEnvironment, update } from './ledger-calls';

const CUSTOMER = 'cus_ada';
const NAME = 'ada@example.com';

class Named extends TestEnvironment {
  readonly shards: number;

  constructor(shards: number, ...locations: Location[]) {
    super(...locations);
    this.shards = shards;
  }

  async ask(
    location: Location,
    customer: string,
    given: { updates?: readonly CounterUpdate[]; facts?: FactsInUse } = {},
  ): Promise<LedgerAnswer> {
    const place = { ...this.site(location), customer, shards: this.shards };
    const { ledger, site } = await ledgerStub(env, place);
    const { updates = [], facts } = given;
    const reads = [LIFETIME, SEATS].map((meter) => ({ propertyId: 'prop_calls', meter }));
    return ledger.answer({ site, customer, now: NOW, updates, reads, facts });
  }

  async count(location: Location, customer: string, given: Partial<CounterUpdate>): Promise<LedgerAnswer> {
    return this.ask(location, customer, { updates: [update(given)] });
  }

  /** Calls, and seats. */
  async usedBy(location: Location, customer = CUSTOMER): Promise<number[]> {
    const answer = await this.ask(location, customer);
    return answer.kind === 'answered' ? answer.readings.map(({ used }) => used) : [];
  }

  ledgerOf(location: Location, customer: string) {
    return ledgerAt(env, { ...this.site(location), shard: shardOf(customer, this.shards) });
  }

  /** As a caller does that has just read in the database whose name it is. */
  async sayWhose(location: Location, customerId = CUSTOMER, name = NAME): Promise<void> {
    const first = await this.ask(location, name, { facts: { version: 0 } });
    const news = first.kind === 'answered' ? first.facts : undefined;
    const token = news?.kind === 'unknown' ? news.token : '';
    const facts: CustomerFacts = {
      ...{ version: 5, grants: [], overrides: [] },
      nameOf: { integrationId: 'stripe_1', customerId },
    };
    await this.ask(location, name, { facts: { version: 5, learnt: { token, facts } } });
  }

  async alarms(): Promise<void> {
    for (const location of this.locations) {
      for (const shard of Array.from({ length: this.shards }, (_, index) => index)) {
        await runDurableObjectAlarm(await ledgerAt(env, { ...this.site(location), shard }));
      }
    }
  }
}

const seat = (resourceId: string) =>
  ({ resourceId, value: { state: 'metered', meter: SEATS } }) satisfies Partial<CounterUpdate>;

// Of five ledgers the two names have different ones; of one the same.
describe.each([1, 5])('of %i ledgers', (shards) => {
  it('the customer has used what was used under the other name as soon as that is said, and what comes after', async () => {
    const home = new Named(shards, 'weur');
    await home.count('weur', NAME, { by: 7 });
    await home.count('weur', NAME, seat('a'));
    await home.count('weur', CUSTOMER, { by: 2 });
    expect(await home.usedBy('weur')).toEqual([2, 0]);
    await home.sayWhose('weur');
    expect(await home.usedBy('weur')).toEqual([10, 1]);
    await home.sayWhose('weur');
    await evictDurableObject(await home.ledgerOf('weur', NAME));
    await home.count('weur', NAME, { by: 3 });
    await home.alarms();
    expect(await home.usedBy('weur')).toEqual([13, 1]);
    await home.count('weur', CUSTOMER, { by: -13 });
    expect(await home.usedBy('weur')).toEqual([0, 1]);
  });

  it('a key that was accepted under the other name is known under the customer, and counts once', async () => {
    const home = new Named(shards, 'weur', 'apac');
    const keyed = (key: string) => ({ by: 3, key: { text: key, bodyHash: 'a' } });
    await home.count('weur', NAME, keyed('before'));
    await home.count('weur', NAME, keyed('meanwhile'));
    await home.count('apac', CUSTOMER, keyed('meanwhile'));
    await home.sayWhose('weur');
    await home.alarms();
    await home.alarms();
    for (const location of home.locations) {
      for (const key of ['before', 'meanwhile']) {
        expect(await home.count(location, CUSTOMER, keyed(key))).toMatchObject({
          outcomes: [{ replayed: true }],
        });
      }
      expect(await home.usedBy(location)).toEqual([6, 0]);
    }
  });

  it('every location comes to know of it, also of what was used in others', async () => {
    const home = new Named(shards, 'weur', 'apac', 'sam');
    await home.count('weur', NAME, { by: 1 });
    await home.count('apac', NAME, { by: 10 });
    await home.count('sam', CUSTOMER, { by: 100 });
    await home.sayWhose('apac');
    for (let round = 0; round < 3; round++) await home.alarms();
    await home.count('weur', NAME, { by: 1000 });
    for (let round = 0; round < 3; round++) await home.alarms();
    for (const location of home.locations) expect(await home.usedBy(location)).toEqual([1111, 0]);
  });

  it('stays when a location is turned off, and reaches one that is turned on', async () => {
    const home = new Named(shards, 'weur', 'apac');
    await home.count('weur', NAME, { by: 7 });
    await home.sayWhose('weur');
    for (const shard of Array.from({ length: shards }, (_, index) => index)) {
      const site = { ...home.site('weur'), shard, generation: 2, locations: ['apac'] as const };
      expect(await (await ledgerAt(env, site)).erase(site, false)).toBe(true);
    }
    home.generation = 3;
    home.locations.splice(0, 2, 'apac', 'sam');
    for (const location of home.locations) expect(await home.usedBy(location)).toEqual([7, 0]);
    for (let round = 0; round < 3; round++) await home.alarms();
    for (const location of home.locations) expect(await home.usedBy(location)).toEqual([7, 0]);
  });

  it('is carried to one customer only: the first that was said', async () => {
    const home = new Named(shards, 'weur');
    await home.count('weur', NAME, { by: 7 });
    await home.sayWhose('weur');
    const facts = { version: 9, grants: [], overrides: [] };
    const nameOf = { integrationId: 'stripe_1', customerId: 'cus_eve' };
    await (await home.ledgerOf('weur', NAME)).tellFacts(NAME, { ...facts, nameOf });
    await home.count('weur', NAME, { by: 1 });
    await home.alarms();
    expect(await home.usedBy('weur')).toEqual([8, 0]);
    expect(await home.usedBy('weur', 'cus_eve')).toEqual([0, 0]);
  });

  it('is carried also where the ledger is told without having asked, as a sync does', async () => {
    const home = new Named(shards, 'weur');
    await home.count('weur', NAME, { by: 7 });
    const ledger = await home.ledgerOf('weur', NAME);
    expect(await ledger.whoIsKnown([NAME, 'nobody@example.com'])).toEqual([NAME]);
    const nameOf = { integrationId: 'stripe_1', customerId: CUSTOMER };
    for (const name of [NAME, 'nobody@example.com']) {
      await ledger.tellFacts(name, { version: 9, grants: [], overrides: [], nameOf });
    }
    await home.alarms();
    expect(await home.usedBy('weur')).toEqual([7, 0]);
  });

  it('stores nothing with a customer for a name that never used a meter', async () => {
    const home = new Named(shards, 'weur');
    await home.sayWhose('weur');
    await home.alarms();
    const tables = await runInDurableObject(await home.ledgerOf('weur', CUSTOMER), (_object, state) =>
      state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('cell', 'customer')").toArray(),
    );
    expect(tables).toEqual([]);
  });
});

it("what the customer's ledger could not take is carried when it can, after an eviction too", async () => {
  const home = new Named(5, 'weur');
  await home.count('weur', NAME, { by: 7 });
  const ledger = await home.ledgerOf('weur', NAME);
  await runInDurableObject(ledger, (object) => {
    const adopt = () => Promise.reject(new Error('unreachable'));
    object.effects = { ...object.effects, adopt };
  });
  await home.sayWhose('weur');
  expect(await home.usedBy('weur')).toEqual([0, 0]);
  await evictDurableObject(ledger);
  await home.usedBy('weur', NAME);
  expect(await runDurableObjectAlarm(ledger)).toBe(true);
  expect(await home.usedBy('weur')).toEqual([7, 0]);
  expect(await runInDurableObject(ledger, (_object, state) => state.storage.getAlarm())).toBeNull();
});
