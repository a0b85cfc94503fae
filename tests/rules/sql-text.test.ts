// SQLite prepares a statement again each time that a parameter of LIMIT, LIKE or GLOB is bound, which takes longer than to run it.
import { expect, test } from 'vitest';
import { listFiles, readSource } from './source-tree.ts';

/** In text: a parameter of SQL, or a value that Drizzle's template makes one. Numbers in the text of objects' statements are none. */
const objects = /\b(?:LIMIT|LIKE|GLOB) \?/;
const worker = /\b(?:LIMIT|LIKE|GLOB) (?:\?|\$\{)|\bi?like\(/;

const isPreparedAgain = (path: string, source: string) =>
  (path.startsWith('worker/') ? worker : objects).test(source) && path !== 'worker/db/limit-to.ts';

test.each([
  ['worker/a.ts', `SELECT a FROM b LIMIT \${MAX_ROWS}`, true],
  ['worker/a.ts', 'like(table.name, text)', true],
  ['worker/a.ts', `SELECT a FROM b \${limitTo(MAX_ROWS)}`, false],
  ['durable-objects/a.ts', "'SELECT a FROM b LIMIT ?'", true],
  ['durable-objects/a.ts', "'SELECT a FROM b LIMIT 0 + ?'", false],
  ['durable-objects/a.ts', `SELECT a FROM b LIMIT \${MAX_ROWS}`, false],
])('%s: %s', (path, source, isFound) => expect(isPreparedAgain(path, source)).toBe(isFound));

test('no statement has to be prepared again: write limitTo(rows) in D1’s, LIMIT 0 + ? in objects’', () => {
  const paths = listFiles(['worker', 'durable-objects']);
  expect(paths.filter((path) => isPreparedAgain(path, readSource(path)))).toEqual([]);
});
