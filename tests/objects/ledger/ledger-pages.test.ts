// What ledgers send each other fits a call, however much a customer has.
import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type {
  CopyPosition,
  CustomerRecords,
  KeyRecord,
  Register,
  ResourceUse,
  UsageBucket,
} from '#contracts/internal/ledger';
import { PageRoom } from '#objects/ledger/page-room';
import { SqliteLedgerStore } from '#objects/ledger/sqlite-ledger-store';
import { LIFETIME, NOW, SEATS, TestEnvironment, update } from './ledger-calls';

const CUSTOMERS = ['ada', 'bob', 'eve'];
const BUCKETS = 5_000;
const MAX_BYTES = 1_200_000;
const MAX_RECORDS = 2_100;

/** Customers with buckets of an earlier incarnation, a pending bucket, long keys and resources. */
async function crowd(home: TestEnvironment) {
  for (const customer of CUSTOMERS) {
    const updates = Array.from({ length: 300 }, (_, index) => index).flatMap((index) => [
      update({ key: { text: `key-${index}`, bodyHash: 'x'.repeat(4_000) } }),
      update({ resourceId: `resource-${index}`, value: { state: 'metered', meter: SEATS } }),
    ]);
    await home.call('weur', { customer, updates });
  }
  await runInDurableObject(await home.ledger('weur'), (_object, state) => {
    const { sql } = state.storage;
    sql.exec("INSERT INTO name (text) VALUES ('weur/earlier')");
    sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO cell (customer, property, origin, start, width, amount, version)
       SELECT c.id, (SELECT id FROM name WHERE text = 'prop_calls'), (SELECT id FROM name WHERE text = 'weur/earlier'), i, 0, 1, i
       FROM n, customer c`,
      BUCKETS,
    );
  });
}

function sizeOf(customers: readonly CustomerRecords[]): { records: number; bytes: number } {
  const records = customers.reduce(
    (sum, { buckets, holds, keys }) => sum + buckets.length + holds.length + keys.length,
    0,
  );
  return { records, bytes: JSON.stringify(customers).length };
}

function expectSmall(sizes: readonly { records: number; bytes: number }[]): void {
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.max(...sizes.map(({ bytes }) => bytes))).toBeLessThan(MAX_BYTES);
  expect(Math.max(...sizes.map(({ records }) => records))).toBeLessThan(MAX_RECORDS);
}

async function expectComplete(home: TestEnvironment, from: 'weur' | 'apac', customer: string): Promise<void> {
  // Of each pair of updates, both count as uses.
  expect(await home.used(from, LIFETIME, NOW, customer)).toBe(BUCKETS + 600);
  expect(await home.used(from, SEATS, NOW, customer)).toBe(300);
}

it('a hand-off is a number of small batches, and loses nothing', async () => {
  const home = new TestEnvironment('weur', 'apac');
  await crowd(home);
  const sizes: { records: number; bytes: number }[] = [];
  home.generation += 1;
  const closed = { ...home.site('weur'), locations: ['apac' as const] };
  const ledger = await home.ledger('weur');
  await runInDurableObject(ledger, async (object) => {
    const { effects } = object;
    object.effects = {
      ...effects,
      receive: (site, batch) => {
        sizes.push(sizeOf(batch.customers));
        return effects.receive(site, batch);
      },
    };
    for (let runs = 0; !(await object.drain(closed)).isDrained; runs++) expect(runs).toBeLessThan(5);
  });
  expectSmall(sizes);
  home.locations.splice(0, 1);
  for (const customer of CUSTOMERS) await expectComplete(home, 'apac', customer);
});

it('a customer is copied in small pages, also while a bucket is pending, and whole', async () => {
  const home = new TestEnvironment('weur', 'apac');
  await crowd(home);
  const sizes: { records: number; bytes: number }[] = [];
  await home.call('weur', { customer: 'ada', updates: [update({ by: 7 })] });
  await runInDurableObject(await home.ledger('apac'), (object) => {
    const { effects } = object;
    object.effects = {
      ...effects,
      copy: async (site, request) => {
        const page = await effects.copy(site, request);
        sizes.push(sizeOf([page.records]));
        return page;
      },
    };
  });
  await expect.poll(() => home.used('apac', LIFETIME, NOW, 'ada')).toBe(BUCKETS + 607);
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes.map(({ bytes }) => bytes))).toBeLessThan(MAX_BYTES);
  expect(Math.max(...sizes.map(({ records }) => records))).toBeLessThan(MAX_RECORDS);
});

it('beside a silent peer, only the first use of a customer waits, and every one if it answers again', async () => {
  const home = new TestEnvironment('weur', 'apac');
  await home.call('apac', { customer: 'ada', updates: [update({ by: 4 })] });
  let copies = 0;
  let waits = 0;
  let now = Date.now();
  const ledger = await home.ledger('weur');
  const heal = await runInDurableObject(ledger, (object) => {
    const { effects } = object;
    object.effects = {
      ...effects,
      now: () => now,
      copy: () => {
        copies += 1;
        return new Promise(() => {});
      },
      wait: async () => {
        waits += 1;
        await scheduler.wait(10);
      },
    };
    return () => {
      object.effects = { ...effects, now: () => now };
    };
  });
  for (const customer of ['ada', 'ada', 'bob', 'eve']) {
    expect(await home.call('weur', { customer, meters: [LIFETIME] })).toMatchObject({ isWhole: false });
  }
  expect([copies, waits]).toEqual([1, 1]);
  now += 1_000;
  await runInDurableObject(ledger, heal);
  expect(await home.used('weur', LIFETIME, NOW, 'ada')).toBe(4);
});

const ORIGINS = ['weur/a', 'apac/b'];

const bucketOf = (propertyId: string, start: number): UsageBucket => ({
  propertyId,
  start,
  origin: 'weur/a',
  width: 0,
  amount: 1,
  version: start,
});

const keyOf = (text: string, origin: string): KeyRecord => ({
  text,
  origin,
  at: 1,
  bodyHash: 'hash',
  accepted: true,
  applied: 1,
  counted: 1,
  minute: 1,
  value: { state: 'on' },
  reading: null,
  propertyId: 'prop_calls',
  holdChange: null,
  isReverted: false,
  version: 1,
});

const resourceUseOf = (propertyId: string, resourceId: string, origin: string): ResourceUse => ({
  propertyId,
  resourceId,
  origin,
  stamp: 1,
  at: 1,
  isHeld: true,
  key: null,
  version: 1,
});

const registerOf = (name: string, origin: string): Register => ({
  kind: 'hold',
  name,
  origin,
  stamp: 1,
  isOpen: true,
  until: 1,
  body: '{}',
  version: 1,
});

/** All but buckets have records of two origins. The last bucket is pending. */
function recordsOf(
  customer: string,
  [buckets = 0, keys = 0, uses = 0, registers = 0]: readonly number[],
): Required<Omit<CustomerRecords, 'aliasOf'>> {
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  return {
    customer,
    buckets: upTo(buckets).map((start) => bucketOf(`prop_${start % 2}`, start)),
    keys: upTo(keys).flatMap((n) => ORIGINS.map((origin) => keyOf(`key-${n}`, origin))),
    holds: upTo(uses).flatMap((n) =>
      ORIGINS.map((origin) => resourceUseOf(`prop_${n % 2}`, `seat-${n}`, origin)),
    ),
    registers: upTo(registers).flatMap((n) => ORIGINS.map((origin) => registerOf(`hold-${n}`, origin))),
  };
}

function put(
  store: SqliteLedgerStore,
  { customer, buckets, keys, holds, registers = [] }: CustomerRecords,
): void {
  store.transaction(() => {
    for (const bucket of buckets.slice(0, -1)) store.putBucket(customer, bucket, null);
    store.putOwn(customer, { buckets: buckets.slice(-1), removed: [] });
    for (const key of keys) store.putKey(customer, key, null);
    for (const use of holds) store.putUse(customer, use, 'weur/a', false, null);
    for (const register of registers) store.putRegister(customer, register, null);
  });
}

/** All records of the pages from a position on, as texts. */
function copied(
  store: SqliteLedgerStore,
  customer: string,
  roomOf: () => PageRoom,
  from: CopyPosition | null = null,
): string[] {
  const texts: string[] = [];
  let after = from;
  for (let pages = 0; pages < 100; pages++) {
    const { records, next } = store.copyOf(customer, after, roomOf());
    texts.push(...textsOf(records));
    if (next === null) return texts.sort();
    after = next;
  }
  throw new Error('The copy does not end');
}

function textsOf({ buckets, keys, holds, registers = [] }: Omit<CustomerRecords, 'customer'>): string[] {
  const text = (record: object) => JSON.stringify(Object.entries(record).sort());
  return [...buckets, ...keys, ...holds, ...registers].map(text).sort();
}

function storeIn(state: DurableObjectState): SqliteLedgerStore {
  const store = new SqliteLedgerStore(state.storage);
  const site = new TestEnvironment('weur').site('weur');
  store.saveState({ origin: 'weur/a', sequence: 100, site, retired: [], peers: [] });
  return store;
}

it('the pages of a copy contain every record once, wherever a page ends, and reading them stores nothing', async () => {
  const ledger = await new TestEnvironment('weur').ledger('weur');
  await runInDurableObject(ledger, (_object, state) => {
    const store = storeIn(state);
    for (let shape = 0; shape < 108; shape++) {
      const counts = [
        shape % 4,
        Math.floor(shape / 4) % 3,
        Math.floor(shape / 12) % 3,
        Math.floor(shape / 36),
      ];
      const records = recordsOf(`customer-${shape}`, counts);
      put(store, records);
      const names = state.storage.sql.exec('SELECT text FROM name').toArray();
      const stored = store.copyOf(records.customer, null, new PageRoom()).records;
      let bytes = 0;
      const { buckets, keys, holds, registers = [] } = stored;
      for (const [index, record] of [...buckets, ...keys, ...holds, ...registers].entries()) {
        bytes += JSON.stringify(record).length;
        const rooms = [() => new PageRoom(index + 1), () => new PageRoom(100, bytes)];
        for (const roomOf of rooms) {
          const context = `${counts} records, pages of ${index + 1} records or ${bytes} bytes`;
          expect(copied(store, records.customer, roomOf), context).toEqual(textsOf(records));
        }
      }
      expect(state.storage.sql.exec('SELECT text FROM name').toArray()).toEqual(names);
    }
  });
});

it('a copy continues from a position of an earlier version that precedes the first use', async () => {
  const ledger = await new TestEnvironment('weur').ledger('weur');
  await runInDurableObject(ledger, (_object, state) => {
    const store = storeIn(state);
    const records = recordsOf('ada', [2, 2, 3]);
    put(store, records);
    const after = { kind: 'holds', propertyId: '', resourceId: '' } as const;
    const uses = textsOf({ ...records, buckets: [], keys: [] });
    expect(copied(store, 'ada', () => new PageRoom(2), after)).toEqual(uses);
    // The earlier version has stored the empty name.
    state.storage.sql.exec("INSERT INTO name (text) VALUES ('')");
    expect(copied(store, 'ada', () => new PageRoom(2), after)).toEqual(uses);
  });
});
