// Migrations are only ever appended: an edited one would leave databases that differ without anybody knowing.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles, readSource } from './source-tree.ts';

// The format of sha256sum: the hash, two spaces, the name; one line for each migration, in their order.
const landed = readSource('tests/rules/migrations.lock').split('\n').filter(Boolean);
const present = listFiles(['migrations'], /\.sql$/).map(
  (path) => `${createHash('sha256').update(readSource(path)).digest('hex')}  ${basename(path)}`,
);

test('a migration that has landed is never edited, renamed or removed', () => {
  expect(present.slice(0, landed.length)).toEqual(landed);
});

test('every migration is in the lock', () => {
  const missing = present.slice(landed.length);
  expect(missing, `Append to tests/rules/migrations.lock:\n${missing.join('\n')}\n`).toEqual([]);
});

test('migrations are numbered without gaps and named by what they do', () => {
  const names = present.map((line) => line.slice(66));
  expect(names.filter((name) => !/^\d{4}_[a-z0-9]+(_[a-z0-9]+)+\.sql$/.test(name))).toEqual([]);
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index));
});
