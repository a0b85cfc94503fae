// The code of the guides at /docs is in files that tests run (tests/consumers/guides.test.ts), and nowhere else.
import { expect, test } from 'vitest';
import { importsOf, listFiles } from './source-tree.ts';

test('every file of examples/guides is shown by a guide, and a guide shows files of examples only', () => {
  const shown = listFiles(['web/domains/guides']).flatMap((path) =>
    importsOf(path)
      .filter(({ specifier }) => specifier.endsWith('?raw'))
      .map(({ target }) => target?.replace('?raw', '')),
  );
  const others = ['examples/hono-worker/src/index.ts'];
  expect(shown.sort()).toEqual([...listFiles(['examples/guides'], /./), ...others].sort());
});
