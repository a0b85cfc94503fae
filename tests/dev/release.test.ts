// A release is refused before anything is written, and writes what it says.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openNext, planRelease } from '../../dev/release/cut-release.ts';
import { addRelease, ensureLater, readReleases } from '../../dev/release/releases.ts';
import { preReleases } from '../../dev/release/report-packages.ts';
import { Repository } from '../../dev/release/repository.ts';

const OPEN =
  '# Changelog\n\nText.\n\n## 1.1.0, not released yet\n\n- A change.\n\n## 1.0.0, 2026-11-20\n\n- First.\n';
const PAGE = '# Releases\n\n| release | date | commit |\n|---|---|---|\n';
const COMMIT = 'a'.repeat(40);
const FILES = {
  'package.json': '{\n  "name": "tessera",\n  "version": "1.1.0"\n}\n',
  'package-lock.json':
    '{\n "version": "1.1.0",\n "packages": {\n  "": {\n   "version": "1.1.0"\n  },\n  "a": { "version": "1.1.0" }\n }\n}\n',
  'packages/contracts/public/release.ts': "export const RELEASE = '1.1.0';\n",
  'CHANGELOG.md': OPEN,
  'docs/releases.md': PAGE,
};

let folder: string;
let repository: Repository;

const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function commit(files: Readonly<Record<string, string>>): void {
  write(files);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'a change');
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-release-'));
  git('init', '--quiet');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@tests.example');
  repository = new Repository(folder);
  commit(FILES);
});

afterEach(() => rmSync(folder, { recursive: true }));

const plan = () => planRelease(folder, repository, '2026-11-29');

test('a release has a dated section, a line with the commit before it, and a tag', () => {
  const commitBefore = git('rev-parse', 'HEAD');
  const planned = plan();
  expect(git('status', '--porcelain')).toBe('');
  expect(planned).toMatchObject({ version: '1.1.0', tag: 'v1.1.0', commit: commitBefore });
  write(planned.texts);
  expect(read('CHANGELOG.md')).toBe(OPEN.replace('1.1.0, not released yet', '1.1.0, 2026-11-29'));
  expect(readReleases(read('docs/releases.md'))).toEqual([
    { version: '1.1.0', date: '2026-11-29', commit: commitBefore },
  ]);
  repository.commit('release: 1.1.0', planned.tag);
  expect(git('log', '-1', '--format=%s %D')).toMatch(/^release: 1\.1\.0 .*tag: v1\.1\.0/);
  expect(git('status', '--porcelain')).toBe('');
});

describe('is refused', () => {
  test.each([
    ['of what is not committed', { 'new.txt': 'x' }],
    ['of an edit', { 'CHANGELOG.md': `${OPEN}- More.\n` }],
  ])('%s', (_, files) => {
    write(files);
    expect(plan).toThrow(/Commit or undo this first/);
  });

  test('if its line exists', () => {
    commit({
      'docs/releases.md': addRelease(PAGE, { version: '1.1.0', date: '2026-11-28', commit: COMMIT }),
    });
    expect(plan).toThrow(/1\.1\.0 was released before/);
  });

  test('if its tag exists', () => {
    git('tag', 'v1.1.0');
    expect(plan).toThrow(/1\.1\.0 was released before/);
  });

  test('if a later one exists', () => {
    commit({
      'docs/releases.md': addRelease(PAGE, { version: '1.10.0', date: '2026-11-28', commit: COMMIT }),
    });
    expect(plan).toThrow(/1\.1\.0 does not come after 1\.10\.0/);
  });

  test.each([
    ['without entries', OPEN.replace('- A change.\n\n', ''), /says nothing about 1\.1\.0/],
    ['of another number', OPEN.replace('1.1.0', '1.2.0'), /needs "## 1\.1\.0, not released yet"/],
    ['that is dated', OPEN.replace('not released yet', '2026-11-01'), /needs "## 1\.1\.0, not released yet"/],
  ])('with a section %s', (_, changelog, problem) => {
    commit({ 'CHANGELOG.md': changelog });
    expect(plan).toThrow(problem);
  });
});

test('the only section may be the last text of the changelog', () => {
  commit({ 'CHANGELOG.md': '# Changelog\n\n## 1.1.0, not released yet\n\n- A change.\n' });
  expect(plan().texts['CHANGELOG.md']).toContain('## 1.1.0, 2026-11-29\n\n- A change.\n');
});

test('the next release has its number in every file, and a section above the others', () => {
  const released = OPEN.replace('not released yet', '2026-11-29');
  commit({ 'CHANGELOG.md': released });
  openNext(folder, '1.2.0');
  expect(read('package.json')).toContain('"version": "1.2.0"');
  expect(read('package-lock.json').match(/1\.\d\.0/g)).toEqual(['1.2.0', '1.2.0', '1.1.0']);
  expect(read('packages/contracts/public/release.ts')).toContain("'1.2.0'");
  expect(read('CHANGELOG.md')).toBe(released.replace('## 1.1.0', '## 1.2.0, not released yet\n\n## 1.1.0'));
});

test.each([
  ['1.1.0', /does not come after 1\.1\.0/],
  ['1.0.9', /does not come after/],
  ['next', /no release's number/],
])('the next release is not %s', (version, problem) => {
  expect(() => openNext(folder, version)).toThrow(problem);
  expect(git('status', '--porcelain')).toBe('');
});

test('no next release is opened before this one is released', () => {
  expect(() => openNext(folder, '1.2.0')).toThrow(/Release it first/);
  expect(git('status', '--porcelain')).toBe('');
});

test('numbers are compared as numbers', () => {
  expect(() => ensureLater('1.10.0', ['1.9.9', '1.2.10'])).not.toThrow();
});

test('lines are newest first, and other lines are none', () => {
  const first = addRelease(PAGE, { version: '1.0.0', date: '2026-11-20', commit: COMMIT });
  const second = addRelease(first, { version: '1.1.0', date: '2026-11-29', commit: COMMIT });
  expect(readReleases(second).map(({ version }) => version)).toEqual(['1.1.0', '1.0.0']);
  expect(readReleases(PAGE)).toEqual([]);
});

test('pinned pre-releases are found', () => {
  const manifest = {
    dependencies: { a: '1.0.0', b: '^2.0.0-rc.1' },
    devDependencies: { c: '5.2.0-beta', d: 'npm:d-e@1.0.0' },
  };
  expect(preReleases(JSON.stringify(manifest))).toEqual([
    'pre-release   b ^2.0.0-rc.1',
    'pre-release   c 5.2.0-beta',
  ]);
});
