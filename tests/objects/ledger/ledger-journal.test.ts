// The journal: what is counted is one row until it is folded into the buckets' table.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { evict } from '#tests/support/evict';
import { LIFETIME, NOW, TestEnvironment } from './ledger-calls';

const HOUR = 3_600_000;

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
async function fold(home: TestEnvironment): Promise<void> {
  const ledger = await home.ledger('weur');
  await runInDurableObject(ledger, (object) => {
    object.effects = { ...object.effects, now: () => Date.now() + 120_000 };
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
