// What a stranger may rely on when opening the folder tree.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listFiles, readSource, root } from './source-tree.ts';

const codeFolders = [
  'packages',
  'runtime',
  'worker',
  'durable-objects',
  'web',
  'tests',
  'lab',
  'dev',
  'migrations',
];
/** Names that a tool gives or asks for; migrations are numbered and named by what they do: 0001_create_plans.sql. */
const namedByOthers = /(^migrations\/.*|README\.md|\/_headers|\/_redirects)$/;
const rootEntries = new Set([
  ...[
    'package.json',
    'package-lock.json',
    'wrangler.toml',
    'tsconfig.json',
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'docs',
    'examples',
    'node_modules',
  ],
  ...codeFolders,
]);

test('the root holds what the README lists, and dotfiles', () => {
  const strangers = readdirSync(root).filter((name) => !name.startsWith('.') && !rootEntries.has(name));
  expect(strangers).toEqual([]);
});

test('files and folders have kebab-case names', () => {
  const wrong = listFiles(codeFolders, /./).filter(
    (path) =>
      !namedByOthers.test(path) && !path.split('/').every((name) => /^\.?[a-z0-9][a-z0-9._-]*$/.test(name)),
  );
  expect(wrong).toEqual([]);
  expect(listFiles(codeFolders).filter((path) => path.includes('_'))).toEqual([]);
});

test('no file is named for being left over', () => {
  const vague = /(^|[/.-])(utils?|helpers?|misc|common|managers?|v2)([/.-]|$)/;
  expect(listFiles(codeFolders, /./).filter((path) => vague.test(path))).toEqual([]);
});

test('the engine asks neither the clock nor chance', () => {
  const impure = /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bMath\.random\b|\bperformance\b|\bcrypto\b/;
  const wrong = listFiles(['packages/engine']).flatMap((path) =>
    readSource(path)
      .split('\n')
      .flatMap((line, index) =>
        impure.test(line.replace(/\/\/.*|^\s*\*.*/, '')) ? [`${path}:${index + 1}`] : [],
      ),
  );
  expect(wrong).toEqual([]);
});

test('lines of SQL have at most 140 characters', () => {
  const wrong = listFiles(['worker', 'durable-objects']).flatMap((path) =>
    readSource(path)
      .split('\n')
      .flatMap((line, index) =>
        line.length > 140 && /\bsql[`<]|\b(SELECT|WHERE|FROM|AND)\b/.test(line)
          ? [`${path}:${index + 1}`]
          : [],
      ),
  );
  expect(wrong).toEqual([]);
});

test('nothing is left for later, and no check is switched off for a whole file', () => {
  const unfinished = /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck)|biome-ignore-all|lorem ipsum/i;
  const files = [...listFiles(codeFolders, /\.(ts|tsx|mjs|css|html|sql|md)$/), 'README.md'];
  const wrong = files.filter((path) => path !== 'tests/rules/layout.test.ts' && isFound(path, unfinished));
  expect(wrong).toEqual([]);
});

test('nothing in the project points to a place outside of it', () => {
  const elsewhere = /(["'`\s(]|^)\/(work|home|root|Users|tmp\/\w)\b/m;
  const files = listFiles(codeFolders, /\.(ts|tsx|mjs|css|html|sql|md|json|toml)$/);
  expect(files.filter((path) => path !== 'tests/rules/layout.test.ts' && isFound(path, elsewhere))).toEqual(
    [],
  );
});

function isFound(path: string, pattern: RegExp): boolean {
  try {
    return pattern.test(readSource(path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
