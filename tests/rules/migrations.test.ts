// Migrations are only ever appended: an edited one would leave databases that differ without anybody knowing.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { problemsOf, referencedTables } from './migration-problems.ts';
import { listFiles, readSource } from './source-tree.ts';

// The format of sha256sum: the hash, two spaces, the name; one line for each migration, in their order.
const [unchecked = '', checked = ''] = readSource('tests/rules/migrations.lock').split(/^#.*\n/m);
const linesOf = (text: string) => text.split('\n').filter(Boolean);
const landed = [...linesOf(unchecked), ...linesOf(checked)];
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

describe('the checker', () => {
  const referenced = new Set(
    referencedTables('`org_id` text REFERENCES `organization`(`id`), FOREIGN KEY (a) REFERENCES plan(id)'),
  );
  const problemOf = (sql: string) => problemsOf(sql, referenced).join();

  test.each([
    ['PRAGMA foreign_keys=OFF;', 'PRAGMA'],
    ['ALTER TABLE a ADD b text; pragma foreign_keys = on', 'PRAGMA'],
    ['DROP TABLE `organization`;', 'drops organization'],
    ['drop table if exists plan', 'drops plan'],
    ['DROP TABLE main.plan', 'drops plan'],
    ['DROP TABLE "main"."plan"', 'drops plan'],
    ["DROP TABLE 'plan'", 'drops plan'],
    ["DROP TABLE IF EXISTS main . /* it's */ 'plan';", 'drops plan'],
    ['UPDATE `user` SET `sudo` = 0;', 'without a LIMIT'],
    ["UPDATE a SET b = 'LIMIT 5'", 'without a LIMIT'],
    ['UPDATE a SET b = (SELECT c FROM d WHERE d.id = a.id LIMIT 1)', 'without a LIMIT'],
    ['UPDATE a SET b = 1 WHERE id IN (SELECT id FROM a LIMIT 5) OR b = 2', 'without a LIMIT'],
    ['DELETE FROM a WHERE id NOT IN (SELECT id FROM a LIMIT 5)', 'without a LIMIT'],
    ['DELETE FROM a WHERE id IN (SELECT id FROM a WHERE b = (SELECT c FROM d LIMIT 1))', 'without a LIMIT'],
    ['DELETE FROM a WHERE b = 1 -- LIMIT 5', 'without a LIMIT'],
    ['INSERT INTO a SELECT * FROM b', 'without a LIMIT'],
    ['INSERT INTO a SELECT * FROM b WHERE x IN (SELECT y FROM z LIMIT 1)', 'without a LIMIT'],
    ['WITH c AS (SELECT 1) INSERT INTO a SELECT * FROM c', 'without a LIMIT'],
    ['REPLACE INTO a SELECT * FROM b', 'without a LIMIT'],
    ['CREATE TABLE a AS SELECT * FROM b', 'without a LIMIT'],
    ['CREATE TABLE a AS SELECT * FROM (SELECT * FROM b LIMIT 1) JOIN c', 'without a LIMIT'],
    [
      'CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; END; UPDATE a SET b = 1',
      'without a LIMIT',
    ],
  ])('refuses %s', (sql, problem) => expect(problemOf(sql)).toContain(problem));

  test.each([
    'CREATE TABLE a (id text PRIMARY KEY, plan_id text REFERENCES plan(id) ON DELETE CASCADE ON UPDATE CASCADE);',
    'DROP TABLE `unreferenced`;',
    "INSERT INTO a (id) VALUES (1, 'SELECT');",
    'UPDATE a SET b = 1 WHERE id IN (SELECT id FROM a ORDER BY id LIMIT 1000);',
    'DELETE FROM a WHERE (b, c) IN (SELECT b, c FROM a WHERE NOT EXISTS (SELECT 1 FROM d) LIMIT 1000) AND e IS NOT NULL;',
    'INSERT INTO a (id) SELECT id FROM b WHERE c IN (SELECT id FROM d) LIMIT 1000;',
    'CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET b = CASE WHEN 1 THEN 2 END WHERE id = NEW.id; DELETE FROM c; END;',
    '-- UPDATE a SET b = 1\nALTER TABLE a ADD b integer DEFAULT 0 NOT NULL;',
  ])('allows %s', (sql) => expect(problemOf(sql)).toBe(''));
});

test('no migration drops what is referenced, writes rows without a bound, or has a PRAGMA', () => {
  const paths = listFiles(['migrations'], /\.sql$/);
  const first = linesOf(unchecked).length;
  expect(first).toBe(45); // Those before the rule; it is never more.
  const problems = paths.slice(first).flatMap((path) => {
    const before = paths
      .slice(0, paths.indexOf(path) + 1)
      .map(readSource)
      .join('\n');
    return problemsOf(readSource(path), new Set(referencedTables(before))).map((each) => `${path} ${each}`);
  });
  expect(problems).toEqual([]);
});

test('of the migrations before that rule, it would have found those that did so', () => {
  const found = linesOf(unchecked)
    .map((line) => line.slice(66))
    .filter((name) => problemsOf(readSource(`migrations/${name}`), new Set(['invitation'])).length > 0);
  expect(found).toEqual(expect.arrayContaining(['0031_link_prices_to_plans.sql', '0018_list_customers.sql']));
});
