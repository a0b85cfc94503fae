// What an update also counts, by an object's own storage: on another meter, and on the accounts of a customer's entities.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import type { AlsoCount, CounterUpdate, LedgerReading } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt, ledgerStub, readEntities } from '#objects/stubs';
import { evict } from '#tests/support/evict';
import { EVENT, LIFETIME, NOW, SEATS, TestEnvironment, update } from './ledger-calls';

const SHARDS = 16;
const value = { state: 'metered', meter: LIFETIME } as const;
const cost: AlsoCount = { propertyId: 'prop_credits', per: 2500, value };
const CALLS = { propertyId: 'prop_calls', meter: LIFETIME };
const CREDITS = { propertyId: 'prop_credits', meter: LIFETIME };

class Accounts extends TestEnvironment {
  #place(location: Location, customer: string) {
    return { ...this.site(location), customer, shards: SHARDS };
  }

  async count(
    location: Location,
    customer: string,
    entity: string | undefined,
    given: Partial<CounterUpdate>,
  ) {
    const { ledger, site } = await ledgerStub(env, this.#place(location, customer));
    const also = entity === undefined ? [cost] : [cost, { propertyId: 'prop_calls', entity, value }];
    const updates = [update({ also, ...given })];
    const event = { id: `evt_${crypto.randomUUID()}`, orgId: this.orgId, home: this.locations[0] };
    const answer = await ledger.answer(
      { site, customer, entity, now: NOW, updates, reads: [], event },
      { ...EVENT, subjectIdentifier: customer },
    );
    if (answer.kind !== 'answered') throw new Error(answer.kind);
    return answer.outcomes[0]!;
  }

  /** Calls, credits, and calls of the entity. */
  async read(location: Location, customer: string, entity: string): Promise<readonly LedgerReading[]> {
    const { ledger } = await ledgerStub(env, this.#place(location, customer));
    const reads = [CALLS, CREDITS, { ...CALLS, ofEntity: true as const }];
    const answer = await ledger.read(reads, NOW, undefined, entity);
    if (answer.kind !== 'answered') throw new Error(answer.kind);
    return answer.readings;
  }

  async usedBy(location: Location, customer: string, entity: string): Promise<number[]> {
    return (await this.read(location, customer, entity)).map(({ used }) => used);
  }

  async hasSeat(customer: string, entity: string): Promise<boolean | undefined> {
    const { ledger } = await ledgerStub(env, this.#place('weur', customer));
    const read = { ...CALLS, ofEntity: true as const, seat: 'prop_seats' };
    const answer = await ledger.read([read], NOW, undefined, entity);
    return answer.kind === 'answered' ? answer.readings[0]?.isUnseated !== true : undefined;
  }

  ledgerOf(location: Location, customer: string) {
    return ledgerAt(env, { ...this.site(location), shard: shardOf(customer, SHARDS) });
  }

  entities(location: Location, customer: string, after: string | null, limit: number) {
    const place = this.#place(location, customer);
    return readEntities(env, place, { reads: [CALLS], after, limit, now: NOW });
  }

  async setAlias(location: Location, name: string, customerId: string): Promise<void> {
    const aliasOf = { integrationId: 'stripe_1', customerId };
    const facts = { version: 5, grants: [], overrides: [], aliasOf };
    await (await this.ledgerOf(location, name)).pushFacts(name, facts);
  }
}

it('survives an eviction, and a repetition under its key answers as at first', async () => {
  const here = new Accounts('weur');
  const key = { text: 'k', bodyHash: 'h' };
  const first = await here.count('weur', 'ada', 'user_7', { by: 3, key });
  expect(first).toMatchObject({ accepted: true, applied: 3 });
  await evict(await here.ledgerOf('weur', 'ada'));
  expect(await here.usedBy('weur', 'ada', 'user_7')).toEqual([3, 8, 3]);
  const again = await here.count('weur', 'ada', 'user_7', { by: 3, key });
  expect(again).toEqual({ ...first, replayed: true });
  expect(await here.usedBy('weur', 'ada', 'user_8')).toEqual([3, 8, 0]);
});

it('replicates an entity to a location that has only read it, and copies it to one that is enabled later', async () => {
  const here = new Accounts('weur', 'enam');
  expect(await here.usedBy('enam', 'ada', 'user_7')).toEqual([0, 0, 0]);
  await here.count('weur', 'ada', 'user_7', { by: 2 });
  await vi.waitFor(async () => expect(await here.usedBy('enam', 'ada', 'user_7')).toEqual([2, 5, 2]), 5_000);
  here.move('weur', 'enam', 'apac');
  expect(await here.usedBy('apac', 'ada', 'user_7')).toEqual([2, 5, 2]);
});

it('an alias’s entities become those of its customer, whatever their names', async () => {
  const here = new Accounts('weur');
  for (const name of ['ada@example.com', 'ws_9']) await here.count('weur', name, 'e@x', { by: 2 });
  await here.count('weur', 'cus_ada', 'e@x', { by: 1 });
  await here.setAlias('weur', 'ada@example.com', 'cus_ada');
  await here.count('weur', 'ada@example.com', 'cus_looking', { by: 4 });
  await vi.waitFor(async () => {
    expect(await here.usedBy('weur', 'cus_ada', 'e@x')).toEqual([7, 18, 3]);
    expect(await here.usedBy('weur', 'cus_ada', 'cus_looking')).toEqual([7, 18, 4]);
  }, 5_000);
  expect(await here.usedBy('weur', 'ws_9', 'e@x')).toEqual([2, 5, 2]);
});

it('lists a customer’s entities in pages, and no one else’s', async () => {
  const here = new Accounts('weur');
  for (const name of ['ada', 'ad', 'ada\u0001'])
    for (const entity of ['b', 'a', 'c']) await here.count('weur', name, entity, { by: 1 });
  const first = await here.entities('weur', 'ada', null, 2);
  expect(first.map(({ entity }) => entity)).toEqual(['a', 'b']);
  expect(first.map(({ readings }) => readings[0]?.used)).toEqual([1, 1]);
  expect((await here.entities('weur', 'ada', 'b', 2)).map(({ entity }) => entity)).toEqual(['c']);
});

it('what does not fit on one of them stores nothing on any', async () => {
  const here = new Accounts('weur');
  expect(await here.count('weur', 'ada', 'user_7', { by: 30, enforce: true })).toMatchObject({
    ...{ accepted: false, applied: 0 },
    also: [{ fits: false }, { fits: true }],
  });
  expect(await here.usedBy('weur', 'ada', 'user_7')).toEqual([0, 0, 0]);
  expect(await here.entities('weur', 'ada', null, 9)).toEqual([]);
});

it('holds on each of them, and gives all of it back when it ends', async () => {
  const here = new Accounts('weur');
  const hold = { kind: 'open', id: 'one', lastsMs: 60_000, orLess: false } as const;
  const made = await here.count('weur', 'ada', 'user_7', { by: 4, hold });
  expect(made).toMatchObject({ hold: { amount: 4, entity: 'user_7' } });
  await evict(await here.ledgerOf('weur', 'ada'));
  const held = (await here.read('weur', 'ada', 'user_7')).map((each) => each.held?.amount);
  expect(held).toEqual([4, 10, 4]);
  const name = made.kind === 'decided' ? made.hold!.name : '';
  const ledger = await here.ledgerOf('weur', 'ada');
  expect(await ledger.findHold(name)).toMatchObject({ customer: 'ada', hold: { entity: 'user_7' } });
  expect(await ledger.findHold(`${name}+0`)).toBeNull();
  const settle = { kind: 'settle', name, onExcess: 'overflow' } as const;
  expect(await here.count('weur', 'ada', 'user_7', { by: 1, hold: settle })).toMatchObject({
    ...{ applied: 1, hold: { settled: { amount: 1, released: 3 } } },
    also: [{ applied: 3 }, { applied: 1, entity: 'user_7' }],
  });
  expect(await here.usedBy('weur', 'ada', 'user_7')).toEqual([1, 3, 1]);
});

it('a resource is one of the entity, too', async () => {
  const here = new Accounts('weur');
  const seats = { state: 'metered', meter: SEATS } as const;
  const also = [{ propertyId: 'prop_calls', entity: 'user_7', value: seats }];
  const use = (resourceId: string) => here.count('weur', 'ada', 'user_7', { resourceId, value: seats, also });
  await use('r1');
  expect(await use('r1')).toMatchObject({ applied: 0, also: [{ applied: 0, reading: { used: 1 } }] });
});

it('an entity without a seat does not fit, and is told apart; with one it does', async () => {
  const here = new Accounts('weur');
  const also = [{ propertyId: 'prop_calls', entity: 'user_7', value, seat: 'prop_seats' }];
  const key = { text: 'k', bodyHash: 'h' };
  const use = (given: Partial<CounterUpdate> = {}) =>
    here.count('weur', 'ada', 'user_7', { by: 1, enforce: true, also, ...given });
  const refused = await use({ key });
  expect(refused).toMatchObject({ accepted: false, also: [{ fits: false, isUnseated: true }] });
  expect(await use({ key })).toEqual({ ...refused, replayed: true });
  expect(await use({ enforce: false })).toMatchObject({
    accepted: true,
    also: [{ fits: true, isUnseated: true }],
  });
  const seat = { propertyId: 'prop_seats', value: { state: 'on' }, also: [] } as const;
  expect(await here.hasSeat('ada', 'user_7')).toBe(false);
  await here.count('weur', 'ada', undefined, { ...seat, resourceId: 'user_7' });
  expect(await here.hasSeat('ada', 'user_7')).toBe(true);
  expect(await use()).toMatchObject({ accepted: true, also: [{ applied: 1 }] });
  await here.count('weur', 'ada', undefined, { ...seat, resourceId: 'user_7', release: true });
  expect(await here.hasSeat('ada', 'user_7')).toBe(false);
  expect(await use()).toMatchObject({ accepted: false, also: [{ isUnseated: true }] });
  const counted = { enforce: false, key: { text: 'counted', bodyHash: 'h' } };
  const beyond = await use(counted);
  expect(beyond).toMatchObject({ accepted: true, also: [{ fits: true, isUnseated: true }] });
  expect(await use(counted)).toEqual({ ...beyond, replayed: true });
  expect(await use({ by: -1 })).toMatchObject({ accepted: true, also: [{ applied: -1 }] });
});

it('counting what an entity has asks the customer’s table alone', async () => {
  const here = new Accounts('weur');
  await here.count('weur', 'ada', 'user_7', { by: 1 });
  await runInDurableObject(await here.ledgerOf('weur', 'ada'), ({ store }, { storage: { sql } }) => {
    const plan = sql
      .exec("EXPLAIN QUERY PLAN SELECT count(*) FROM customer WHERE identifier > 'a' AND identifier < 'b'")
      .toArray();
    expect(JSON.stringify(plan)).toContain('SEARCH customer USING COVERING INDEX');
    expect(store.countEntities('ada')).toBe(1);
  });
});
