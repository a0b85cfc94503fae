// An object opens what its own release, the one before and the one after stored, and nothing else.
import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { migrations as ledgerMigrations } from '#objects/ledger/schema';
import { ADDITIVE, migrate } from '#objects/storage';
import { TestEnvironment } from './ledger/ledger-calls.ts';

const base = ['CREATE TABLE a (id INTEGER PRIMARY KEY)', 'CREATE TABLE b (id INTEGER PRIMARY KEY)'];
const additive = `${ADDITIVE}ALTER TABLE a ADD COLUMN note TEXT`;
const other = 'DROP TABLE b';
const unknown = /unknown to this version/;

/** Opens one storage with lists of migrations, one after the other, and returns its columns of `a` and the number of applied statements. */
async function opened(...openings: readonly (readonly [readonly string[], (readonly string[])?])[]) {
  const ledger = await new TestEnvironment('weur').ledger('weur');
  return runInDurableObject(ledger, (_, { storage }) => {
    for (const [list, announced] of openings) migrate(storage, list, announced);
    return {
      columns: storage.sql.exec('PRAGMA table_info(a)').toArray().length,
      applied: storage.sql.exec('SELECT 1 FROM _migration').toArray().length,
    };
  });
}

test('a state with an additive statement that it does not know is opened, and the statement stays', async () => {
  expect(await opened([[...base, additive]], [base])).toEqual({ columns: 2, applied: 3 });
  expect(await opened([[...base, additive]], [base], [[...base, additive]])).toEqual({
    columns: 2,
    applied: 3,
  });
});

test('a state with another statement that it does not know is refused', async () => {
  await expect(opened([[...base, other]], [base])).rejects.toThrow(unknown);
  await expect(opened([[...base, additive, other]], [base])).rejects.toThrow(unknown);
});

test('a statement that was announced is known and is not applied', async () => {
  expect(await opened([base, [other]])).toEqual({ columns: 1, applied: 2 });
  expect(await opened([[...base, other]], [base, [other]])).toEqual({ columns: 1, applied: 3 });
  expect(await opened([[...base, other, additive]], [base, [other]])).toEqual({ columns: 2, applied: 4 });
  await expect(opened([[...base, 'DROP TABLE a']], [base, [other]])).rejects.toThrow(unknown);
});

test('an edited statement is refused, additive or not', async () => {
  await expect(opened([[...base, additive]], [[...base, `${additive};`]])).rejects.toThrow(unknown);
  await expect(opened([base], [base.toReversed()])).rejects.toThrow(unknown);
});

test('a ledger counts and reads on in a state that the next release has added to', async () => {
  const home = new TestEnvironment('weur');
  const ledger = await home.ledger('weur');
  const next = `${ADDITIVE}ALTER TABLE cell ADD COLUMN note TEXT; ALTER TABLE outbox ADD COLUMN note TEXT NOT NULL DEFAULT '';
    ALTER TABLE key ADD COLUMN note TEXT; ALTER TABLE self ADD COLUMN note TEXT; CREATE TABLE more (id INTEGER PRIMARY KEY)`;
  await runInDurableObject(ledger, (_, { storage }) => migrate(storage, [...ledgerMigrations, next]));
  await home.update('weur', { by: 2 });
  await home.update('weur', { by: 3 });
  expect(await home.used('weur')).toBe(5);
});
