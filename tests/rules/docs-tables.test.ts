// The tables of docs/ that are made from code are current, and every line of the log has a runbook.
import { describe, expect, test } from 'vitest';
import { logLines } from '../../dev/docs/log-lines.ts';
import { withTables } from '../../dev/docs/with-tables.ts';
import { listFiles, readSource } from './source-tree.ts';

const pages = listFiles(['docs'], /\.md$/).filter((path) => /^<!-- made from code: /m.test(readSource(path)));

describe.each(pages)('%s', (path) => {
  test('has the tables of this code: if not, run `npm run docs`', async () => {
    const page = readSource(path);
    expect(await withTables(page)).toBe(page);
  });
});

test('docs/data.md says of every table of D1 who makes it grow, what stops it and what heals it', () => {
  const [, section = ''] = readSource('docs/data.md').split('## What grows');
  const [rows = ''] = section.split('\n## ');
  const named = rows
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [, names = '', ...cells] = line.split('|').map((cell) => cell.trim());
      expect(
        cells.slice(0, 4).every((cell) => cell !== ''),
        names,
      ).toBe(true);
      return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '');
    });
  const tables = listFiles(['worker/db/schema']).flatMap((path) =>
    [...readSource(path).matchAll(/sqliteTable\(\s*'(\w+)'/g)].map(([, name]) => name ?? ''),
  );
  expect(named.toSorted()).toEqual(tables.toSorted());
});

test('docs/operate.md says what to do about every line of level warn or error, and about no other', () => {
  const [advice = ''] = readSource('docs/operate.md').split('## All lines and their files');
  const runbooks = [...advice.matchAll(/^\| `([^`]+)` \| (warn|error) \| \S/gm)].map(
    ([, text, level]) => `${level}: ${text}`,
  );
  const lines = new Set(logLines().map(({ text, level }) => `${level}: ${text}`));
  expect(runbooks.toSorted()).toEqual([...lines].toSorted());
});
