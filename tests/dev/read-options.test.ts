// The options of npm scripts: what is asked for is understood or refused.
import { expect, test } from 'vitest';
import { readOptions } from '../../dev/tools/read-options.ts';

const read = (...args: string[]) =>
  readOptions(
    'deploy',
    { 'dry-run': { type: 'boolean', default: false }, config: { type: 'string' } },
    undefined,
    args,
  );

test('options and their values are read', () => {
  expect(read('--dry-run', '--config', 'other.toml').values).toEqual({
    'dry-run': true,
    config: 'other.toml',
  });
  expect(read().values).toEqual({ 'dry-run': false });
});

test.each([
  [['--dryrun'], 'npm run deploy has no option --dryrun. Did you mean --dry-run?'],
  [['--env=staging'], 'npm run deploy has no option --env. It takes --dry-run, --config ….'],
  [['staging'], 'npm run deploy takes no "staging". It takes --dry-run, --config ….'],
  [['-x'], 'npm run deploy has no option -x. It takes --dry-run, --config ….'],
])('%j is refused', (args, message) => {
  expect(() => read(...args)).toThrow(message);
});

test('an option without its value is refused', () => {
  expect(() => read('--config')).toThrow(/^npm run deploy cannot read --config/);
});
