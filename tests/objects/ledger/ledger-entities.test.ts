// The accounts of a customer's entities end: by a call, or once nobody has used them for long. By an object's own storage.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import type { Location } from '#contracts/public/locations';
import { eraseInstant } from '#engine/ledger/erased-entities';
import type { EntityReach } from '#engine/ledger/idle-entities';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt, ledgerStub } from '#objects/stubs';
import { evict } from '#tests/support/evict';
import { EVENT, LIFETIME, NOW, TestEnvironment, update } from './ledger-calls';

const SHARDS = 16;
const DAY = 24 * 3_600_000;
const value = { state: 'metered', meter: LIFETIME } as const;
const MONTH: EntityReach = { propertyId: 'prop_calls', ms: 32 * DAY };

class Entities extends TestEnvironment {
  async count(location: Location, entity: string, by: number, now = NOW) {
    const { ledger, site } = await ledgerStub(env, {
      ...this.site(location),
      customer: 'ada',
      shards: SHARDS,
    });
    const updates = [update({ by, also: [{ propertyId: 'prop_calls', entity, value }] })];
    const event = { id: `evt_${crypto.randomUUID()}`, orgId: this.orgId, home: this.locations[0] };
    return ledger.answer({ site, customer: 'ada', entity, now, updates, reads: [], event }, EVENT);
  }

  /** Of the customer, and of the entity. */
  async usage(location: Location, entity = 'user_7', now = NOW): Promise<number[]> {
    const { ledger } = await ledgerStub(env, { ...this.site(location), customer: 'ada', shards: SHARDS });
    const read = { propertyId: 'prop_calls', meter: LIFETIME };
    const answer = await ledger.read([read, { ...read, ofEntity: true }], now, undefined, entity);
    return answer.kind === 'answered' ? answer.readings.map((each) => each.used) : [];
  }

  object(location: Location) {
    return ledgerAt(env, { ...this.site(location), shard: shardOf('ada', SHARDS) });
  }

  /** What is stored of the customer's entities. */
  async stored(location: Location) {
    return runInDurableObject(await this.object(location), (_, { storage: { sql } }) =>
      sql
        .exec<{ identifier: string }>('SELECT identifier FROM customer WHERE instr(identifier, char(0)) > 0')
        .toArray()
        .map(({ identifier }) => identifier),
    );
  }

  /** Runs alarms of so many days later, until what they do is done. */
  async alarmsAfter(location: Location, days: number, reaches: readonly EntityReach[] | null = [MONTH]) {
    const ledger = await this.object(location);
    await runInDurableObject(ledger, (object) => {
      const now = () => Date.now() + days * DAY;
      object.effects = { ...object.effects, now, entityReaches: async () => reaches };
    });
    for (let round = 0; round < 3; round++) await runDurableObjectAlarm(ledger);
  }
}

const erase = async (here: Entities, location: Location, entity = 'user_7') =>
  (await here.object(location)).eraseEntity(
    { ...here.site(location), shard: shardOf('ada', SHARDS) },
    'ada',
    entity,
    eraseInstant(NOW),
  );

it('erases an entity that was just counted, in every location, and for good', async () => {
  const here = new Entities('weur', 'enam');
  await here.count('weur', 'user_7', 3);
  await here.count('weur', 'user_8', 1);
  await here.count('enam', 'user_7', 2);
  await vi.waitFor(async () => expect(await here.usage('enam')).toEqual([6, 5]), 5_000);
  expect(await (await here.object('enam')).hasEntity('ada', 'user_7')).toBe(true);
  expect(await erase(here, 'enam')).toBe(true);
  expect(await erase(here, 'enam')).toBe(true);
  for (const location of here.locations) {
    await vi.waitFor(async () => expect(await here.usage(location)).toEqual([6, 0]), 5_000);
    await evict(await here.object(location));
    expect(await here.usage(location)).toEqual([6, 0]);
    expect(await here.stored(location)).toEqual(['ada\0user_8']);
    expect(await (await here.object(location)).hasEntity('ada', 'user_7')).toBe(false);
  }
  await here.count('weur', 'user_7', 4, NOW + 60_000);
  await vi.waitFor(
    async () => expect(await here.usage('enam', 'user_7', NOW + 60_000)).toEqual([10, 4]),
    5_000,
  );
});

it('stores nothing about an entity of a customer that it does not know', async () => {
  const here = new Entities('weur');
  expect(await erase(here, 'weur')).toBe(true);
  const left = await runInDurableObject(await here.object('weur'), ({ store }) => store.hasCustomer('ada'));
  expect(left).toBe(false);
});

it('an entity that nobody has used for 90 days makes room for another', async () => {
  const here = new Entities('weur');
  await here.count('weur', 'user_7', 3);
  await here.count('weur', 'user_8', 1, NOW + 1);
  await here.alarmsAfter('weur', 80);
  expect(await here.stored('weur')).toHaveLength(2);
  await here.alarmsAfter('weur', 100, null);
  expect(await here.stored('weur')).toHaveLength(2);
  await evict(await here.object('weur'));
  await here.alarmsAfter('weur', 102);
  expect(await here.stored('weur')).toEqual([]);
  expect(await here.usage('weur')).toEqual([4, 0]);
  const left = await runInDurableObject(await here.object('weur'), async ({ store }) =>
    store.countEntities('ada'),
  );
  expect(left).toBe(0);
});

it('an entity whose usage counts for good stays', async () => {
  const here = new Entities('weur');
  await here.count('weur', 'user_7', 3);
  await here.alarmsAfter('weur', 400, [{ ...MONTH, ms: null }]);
  expect(await here.usage('weur')).toEqual([3, 3]);
});

it('finds the accounts of entities by an index of their own', async () => {
  const here = new Entities('weur');
  await here.count('weur', 'user_7', 1);
  await runInDurableObject(await here.object('weur'), (_, { storage: { sql } }) => {
    for (const query of [
      'SELECT since FROM customer WHERE instr(identifier, char(0)) > 0 ORDER BY id LIMIT 1',
      'SELECT id FROM customer WHERE instr(identifier, char(0)) > 0 AND id > 5 AND coalesce(since, 0) < 9 ORDER BY id',
    ])
      expect(JSON.stringify(sql.exec(`EXPLAIN QUERY PLAN ${query}`).toArray())).toContain(
        'USING INDEX customer_entity',
      );
  });
});
