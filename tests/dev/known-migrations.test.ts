// A version never serves data that a newer one has migrated.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUnknown, readOwnMigrations, recordMigrations } from '../../dev/start/known-migrations.ts';
import { importsOf, listFiles, readSource } from '../rules/source-tree.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-migrations-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const record = () => JSON.parse(readFileSync(join(folder, 'migrations.json'), 'utf8'));

test.each([
  ['nothing', {}, null],
  ['what is known', { d1: ['0000_a.sql'], ledger: ['aa', 'bb'] }, null],
  ['fewer', { d1: [], ledger: ['aa'] }, null],
  ['one more of D1', { d1: ['0000_a.sql', '0001_b.sql'] }, 'd1: 0001_b.sql'],
  ['one more of an object', { ledger: ['aa', 'bb', 'cc'] }, 'ledger: cc'],
  ['another text in the same place', { ledger: ['aa', 'dd'] }, 'ledger: dd'],
  ['an object of its own', { archive: ['ee'] }, 'archive: ee'],
])('data with %s is compared with what the version knows', (_, recorded, unknown) => {
  expect(findUnknown(recorded, { d1: ['0000_a.sql'], ledger: ['aa', 'bb'] })).toBe(unknown);
});

test('data of an earlier version is taken, and the record then names what this version knows', async () => {
  const own = await readOwnMigrations();
  writeFileSync(join(folder, 'migrations.json'), JSON.stringify({ d1: own.d1?.slice(0, 3) }));
  await recordMigrations(folder);
  expect(record()).toEqual(own);
});

test.each(['d1', 'ledger', 'event-stream', 'environment-replica'])(
  'data with a later migration of %s is refused, and its record stays',
  async (list) => {
    const own = await readOwnMigrations();
    const newer = { ...own, [list]: [...(own[list] ?? []), 'later'] };
    writeFileSync(join(folder, 'migrations.json'), JSON.stringify(newer));
    await expect(recordMigrations(folder)).rejects.toThrow(
      /newer version of Tessera.*git pull.*TESSERA_STATE/,
    );
    expect(record()).toEqual(newer);
  },
);

test('every object that migrates its storage has its list where the record looks for it', () => {
  const migrating = listFiles(['durable-objects']).filter(
    (path) => /\bmigrate\(this/.test(readSource(path)) || /\bmigrate\(ctx/.test(readSource(path)),
  );
  expect(migrating.length).toBeGreaterThan(3);
  for (const path of migrating)
    expect(
      importsOf(path).map(({ specifier }) => specifier),
      path,
    ).toContain('./schema.ts');
});

test.each(['{', 'null', '', '{"d1":"0000_a.sql"}', '[1]'])('a damaged record, %j, is named', async (text) => {
  writeFileSync(join(folder, 'migrations.json'), text);
  await expect(recordMigrations(folder)).rejects.toThrow(/migrations\.json is damaged\. Delete it if/);
});
