// Refusals of the public API have a code each: no file that its calls run refuses without one, and each code is explained and tested.
import { describe, expect, test } from 'vitest';
import { REFUSAL_TEXTS } from '#contracts/public/refusal-texts';
import { REFUSALS } from '#contracts/public/refusals';
import { importsOf, listFiles, readSource } from './source-tree.ts';

/** What every call of the public API may run: all that its composition root imports. */
const sources = new Set(listFiles(['packages', 'runtime', 'worker', 'durable-objects']));

function filesOf(entry: string): ReadonlySet<string> {
  const files = new Set([entry]);
  for (const path of files) {
    for (const { target, isTypeOnly } of importsOf(path))
      if (target !== null && !isTypeOnly && sources.has(target)) files.add(target);
  }
  return files;
}

const files = filesOf('worker/public-api.ts');
/** Where errors without a code are defined, for the console. */
const DEFINING = ['packages/engine/access/api-error.ts', 'worker/http/api-error.ts'];
/** The console's: an access check goes on without workflows. */
const CAUGHT = 'worker/domains/workflow-code/sandbox/runner-error.ts';
const UNCODED = /\b(?:new|extends) ApiError\b|\b(?:notFound|duplicate|changedMeanwhile|rateLimited)\(/;

test('the calls of the public API are seen with what they import', () => {
  expect([...files]).toEqual(
    expect.arrayContaining([
      ...DEFINING,
      'worker/domains/customers/entries/grant-plan.ts',
      'worker/domains/access/calls/limit-calls.ts',
    ]),
  );
});

describe('the checker', () => {
  test.each([
    "throw new ApiError('conflict', 'Taken');",
    "throw notFound('The plan');",
    'class Busy extends ApiError {}',
  ])('refuses %s', (line) => expect(line).toMatch(UNCODED));

  test("allows throw new Refusal('conflict', 'email-taken', 'Taken')", () =>
    expect("throw new Refusal('conflict', 'email-taken', 'Taken')").not.toMatch(UNCODED));
});

test('no file that they run refuses without a code', () => {
  const wrong = [...files]
    .filter((path) => path !== CAUGHT && !DEFINING.includes(path))
    .filter((path) => UNCODED.test(readSource(path)));
  expect(wrong).toEqual([]);
});

test('every code says in words what it means and what to do', () => {
  expect(Object.keys(REFUSAL_TEXTS)).toEqual(Object.keys(REFUSALS));
  for (const { meaning, advice } of Object.values(REFUSAL_TEXTS)) {
    for (const text of [meaning, advice]) expect(text).toMatch(/^\S.*\.$/);
  }
});

test('what another test meets is named there', () => {
  const source = readSource('tests/worker/access/refusal-codes.test.ts');
  const [, elsewhere = ''] = /const ELSEWHERE[^{]*\{(.*?)\n\};/s.exec(source) ?? [];
  const rows = [...elsewhere.matchAll(/'([a-z-]+)': '(.+)'/g)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, code = '', path = ''] of rows) expect(readSource(path), code).toContain(`'${code}'`);
});

test('the client’s types have every code', () => {
  const [, union = ''] = /type TesseraErrorCode =\n(.*?);/s.exec(readSource('packages/sdk/index.ts')) ?? [];
  expect([...union.matchAll(/'([a-z-]+)'/g)].map(([, code]) => code)).toEqual(Object.keys(REFUSALS));
});
