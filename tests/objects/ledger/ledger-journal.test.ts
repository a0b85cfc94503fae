// The journal: what is counted is one row until it is folded into the buckets' table.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it, vi } from 'vitest';
import { migrations } from '#objects/ledger/schema';
import { SqliteLedgerStore } from '#objects/ledger/sqlite-ledger-store';
import { migrate } from '#objects/storage';
import { evict } from '#tests/support/evict';
import { LIFETIME, NOW, TestEnvironment } from './ledger-calls';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Stored {
  readonly cells: number;
  readonly rows: number;
}

async function stored(home: TestEnvironment): Promise<Stored> {
  const count = (sql: SqlStorage, table: string) => sql.exec(`SELECT 1 FROM ${table}`).toArray().length;
  return runInDurableObject(await home.ledger('weur'), (_object, { storage: { sql } }) => ({
    cells: count(sql, 'cell'),
    rows: count(sql, 'outbox'),
  }));
}

/** Runs the alarm at a time when the journal is due. */
async function fold(home: TestEnvironment, minutes = 2): Promise<void> {
  const ledger = await home.ledger('weur');
  await runInDurableObject(ledger, (object) => {
    object.effects = { ...object.effects, now: () => Date.now() + minutes * MINUTE };
  });
  await runDurableObjectAlarm(ledger);
}

it('usage is in the journal alone until the alarm folds it, and survives evictions before and after', async () => {
  const home = new TestEnvironment('weur');
  for (let count = 0; count < 20; count++) await home.update('weur', { by: 2 });
  expect(await stored(home)).toMatchObject({ cells: 0 });
  await evict(await home.ledger('weur'));
  expect(await home.used('weur')).toBe(40);
  await home.update('weur', { by: 1 });
  await fold(home);
  expect(await stored(home)).toEqual({ cells: 1, rows: 0 });
  await evict(await home.ledger('weur'));
  expect(await home.used('weur')).toBe(41);
  await home.update('weur', { by: -11 });
  await evict(await home.ledger('weur'));
  expect(await home.used('weur')).toBe(30);
});

it('a bucket that was merged into a wider one does not come back from the journal', async () => {
  const home = new TestEnvironment('weur');
  for (let minute = 0; minute < 30; minute++) {
    for (const hours of [0, 30 * 24])
      await home.update('weur', { by: 1 }, NOW + hours * HOUR + minute * 60_000);
  }
  for (let round = 0; round < 2; round++) {
    await evict(await home.ledger('weur'));
    expect(await home.used('weur', { ...LIFETIME, limit: 1000 }, NOW + 31 * 24 * HOUR)).toBe(60);
    await home.update('weur', { by: 0 }, NOW + 30 * 24 * HOUR + 40 * 60_000);
  }
  await fold(home);
  expect(await home.used('weur', { ...LIFETIME, limit: 1000 }, NOW + 31 * 24 * HOUR)).toBe(60);
});

it('a peer receives what is in the journal, and again what changed after it was folded', async () => {
  const home = new TestEnvironment('weur', 'apac');
  await home.update('weur', { by: 3 });
  await runDurableObjectAlarm(await home.ledger('weur'));
  expect(await home.used('apac')).toBe(3);
  await fold(home);
  await home.update('weur', { by: 4 });
  await evict(await home.ledger('weur'));
  await home.used('weur');
  await runDurableObjectAlarm(await home.ledger('weur'));
  expect(await home.used('apac')).toBe(7);
});

/** Own buckets as they replicate, in `cell`: `relay` is null in those that all peers have. */
async function folded(home: TestEnvironment): Promise<{ version: number; relay: number | null }[]> {
  return runInDurableObject(await home.ledger('weur'), (_object, { storage: { sql } }) =>
    sql
      .exec<{ version: number; relay: number | null }>('SELECT version, relay FROM cell ORDER BY version')
      .toArray(),
  );
}

it('a version is assigned once, also if every row that tells of it was folded before an eviction', async () => {
  const home = new TestEnvironment('weur');
  const ledger = await home.ledger('weur');
  for (const version of [1, 2, 3]) {
    await home.update('weur', { by: 1 });
    await runInDurableObject(ledger, ({ store }) => store.journal.fold());
    expect(await folded(home)).toEqual([{ version, relay: null }]);
    await evict(ledger);
  }
});

it('a bucket is in no index once all peers have it; one that a peer lacks is, and is sent after an eviction', async () => {
  const home = new TestEnvironment('weur', 'apac', 'sam');
  await home.update('weur', { by: 1 });
  for (const location of home.locations) await home.used(location);
  await fold(home);
  expect(await folded(home)).toEqual([{ version: 1, relay: null }]);
  const ledger = await home.ledger('weur');
  await runInDurableObject(ledger, (object) => {
    const { effects } = object;
    const receive: typeof effects.receive = (site, batch) =>
      site.location === 'sam' ? Promise.reject(new Error('unreachable')) : effects.receive(site, batch);
    object.effects = { ...effects, receive };
  });
  await home.update('weur', { by: 2 });
  await fold(home, 4);
  expect(await folded(home)).toEqual([{ version: 2, relay: 2 }]);
  expect([await home.used('apac'), await home.used('sam')]).toEqual([3, 1]);
  await evict(ledger);
  await home.used('weur');
  await runDurableObjectAlarm(ledger);
  expect(await home.used('sam')).toBe(3);
});

it('an update writes one row in each location, and what its alarm writes is shared', async () => {
  const home = new TestEnvironment('weur', 'apac', 'sam');
  // How far a location is settled is stored every ten minutes.
  const clock = { now: Math.ceil(Date.now() / (10 * MINUTE)) * 10 * MINUTE };
  const written = new Map<string, () => number>();
  for (const location of home.locations) {
    await runInDurableObject(await home.ledger(location), (object, { storage: { sql } }) => {
      object.effects = { ...object.effects, now: () => clock.now };
      const { results } = vi.spyOn(sql, 'exec').mock;
      const rows = () => results.map(({ value }) => (value as SqlStorageCursor<never>).rowsWritten);
      written.set(location, () => rows().reduce((sum, count) => sum + count, 0));
    });
  }
  const rows = () => home.locations.map((location) => written.get(location)?.() ?? 0);
  const reach = (used: number) =>
    vi.waitFor(async () => {
      for (const location of home.locations)
        expect(await home.used(location, LIFETIME, NOW + HOUR)).toBe(used);
    }, 5_000);
  for (const used of [1, 2, 3]) {
    await home.update('weur', { by: 1 });
    await reach(used);
  }
  clock.now += 2 * MINUTE;
  const [counted = 0] = rows();
  await runDurableObjectAlarm(await home.ledger('weur'));
  const before = rows();
  // The bucket, the deleted row, and what all peers have acknowledged.
  expect(before[0]).toBe(counted + 3);
  await home.update('weur', { by: 1 }, NOW + HOUR);
  await reach(4);
  expect(rows()).toEqual(before.map((count) => count + 1));
});

it('what a peer lacks of an earlier version replicates, and nothing else', async () => {
  const ledger = await new TestEnvironment('weur').ledger('weur');
  const changes = await runInDurableObject(ledger, (_object, { storage }) => {
    migrate(storage, migrations.slice(0, 8));
    storage.sql.exec(`
      INSERT INTO self (id, origin, sequence, site) VALUES (1, 'weur/a', 1000, '{}');
      INSERT INTO peer (location, body) VALUES ('apac', '{"cursor":9}'), ('sam', '{"cursor":2,"handedOver":5}');
      INSERT INTO name (id, text) VALUES (1, 'prop'), (2, 'weur/a'), (3, 'apac/b');
      INSERT INTO customer (id, identifier) VALUES (1, 'ada');
      INSERT INTO cell (customer, property, origin, start, width, amount, version)
        VALUES (1, 1, 2, 0, 0, 1, 2), (1, 1, 2, 1, 0, 1, 3), (1, 1, 3, 0, 0, 1, 7);
      INSERT INTO mark (customer, property, resource, origin, stamp, at, is_held, counts, version)
        VALUES (1, 1, 'seat', 2, 1, 1, 1, 1, 4), (1, 1, 'seat', 3, 1, 1, 1, 0, 8);
      INSERT INTO key (customer, text, origin, at, body, version)
        VALUES (1, 'order', 2, 1, '[]', 1), (1, 'order', 3, 1, '[]', 9);`);
    const store = new SqliteLedgerStore(storage);
    expect(store.loadState()).toMatchObject({
      sequence: 1000,
      peers: [{ cursor: 9 }, { cursor: 2, handoffCursor: 5 }],
    });
    return store.changesAfter(0, 100);
  });
  expect(changes).toMatchObject({
    customers: [{ buckets: [{ version: 3 }], holds: [{ version: 4 }], keys: [] }],
    upTo: 4,
    isAll: true,
  });
});
