// The tests inside workerd begin with a database made at once. It is the one that the migrations make one after the other.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { migratedDatabase } from '../support/migrated-database.ts';

const folder = resolve(import.meta.dirname, '../../migrations');

/** Every part with its text, and every row. */
function contentOf(database: DatabaseSync) {
  const parts = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name');
  const all = parts.all() as { type: string; name: string }[];
  const rows = all
    .filter(({ type }) => type === 'table')
    .map(({ name }) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]);
  return { parts: all, rows };
}

test('the database of the tests is what all migrations make', () => {
  const migrated = new DatabaseSync(':memory:');
  for (const name of readdirSync(folder)
    .filter((each) => each.endsWith('.sql'))
    .sort())
    migrated.exec(readFileSync(join(folder, name), 'utf8'));
  const made = new DatabaseSync(':memory:');
  for (const statement of migratedDatabase(folder)) made.exec(statement);
  expect(contentOf(made)).toEqual(contentOf(migrated));
});
