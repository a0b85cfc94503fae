// The directions of imports, as promised in the README: first that the checker sees what is wrong, then that nothing is.
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCycle } from './find-cycle.ts';
import { folderGraph } from './folder-graph.ts';
import { plainContracts, reasonAgainst } from './import-directions.ts';
import { offeredFiles } from './offered-files.ts';
import { importsOf, listFiles, readSource } from './source-tree.ts';

const productFiles = listFiles(['packages', 'runtime', 'worker', 'durable-objects', 'web']).filter(
  (path) => !path.includes('/tests/'),
);

describe('the checker', () => {
  test.each([
    ['packages/contracts/a.ts', "import { Hono } from 'hono';"],
    ['packages/contracts/public/a.ts', "import type { Role } from '../console/permissions.ts';"],
    ['packages/contracts/console/a.ts', "import { a } from '#contracts/internal/ledger';"],
    ['packages/engine/a.ts', "import { z } from 'zod';"],
    ['packages/sdk/core/a.ts', "import { z } from 'zod';"],
    ['packages/sdk/core/a.ts', "import type { A } from '#contracts/console/plans';"],
    ['web/domains/a/b.ts', "import { createTessera } from '#sdk/index';"],
    ['packages/engine/values/a.ts', "import { a } from '../../contracts/a.ts';"],
    ['packages/engine/access/a.ts', "import { a } from '#contracts/public/access';"],
    ['worker/db/client.ts', "import { a } from '#worker/domains/plans/list-plans';"],
    ['worker/http/route.ts', "import { app } from '../app.ts';"],
    ['worker/platform/clock.ts', "export { a } from '#worker/domains/plans/store';"],
    ['worker/queue/consume.ts', "const a = await import('#worker/domains/plans/list-plans');"],
    ['worker/queue/consume.ts', "import { publish } from '#worker/domains/artifacts/publish-snapshot';"],
    ['worker/domains/plans/routes.ts', "import { a } from '../features/store.ts';"],
    ['worker/domains/plans/routes.ts', "import {\n  a,\n  b,\n} from '#worker/domains/features/routes';"],
    ['worker/domains/plans/routes.ts', "import { a } from '#worker/domains/features/update-feature';"],
    ['worker/domains/plans/a.ts', "import { a } from '#worker/domains/events/open-event-stream';"],
    ['worker/domains/plans/routes.ts', "import { a } from '#objects/event-stream/event-stream-object';"],
    ['web/domains/plans/list.tsx', "import { a } from '../features/queries.ts';"],
    ['web/ui/table.tsx', "import { a } from '../domains/plans/queries.ts';"],
    ['web/ui/table.tsx', "import type { Plan } from '#contracts/console/plans';"],
    ['web/ui/table.tsx', "import { paths } from '#web/paths.ts';"],
    ['web/api/call.ts', "import { useSession } from '#web/session/session.ts';"],
    ['web/session/session.ts', "import { a } from '#web/domains/organisations/queries.ts';"],
    ['web/values/field.tsx', "import { a } from '#web/forms/use-edit-form.ts';"],
    ['web/domains/plans/list.tsx', "import { a } from '#web/shell/header.tsx';"],
    ['web/shell/header.tsx', "import { a } from '#web/routes/plans.tsx';"],
    ['web/theme/theme.ts', "import { a } from '#web/api/call.ts';"],
    ['worker/domains/workflows/a.ts', "import { parse } from 'acorn';"],
    ['worker/domains/workflow-code/a.ts', "import { readCode } from './reader/read-code.ts';"],
    ['durable-objects/ledger/a.ts', "import { full } from 'acorn-walk';"],
    ['worker/app.ts', "import { developmentApp } from './domains/development/development-app.ts';"],
    ['worker/index.ts', "import product from './development.ts';"],
  ])('refuses in %s: %s', (path, source) => {
    expect(importsOf(path, source).map((each) => reasonAgainst(path, each))).toEqual([expect.any(String)]);
  });

  test.each([
    ['packages/contracts/a.ts', "import { z } from 'zod';\nimport { b } from './b.ts';"],
    [
      'packages/engine/values/a.ts',
      "import type { A } from '#contracts/a';\nimport { b } from '../merge/b.ts';",
    ],
    ['worker/domains/plans/routes.ts', "import { a } from './store.ts';\nimport { z } from 'zod';"],
    ['worker/domains/plans/a.ts', "import { workspaceOf } from '#worker/domains/publishing/publications';"],
    ['worker/domains/plans/a.ts', "import { replicaStub } from '#objects/stubs';"],
    ['web/domains/plans/list.tsx', "import { a } from './queries.ts';\nimport { b } from '../../ui/b.tsx';"],
    ['web/shell/header.tsx', "import { a } from '#web/domains/artifacts/queries.ts';"],
    ['web/router.tsx', "import { a } from '#web/routes/plans.tsx';\nimport { paths } from './paths.ts';"],
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

  test('sees a cycle between folders where no file imports itself', () => {
    const files = new Map([
      ['worker/domains/plans/list-plans.ts', ['worker/domains/features/list-features.ts']],
      ['worker/domains/features/list-features.ts', []],
      ['worker/domains/features/delete-feature.ts', ['worker/domains/plans/check-plan.ts']],
      ['worker/domains/plans/check-plan.ts', []],
    ]);
    expect(findCycle(files)).toBeNull();
    expect(findCycle(folderGraph(files))).toEqual([
      'worker/domains/plans',
      'worker/domains/features',
      'worker/domains/plans',
    ]);
  });

  test('counts each file directly in worker, web or dev as a folder of its own', () => {
    const files = new Map([
      ['worker/app.ts', ['worker/domains/plans/routes.ts']],
      ['worker/domains/plans/routes.ts', ['worker/env.ts']],
      ['worker/env.ts', []],
    ]);
    expect(findCycle(folderGraph(files))).toBeNull();
  });
});

test.each([
  ['packages/contracts', []],
  ['packages/engine', ['packages/contracts']],
  ['packages/sdk', ['packages/contracts', 'packages/engine']],
  ['runtime', ['packages/contracts', 'packages/engine']],
  ['durable-objects', ['packages/contracts', 'packages/engine', 'runtime']],
  ['worker', ['packages/contracts', 'packages/engine', 'runtime', 'durable-objects']],
  ['web', ['packages/contracts', 'packages/engine']],
])('%s stands on %j: the compiler refuses every other import', (folder, expected) => {
  const { references = [] } = JSON.parse(readSource(`${folder}/tsconfig.json`)) as {
    references?: { path: string }[];
  };
  expect(references.map(({ path }) => posix.join(folder, path))).toEqual(expected);
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

test('what the engine takes of contracts beside types needs no zod', () => {
  const imported = plainContracts.flatMap((path) =>
    importsOf(path).flatMap(({ target, isTypeOnly }) => (isTypeOnly ? [] : [target])),
  );
  expect(imported.filter((target) => target === null || !plainContracts.includes(target))).toEqual([]);
});

test('a domain offers nothing that no other imports', () => {
  const imported = new Set(
    listFiles(['worker/domains']).flatMap((path) =>
      importsOf(path).flatMap(({ target }) =>
        target === null || path.split('/')[2] === target.split('/')[2] ? [] : [target],
      ),
    ),
  );
  const offered = [...offeredFiles].flatMap(([domain, names]) =>
    names.map((name) => `worker/domains/${domain}/${name}.ts`),
  );
  expect(offered.filter((path) => !imported.has(path))).toEqual([]);
});

const runtimeImports = new Map(
  productFiles.map((path) => [
    path,
    importsOf(path).flatMap(({ target, isTypeOnly }) => (target === null || isTypeOnly ? [] : [target])),
  ]),
);

/** Of dev and lab also those that only types need: scripts are read more often than they run. */
const scriptImports = new Map(
  listFiles(['dev', 'lab']).map((path) => [path, importsOf(path).flatMap(({ target }) => target ?? [])]),
);

test('there is no import cycle between the files or the folders of dev and lab', () => {
  expect(findCycle(scriptImports)).toBeNull();
  expect(findCycle(folderGraph(scriptImports))).toBeNull();
});

test('what dev and lab import is no test', () => {
  const tests = [...scriptImports].flatMap(([path, targets]) =>
    targets.filter((target) => target.startsWith('tests/')).map((target) => `${path} imports ${target}`),
  );
  expect(tests).toEqual([]);
});

/**
 * Where types alone close a circle, because the two sides are one thing that is read from both: an object and the stub by which others
 * call it, an entry of a package, whose declarations are one file, and an artifact, which keeps its resolutions.
 */
const READ_FROM_BOTH_SIDES = [
  /^durable-objects\/.*-object\.ts$/,
  /^packages\/sdk\/(index|holds|ai)\.ts$/,
  /^packages\/engine\/entitlements\/resolution\.ts$/,
];

test('there is no import cycle between files, of types neither', () => {
  expect(findCycle(runtimeImports)).toBeNull();
  const allImports = new Map(
    productFiles.map((path) => [
      path,
      importsOf(path).flatMap(({ target, isTypeOnly }) =>
        target === null || (isTypeOnly && READ_FROM_BOTH_SIDES.some((pattern) => pattern.test(target)))
          ? []
          : [target],
      ),
    ]),
  );
  expect(findCycle(allImports)).toBeNull();
});

test('there is no import cycle between folders', () => {
  expect(findCycle(folderGraph(runtimeImports))).toBeNull();
});
