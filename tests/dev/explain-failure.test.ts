// Known failures are one sentence with the next step.
import { expect, test } from 'vitest';
import { explainFailure } from '../../dev/start/explain-failure.ts';
import { StartError } from '../../dev/tools/start-error.ts';

const stateFolder = '/data';
const explain = (error: unknown) => explainFailure(error, { stateFolder });
const withCode = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: refused`), { code, path });

test.each([
  ['a full disk', withCode('ENOSPC'), /^The disk is full\. Free some space/],
  ['a full disk under SQLite', new Error('database or disk is full'), /^The disk is full/],
  [
    'a full disk in a tool’s output',
    new Error('It failed:\n\nError: ENOSPC: no space left on device'),
    /^The disk is full/,
  ],
  [
    'a damaged database',
    new Error('database disk image is malformed'),
    /^A database in \/data is damaged\..*TESSERA_STATE/,
  ],
  ['a file that is no database', new Error('file is not a database'), /^A database in \/data is damaged/],
  [
    'a folder of another user',
    withCode('EACCES', '/other/web/dist'),
    /^No write permission for \/other\/web\/dist\..*chown/,
  ],
  ['a file in the place of a folder', withCode('EEXIST', '/data'), /^\/data is not a folder\./],
  ['a folder below a file', withCode('ENOTDIR', '/data/logs'), /^\/data\/logs is not a folder\./],
  ['a read-only file system', withCode('EROFS', '/other'), /^No write permission for \/other/],
  [
    'a database that somebody has open',
    new Error('database is locked'),
    /^Another program has a database in \/data open/,
  ],
  [
    'a port that was taken while it started',
    new Error('Address already in use (127.0.0.1:4360). Please check.'),
    /^Another program has taken port 4360/,
  ],
  ['the emulator’s port', new Error('listen EADDRINUSE: address already in use 127.0.0.1:4242'), /port 4242/],
  [
    'a failure behind a failure',
    new Error('fetch failed', { cause: withCode('EACCES', '/x') }),
    /^No write permission for \/x/,
  ],
  ['what is explained already', new StartError('Do this.'), /^Do this\.$/],
])('%s', (_, error, message) => {
  expect(explain(error)).toMatch(message);
  expect(explain(error)).not.toContain('\n');
});

test.each([new Error('strange'), 'strange', undefined])(
  'an unknown failure is not explained away',
  (error) => {
    expect(explain(error)).toBeNull();
  },
);
