// The conformance suite stays independent of the product, and its README lists every test of it.
import { expect, test } from 'vitest';
import { importsOf, listFiles, readSource } from './source-tree.ts';

const suite = listFiles(['tests/conformance/suite']);

test('the suite imports nothing of the product but types of the public contracts', () => {
  const packages = new Set(['vitest', '@cfworker/json-schema']);
  const wrong = suite.flatMap((path) =>
    importsOf(path)
      .filter(({ specifier, isTypeOnly }) => !(isTypeOnly && specifier.startsWith('#contracts/public/')))
      .filter(({ specifier }) => !specifier.startsWith('./') && !packages.has(specifier))
      .map(({ specifier }) => `${path} imports ${specifier}`),
  );
  expect(wrong).toEqual([]);
});

test('the README has a requirement for every test, and a test for every requirement', () => {
  const title = /(?:\bit\(|\](?: as const)?\)\()\s*'([^']+)'/g;
  const tests = suite.flatMap((path) => [...readSource(path).matchAll(title)].map(([, name]) => name));
  const [, requirements = ''] = readSource('tests/conformance/README.md').split('## Requirements');
  const rows = [...requirements.matchAll(/^\| (?!requirement|---).*? \| (.*) \|$/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(tests.toSorted());
});
