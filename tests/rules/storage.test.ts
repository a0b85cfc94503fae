// Code of the last release runs on what today's code has stored: reader one release before the writer.
import { describe, expect, test } from 'vitest';
import {
  formatStatements,
  readStatements,
  STATEMENTS_PATH,
  statementProblems,
} from '../../dev/release/storage-statements.ts';
import { readSource } from './source-tree.ts';

test('the last release opens what the objects store today', async () => {
  const classes = await readStatements();
  expect(Object.keys(classes)).toEqual(['environment-replica', 'event-stream', 'ledger']);
  expect(statementProblems(classes, readSource(STATEMENTS_PATH))).toEqual([]);
});

describe('the checker', () => {
  const released = formatStatements({
    ledger: { migrations: ['CREATE TABLE a (id)'], announced: ['DROP TABLE a'] },
  });
  const base = ['CREATE TABLE a (id)', 'DROP TABLE a'];
  const problemsOf = (...migrations: string[]) =>
    statementProblems({ ledger: { migrations } }, released).join();

  test.each([
    ['CREATE TABLE b (id INTEGER PRIMARY KEY);\nCREATE INDEX b_id ON b (id)'],
    ['ALTER TABLE b ADD COLUMN note TEXT'],
    ["ALTER TABLE b ADD COLUMN note TEXT NOT NULL DEFAULT ''"],
    ['CREATE VIRTUAL TABLE words USING fts5(terms)'],
  ])('allows %s', (sql) => expect(problemsOf(...base, `-- additive\n${sql};`)).toBe(''));

  test.each([
    'DROP TABLE b',
    'UPDATE b SET note = 1',
    'INSERT INTO b VALUES (1)',
    'CREATE UNIQUE INDEX b_id ON b (id)',
    'CREATE TRIGGER t AFTER INSERT ON b BEGIN DELETE FROM b',
    'CREATE TABLE c AS SELECT * FROM b',
    'ALTER TABLE b ADD COLUMN note TEXT NOT NULL',
    'ALTER TABLE b RENAME COLUMN id TO number',
    'ALTER TABLE b ADD COLUMN note TEXT CHECK (note > 1)',
    'ALTER TABLE b ADD COLUMN note TEXT; DROP TABLE c',
  ])('refuses %s', (sql) =>
    expect(problemsOf(...base, `-- additive\n${sql}`)).toMatch(/statement 2 is not additive/),
  );

  test('refuses a statement without the mark', () =>
    expect(problemsOf(...base, 'ALTER TABLE b ADD COLUMN note TEXT')).toMatch(/statement 2 is not additive/));

  test('allows what the last release announced, and an announcement', () => {
    expect(problemsOf(...base)).toBe('');
    const next = { migrations: base, announced: ['DROP TABLE b'] };
    expect(statementProblems({ ledger: next }, released)).toEqual([]);
  });

  test('refuses what was edited or removed', () => {
    expect(problemsOf('CREATE TABLE a (key)', 'DROP TABLE a')).toMatch(/statement 0 was edited/);
    expect(problemsOf('CREATE TABLE a (id)')).toMatch(/statement 1 was edited or removed/);
    expect(statementProblems({}, released).join()).toMatch(/statement 0 was edited or removed/);
  });

  test('allows anything of a new class', () =>
    expect(
      statementProblems({ fresh: { migrations: ['CREATE TABLE a (id)'] } }, released).join(),
    ).not.toMatch(/fresh/));
});
