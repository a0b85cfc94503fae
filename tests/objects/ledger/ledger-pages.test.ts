// What ledgers send each other fits a call, however much a customer has.
import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { CustomerRecords } from '#contracts/internal/ledger';
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
