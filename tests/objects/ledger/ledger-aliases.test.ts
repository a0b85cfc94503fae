// Usage counted under an alias before the alias was known is merged into the customer, once.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { CallerFacts, CustomerFacts } from '#contracts/internal/customer-facts';
import type { CounterUpdate, LedgerAnswer } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { shardOf } from '#engine/ledger/shard-of';
import { migrations } from '#objects/ledger/schema';
import { SqliteLedgerStore } from '#objects/ledger/sqlite-ledger-store';
import { migrate } from '#objects/storage';
import { ledgerAt, ledgerStub } from '#objects/stubs';
import { evict } from '#tests/support/evict';
import { LIFETIME, NOW, SEATS, TestEnvironment, update } from './ledger-calls';

const CUSTOMER = 'cus_ada';
const ALIAS = 'ada@example.com';

class AliasEnvironment extends TestEnvironment {
  readonly shards: number;

  constructor(shards: number, ...locations: Location[]) {
    super(...locations);
    this.shards = shards;
  }

  async ask(
    location: Location,
    customer: string,
    given: { updates?: readonly CounterUpdate[]; facts?: CallerFacts } = {},
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

  /** Used calls, and used seats. */
  async usedBy(location: Location, customer = CUSTOMER): Promise<number[]> {
    const answer = await this.ask(location, customer);
    return answer.kind === 'answered' ? answer.readings.map(({ used }) => used) : [];
  }

  ledgerOf(location: Location, customer: string) {
    return ledgerAt(env, { ...this.site(location), shard: shardOf(customer, this.shards) });
  }

  /** As a caller does that has just loaded the alias from the database. */
  async loadAlias(location: Location, customerId = CUSTOMER, name = ALIAS): Promise<void> {
    const first = await this.ask(location, name, { facts: { version: 0 } });
    const update = first.kind === 'answered' ? first.facts : undefined;
    const token = update?.kind === 'unknown' ? update.token : '';
    const facts: CustomerFacts = {
      version: 5,
      grants: [],
      overrides: [],
      aliasOf: { integrationId: 'stripe_1', customerId },
    };
    await this.ask(location, name, { facts: { version: 5, loaded: { token, facts } } });
  }

  /** As a sync that has read the customer's metadata: it carries this user id, or none. */
  async pushCarrier(location: Location, id: string, version: number, userId?: string): Promise<void> {
    const integrationId = 'stripe_1';
    const stripe = {
      integrationId,
      customerId: id,
      email: null,
      isNamedByEmail: false,
      subscriptions: [],
    };
    const userIds = userId === undefined ? [] : [{ id: userId, integrationId }];
    const facts = { version, grants: [], overrides: [], stripe, userIds };
    await (await this.ledgerOf(location, id)).pushFacts(id, facts);
  }

  /** As a caller does whose customer has no facts yet. */
  async knowsNoFacts(location: Location, customer: string): Promise<void> {
    const first = await this.ask(location, customer, { facts: { version: 0 } });
    const update = first.kind === 'answered' ? first.facts : undefined;
    const token = update?.kind === 'unknown' ? update.token : '';
    const facts = { version: 1, grants: [], overrides: [] };
    await this.ask(location, customer, { facts: { version: 1, loaded: { token, facts } } });
  }

  async pushAlias(location: Location, name: string, version: number, customerId?: string): Promise<void> {
    const aliasOf = customerId === undefined ? null : { integrationId: 'stripe_1', customerId };
    const facts = { version, grants: [], overrides: [], aliasOf };
    await (await this.ledgerOf(location, name)).pushFacts(name, facts);
  }

  /** Retires a location while another one alone is enabled. */
  async retire(location: Location, other: Location): Promise<void> {
    for (const shard of Array.from({ length: this.shards }, (_, index) => index)) {
      const site = {
        ...this.site(location),
        shard,
        generation: this.generation + 1,
        locations: [other],
      };
      expect(await (await ledgerAt(env, site)).erase(site, false)).toBe(true);
    }
    this.generation += 1;
  }

  enable(...locations: Location[]): void {
    this.generation += 1;
    this.locations.splice(0, this.locations.length, ...locations);
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

// With five ledgers the alias and the customer have different ones, with one the same.
describe.each([1, 5])('with %i ledgers', (shards) => {
  it('counts once what two names did that become aliases of each other, one after the other', async () => {
    const environment = new AliasEnvironment(shards, 'weur');
    await environment.count('weur', CUSTOMER, { by: 2 });
    await environment.count('weur', ALIAS, { by: 3 });
    await environment.loadAlias('weur');
    await environment.alarms();
    expect(await environment.usedBy('weur')).toEqual([5, 0]);
    await environment.loadAlias('weur', ALIAS, CUSTOMER);
    for (let round = 0; round < 3; round++) {
      await environment.alarms();
      expect(await environment.usedBy('weur', ALIAS)).toEqual([5, 0]);
    }
    await environment.count('weur', CUSTOMER, { by: 4 });
    await environment.count('weur', ALIAS, { by: 1 });
    for (let round = 0; round < 3; round++) await environment.alarms();
    expect(await environment.usedBy('weur', ALIAS)).toEqual([10, 0]);
  });

  it('counts once what three names did that become aliases in a circle, in every location', async () => {
    const environment = new AliasEnvironment(shards, 'weur', 'apac');
    const third = 'user_42';
    const names = [ALIAS, CUSTOMER, third];
    for (const [index, name] of names.entries()) {
      await environment.count('weur', name, { by: 10 ** index });
      await environment.count('apac', name, { by: 1, key: { text: `key ${index}`, bodyHash: 'a' } });
    }
    await environment.count('weur', ALIAS, seat('a'));
    for (const [from, to] of [
      [ALIAS, CUSTOMER],
      [CUSTOMER, third],
      [third, ALIAS],
    ] as const) {
      for (const location of environment.locations) await environment.loadAlias(location, to, from);
      for (let round = 0; round < 3; round++) await environment.alarms();
    }
    for (const location of environment.locations) {
      for (const name of names)
        expect([name, await environment.usedBy(location, name)]).toEqual([name, [115, 1]]);
    }
  });

  describe.each([
    ['lost by the first before the second has it', ['lost', 'carried']],
    ['carried by both for a while', ['shared', 'lost', 'carried']],
    ['carried by the second in the same sync', ['moved']],
    ['carried by the first again in between', ['lost', 'again', 'lost', 'carried']],
  ])('a user id %s', (_, steps) => {
    it('goes on with all that was counted, in two locations, and the first keeps what it has', async () => {
      const home = new AliasEnvironment(shards, 'weur', 'apac');
      const [userId, one, two] = ['ws_9', 'cus_1', 'cus_2'];
      const keyed = { by: 3, key: { text: 'once', bodyHash: 'a' } };
      await home.count('weur', userId, { by: 1000 });
      for (const location of home.locations) {
        await home.knowsNoFacts(location, one);
        await home.pushCarrier(location, one, 2, userId);
        await home.pushAlias(location, userId, 2, one);
      }
      await home.count('weur', one, { by: 20 });
      await home.count('apac', one, { by: 300 });
      await home.count('weur', one, keyed);
      await home.count('apac', one, seat('a'));
      await home.count('apac', one, seat('b'));
      await home.count('weur', two, { by: 4000 });
      for (let round = 0; round < 3; round++) await home.alarms();
      let version = 2;
      for (const step of steps) {
        version += 1;
        for (const location of home.locations) {
          const carried = step === 'again' ? userId : undefined;
          await home.pushCarrier(location, one, version, carried);
          const owner = { lost: undefined, shared: undefined, again: one, carried: two, moved: two }[step];
          await home.pushAlias(location, userId, version, owner);
        }
        for (let round = 0; round < 3; round++) await home.alarms();
      }
      // Every use counts 1 for the amounts and 1 for the seats.
      for (const location of home.locations) {
        expect(await home.usedBy(location, two)).toEqual([5325, 2]);
        expect(await home.usedBy(location, one)).toEqual([1325, 2]);
      }
      for (const location of home.locations) {
        expect(await home.count(location, two, keyed)).toMatchObject({ outcomes: [{ replayed: true }] });
        await home.count(location, one, { by: 7 });
      }
      await home.count('apac', two, { ...seat('a'), release: true });
      for (let round = 0; round < 3; round++) await home.alarms();
      for (const location of home.locations) {
        expect(await home.usedBy(location, two)).toEqual([5324, 1]);
        expect(await home.usedBy(location, one)).toEqual([1339, 2]);
      }
    });
  });

  it('two user ids that two carriers swap, and swap back, count everything once', async () => {
    const home = new AliasEnvironment(shards, 'weur', 'apac');
    const [one, two, a, b] = ['cus_1', 'cus_2', 'ws_a', 'ws_b'];
    for (const location of home.locations) {
      for (const id of [one, two]) await home.knowsNoFacts(location, id);
      await home.count(location, one, { by: 10 });
      await home.count(location, two, { by: 200 });
    }
    for (const [version, ofOne, ofTwo] of [
      [2, a, b],
      [3, b, a],
      [4, a, b],
    ] as const) {
      for (const location of home.locations) {
        await home.pushCarrier(location, one, version, ofOne);
        await home.pushCarrier(location, two, version, ofTwo);
        await home.pushAlias(location, ofOne, version, one);
        await home.pushAlias(location, ofTwo, version, two);
      }
      for (let round = 0; round < 4; round++) await home.alarms();
    }
    for (const location of home.locations)
      for (const id of [one, two]) expect([id, await home.usedBy(location, id)]).toEqual([id, [420, 0]]);
  });

  it("the customer's usage includes the alias's as soon as the alias is known, and later usage too", async () => {
    const home = new AliasEnvironment(shards, 'weur');
    await home.count('weur', ALIAS, { by: 7 });
    await home.count('weur', ALIAS, seat('a'));
    await home.count('weur', CUSTOMER, { by: 2 });
    expect(await home.usedBy('weur')).toEqual([2, 0]);
    await home.loadAlias('weur');
    expect(await home.usedBy('weur')).toEqual([10, 1]);
    await home.loadAlias('weur');
    await evict(await home.ledgerOf('weur', ALIAS));
    await home.count('weur', ALIAS, { by: 3 });
    await home.alarms();
    expect(await home.usedBy('weur')).toEqual([13, 1]);
    await home.count('weur', CUSTOMER, { by: -13 });
    expect(await home.usedBy('weur')).toEqual([0, 1]);
  });

  it('an idempotency key accepted under the alias is known under the customer, and counts once', async () => {
    const home = new AliasEnvironment(shards, 'weur', 'apac');
    const keyed = (key: string) => ({ by: 3, key: { text: key, bodyHash: 'a' } });
    await home.count('weur', ALIAS, keyed('before'));
    await home.count('weur', ALIAS, keyed('meanwhile'));
    await home.count('apac', CUSTOMER, keyed('meanwhile'));
    await home.loadAlias('weur');
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

  it("every location gets the alias's usage, also usage of other locations", async () => {
    const home = new AliasEnvironment(shards, 'weur', 'apac', 'sam');
    await home.count('weur', ALIAS, { by: 1 });
    await home.count('apac', ALIAS, { by: 10 });
    await home.count('sam', CUSTOMER, { by: 100 });
    await home.loadAlias('apac');
    for (let round = 0; round < 3; round++) await home.alarms();
    await home.count('weur', ALIAS, { by: 1000 });
    for (let round = 0; round < 3; round++) await home.alarms();
    for (const location of home.locations) expect(await home.usedBy(location)).toEqual([1111, 0]);
  });

  it('merged usage survives when a location is disabled, and reaches a newly enabled one', async () => {
    const home = new AliasEnvironment(shards, 'weur', 'apac');
    await home.count('weur', ALIAS, { by: 7 });
    await home.loadAlias('weur');
    await home.retire('weur', 'apac');
    home.enable('apac', 'sam');
    for (const location of home.locations) expect(await home.usedBy(location)).toEqual([7, 0]);
    for (let round = 0; round < 3; round++) await home.alarms();
    for (const location of home.locations) expect(await home.usedBy(location)).toEqual([7, 0]);
  });

  describe('a key that a location which retired since accepted under the customer, and another one under an alias', () => {
    const keyed = { by: 3, key: { text: 'once', bodyHash: 'a' } };

    it('counts once if the location is enabled again before it learns of the alias', async () => {
      const home = new AliasEnvironment(shards, 'weur', 'apac');
      await home.count('weur', ALIAS, keyed);
      await home.count('apac', CUSTOMER, keyed);
      await home.retire('apac', 'weur');
      home.enable('weur', 'apac');
      for (const location of home.locations) await home.usedBy(location, ALIAS);
      await home.loadAlias('apac');
      for (let round = 0; round < 4; round++) await home.alarms();
      for (const location of home.locations) expect(await home.usedBy(location)).toEqual([3, 0]);
      expect(await home.count('apac', CUSTOMER, keyed)).toMatchObject({ outcomes: [{ replayed: true }] });
    });

    it("counts once if it is an alias's alias, also if the alias was merged before", async () => {
      const home = new AliasEnvironment(shards, 'weur', 'apac');
      await home.count('weur', 'user_42', keyed);
      await home.count('apac', CUSTOMER, keyed);
      await home.loadAlias('weur', ALIAS, 'user_42');
      await home.alarms();
      await home.retire('apac', 'weur');
      home.enable('weur');
      await home.loadAlias('weur');
      for (let round = 0; round < 4; round++) await home.alarms();
      expect(await home.usedBy('weur')).toEqual([3, 0]);
      for (const name of [CUSTOMER, ALIAS, 'user_42']) {
        const ledger = await home.ledgerOf('weur', name);
        expect(await runInDurableObject(ledger, ({ store }) => store.unmergedAliases(1))).toEqual([]);
      }
    });
  });

  it('an alias is merged into one customer only: the first one', async () => {
    const home = new AliasEnvironment(shards, 'weur');
    await home.count('weur', ALIAS, { by: 7 });
    await home.loadAlias('weur');
    const facts = { version: 9, grants: [], overrides: [] };
    const aliasOf = { integrationId: 'stripe_1', customerId: 'cus_eve' };
    await (await home.ledgerOf('weur', ALIAS)).pushFacts(ALIAS, { ...facts, aliasOf });
    await home.count('weur', ALIAS, { by: 1 });
    await home.alarms();
    expect(await home.usedBy('weur')).toEqual([8, 0]);
    expect(await home.usedBy('weur', 'cus_eve')).toEqual([0, 0]);
  });

  it('what an alias counts while it is none is merged when it is one again', async () => {
    const home = new AliasEnvironment(shards, 'weur');
    await home.count('weur', ALIAS, { by: 7 });
    await home.loadAlias('weur');
    await home.alarms();
    const ledger = await home.ledgerOf('weur', ALIAS);
    const facts = { grants: [], overrides: [] };
    await ledger.pushFacts(ALIAS, { ...facts, version: 9, aliasOf: null });
    await home.count('weur', ALIAS, { by: 3 });
    await home.alarms();
    expect(await home.usedBy('weur')).toEqual([7, 0]);
    const aliasOf = { integrationId: 'stripe_1', customerId: CUSTOMER };
    await ledger.pushFacts(ALIAS, { ...facts, version: 10, aliasOf });
    await home.alarms();
    expect(await home.usedBy('weur')).toEqual([10, 0]);
  });

  it('says since when an email has usage of its own: of any location, and of none once it is an alias', async () => {
    const home = new AliasEnvironment(shards, 'weur', 'apac');
    const since = async (location: Location) =>
      (await home.ledgerOf(location, ALIAS)).usageSince([ALIAS, 'nobody@example.com']);
    expect(await since('weur')).toEqual({});
    const before = Date.now();
    await home.count('weur', ALIAS, { by: 7 });
    const { [ALIAS]: counted = 0 } = await since('weur');
    expect(counted).toBeGreaterThanOrEqual(Math.min(before, NOW));
    expect(counted).toBeLessThanOrEqual(Date.now());
    await home.count('weur', ALIAS, { by: 1 });
    expect(await since('weur')).toEqual({ [ALIAS]: counted });
    await home.alarms();
    await home.usedBy('apac', ALIAS);
    expect(Object.keys(await since('apac'))).toEqual([ALIAS]);
    await home.loadAlias('weur');
    expect(await since('weur')).toEqual({});
  });

  it('an alias is also merged when a sync pushes it', async () => {
    const home = new AliasEnvironment(shards, 'weur');
    await home.count('weur', ALIAS, { by: 7 });
    const ledger = await home.ledgerOf('weur', ALIAS);
    expect(await ledger.knownCustomers([ALIAS, 'nobody@example.com'])).toEqual([ALIAS]);
    const aliasOf = { integrationId: 'stripe_1', customerId: CUSTOMER };
    for (const name of [ALIAS, 'nobody@example.com']) {
      await ledger.pushFacts(name, { version: 9, grants: [], overrides: [], aliasOf });
    }
    await home.alarms();
    expect(await home.usedBy('weur')).toEqual([7, 0]);
  });

  it("stores nothing for a customer's alias without usage", async () => {
    const home = new AliasEnvironment(shards, 'weur');
    await home.loadAlias('weur');
    await home.alarms();
    const tables = await runInDurableObject(await home.ledgerOf('weur', CUSTOMER), (_object, state) =>
      state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('cell', 'customer')").toArray(),
    );
    expect(tables).toEqual([]);
  });
});

it("a merge that the customer's ledger could not receive is repeated, also after an eviction", async () => {
  const home = new AliasEnvironment(5, 'weur');
  await home.count('weur', ALIAS, { by: 7 });
  const ledger = await home.ledgerOf('weur', ALIAS);
  await runInDurableObject(ledger, (object) => {
    const mergeAliasUsage = () => Promise.reject(new Error('unreachable'));
    object.effects = { ...object.effects, mergeAliasUsage };
  });
  await home.loadAlias('weur');
  expect(await home.usedBy('weur')).toEqual([0, 0]);
  await evict(ledger);
  await home.usedBy('weur', ALIAS);
  expect(await runDurableObjectAlarm(ledger)).toBe(true);
  expect(await home.usedBy('weur')).toEqual([7, 0]);
  const unmerged = await runInDurableObject(ledger, ({ store }) => store.unmergedAliases(1));
  expect(unmerged).toEqual([]);
});

it('a release of a resource that an alias has taken stays, and is not looked at again by clean-up', async () => {
  const home = new AliasEnvironment(5, 'weur');
  await home.count('weur', ALIAS, seat('taken by the alias'));
  await home.count('weur', CUSTOMER, seat('a'));
  await home.loadAlias('weur');
  for (const resource of ['taken by the alias', 'a']) {
    await home.count('weur', CUSTOMER, { ...seat(resource), release: true });
  }
  const ledger = await home.ledgerOf('weur', CUSTOMER);
  await runInDurableObject(ledger, (object) => {
    object.effects = { ...object.effects, now: () => Date.now() + 2 * 3_600_000 };
  });
  await runDurableObjectAlarm(ledger);
  const left = await runInDurableObject(ledger, ({ store }, { storage }) => ({
    releases: storage.sql.exec('SELECT resource FROM mark WHERE is_held = 0').toArray(),
    oldest: store.oldestSettling(),
  }));
  expect(left).toEqual({ releases: [{ resource: 'taken by the alias' }], oldest: null });
  expect(await runInDurableObject(ledger, (_object, { storage }) => storage.getAlarm())).toBeNull();
  expect(await home.usedBy('weur')).toEqual([0, 0]);
});

it('so does one that an earlier version stored', async () => {
  const ledger = await new TestEnvironment('weur').ledger('weur');
  const oldest = await runInDurableObject(ledger, (_object, { storage }) => {
    const former = migrations.slice(0, 7);
    migrate(storage, former);
    storage.sql.exec(
      "INSERT INTO name (id, text) VALUES (1, 'prop'), (2, 'weur/a'), (3, 'weur/b~ada@example.com')",
    );
    const columns = '(customer, property, resource, origin, stamp, at, is_held, key, counts, version)';
    storage.sql.exec(`INSERT INTO mark ${columns} VALUES
      (1, 1, 'kept', 2, 10, 10, 0, NULL, 0, 1), (1, 1, 'kept', 3, 5, 5, 1, NULL, 0, 1),
      (1, 1, 'deleted', 2, 20, 20, 0, NULL, 0, 1)`);
    migrate(storage, migrations);
    return new SqliteLedgerStore(storage).oldestSettling();
  });
  expect(oldest).toBe(20);
});
