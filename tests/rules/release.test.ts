// The release's number is the same wherever it is written.
import { expect, test } from 'vitest';
import { RELEASE } from '#contracts/public/release';
import { buildDocument } from '#worker/domains/api-docs/build-document';
import { readSource } from './source-tree.ts';

const parts = (number: string) => number.split('.').map(Number);

/** Whether `one` comes after `other`. */
const isLater = (one: string, other: string) => {
  const [a, b] = [parts(one), parts(other)];
  const at = a.findIndex((value, place) => value !== b[place]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
};

test('package.json, its lock, the changelog and the API’s description have one number', () => {
  const { version } = JSON.parse(readSource('package.json')) as { version: string };
  const lock = JSON.parse(readSource('package-lock.json')) as {
    version: string;
    packages: { '': { version: string } };
  };
  const [, newest] = /^## (\d+\.\d+\.\d+)/m.exec(readSource('CHANGELOG.md')) ?? [];
  const { info } = buildDocument('https://tessera.example');
  expect([version, lock.version, lock.packages[''].version, newest, info.version]).toEqual(
    Array(5).fill(RELEASE),
  );
});

test('no correction is of a later release', () => {
  const rows = [...readSource('docs/versions.md').matchAll(/^\| (\d+\.\d+\.\d+) \|/gm)];
  expect(rows.length).toBeGreaterThan(0);
  for (const [, number = ''] of rows) expect(isLater(number, RELEASE), number).toBe(false);
});
