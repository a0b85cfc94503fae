// The directions of imports, as promised in the README: first that the checker sees what is wrong, then that nothing is.
import { describe, expect, test } from 'vitest';
import { findCycle } from './find-cycle.ts';
import { reasonAgainst } from './import-directions.ts';
import { importsOf, listFiles } from './source-tree.ts';

const productFiles = listFiles(['worker', 'durable-objects', 'web']);

describe('the checker', () => {
  test.each([
    ['worker/contracts/a.ts', "import { Hono } from 'hono';"],
    ['worker/contracts/a.ts', "import { merge } from '#engine/merge/merge';"],
    ['worker/engine/a.ts', "import { z } from 'zod';"],
    ['worker/engine/values/a.ts', "import { a } from '../../contracts/a.ts';"],
    ['worker/db/client.ts', "import { a } from '#worker/domains/plans/list-plans';"],
    ['worker/http/route.ts', "import { app } from '../app.ts';"],
    ['worker/platform/clock.ts', "export { a } from '#worker/domains/plans/store';"],
    ['worker/queue/consume.ts', "import { publish } from '#worker/domains/artifacts/publish-snapshot';"],
    ['worker/domains/plans/routes.ts', "import { a } from '../features/store.ts';"],
    ['worker/domains/plans/routes.ts', "import {\n  a,\n  b,\n} from '#worker/domains/features/routes';"],
    ['worker/domains/plans/routes.ts', "import { a } from '#objects/event-stream/event-stream-object';"],
    ['durable-objects/ledger/a.ts', "import { db } from '#worker/db/client';"],
    ['durable-objects/ledger/a.ts', "const a = await import('#worker/domains/plans/list-plans');"],
    ['web/routes/plans.tsx', "import { a } from '#worker/http/route';"],
    ['web/features/plans/list.tsx', "import { a } from '../features/queries.ts';"],
    ['web/ui/table.tsx', "import { a } from '../features/plans/queries.ts';"],
    ['web/ui/table.tsx', "import type { Plan } from '#contracts/plans';"],
    ['web/main.tsx', "import '../tests/support/expect-console.ts';"],
  ])('refuses in %s: %s', (path, source) => {
    expect(importsOf(path, source).map((each) => reasonAgainst(path, each))).toEqual([expect.any(String)]);
  });

  test.each([
    ['worker/contracts/a.ts', "import { z } from 'zod';\nimport { b } from './b.ts';"],
    [
      'worker/engine/values/a.ts',
      "import type { A } from '#contracts/a';\nimport { b } from '../merge/b.ts';",
    ],
    ['worker/domains/plans/routes.ts', "import { a } from './store.ts';\nimport { z } from 'zod';"],
    ['worker/domains/plans/a.ts', "import { recordChange } from '#worker/domains/audit/record-change';"],
    ['worker/domains/plans/a.ts', "import { replicaStub } from '#objects/stubs';"],
    ['web/features/plans/list.tsx', "import { a } from './queries.ts';\nimport { b } from '../../ui/b.tsx';"],
    ['web/ui/table.tsx', "import { a } from '../theme/colours.ts';\nimport { Table } from '@mantine/core';"],
  ])('allows in %s: %s', (path, source) => {
    for (const each of importsOf(path, source)) expect(reasonAgainst(path, each)).toBeNull();
  });

  test('finds a cycle, and none in a diamond', () => {
    const cyclic = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]);
    expect(findCycle(cyclic)).toEqual(['b', 'c', 'b']);
    const diamond = new Map([
      ['a', ['b', 'c']],
      ['b', ['d']],
      ['c', ['d']],
    ]);
    expect(findCycle(diamond)).toBeNull();
  });
});

test('every import goes in an allowed direction', () => {
  const wrong = productFiles.flatMap((path) =>
    importsOf(path).flatMap((each) => {
      const reason = reasonAgainst(path, each);
      return reason === null ? [] : [`${path} imports ${each.specifier}: ${reason}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test('no imports go round in a circle', () => {
  const graph = new Map(
    productFiles.map((path) => [
      path,
      importsOf(path).flatMap(({ target, isTypeOnly }) => (target === null || isTypeOnly ? [] : [target])),
    ]),
  );
  expect(findCycle(graph)).toBeNull();
});
