// Every setting is read before anything starts: what is not understood is named, never passed over.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { readEnvFile } from '../../dev/start/env-file.ts';
import { mergeSettings, readLocalSettings } from '../../dev/start/local-settings.ts';
import { readEmulatorOptions } from '../../dev/start/local-stripe.ts';

const text = readFileSync(resolve(import.meta.dirname, '../../dev/development.vars'), 'utf8');
const defaults = { name: 'dev/development.vars', text };
const url = 'http://localhost:4300';
const merge = (...texts: string[]) =>
  mergeSettings(
    defaults,
    texts.map((each, index) => ({ name: ['.dev.vars', 'more.vars'][index] ?? '', text: each })),
    url,
  );

afterEach(() => vi.unstubAllEnvs());

test('the development settings are complete, and BASE_URL is the server’s own address', () => {
  expect(merge()).toMatchObject({ own: {}, all: { BASE_URL: url, ENVIRONMENT: 'development' } });
});

test('one’s own settings take precedence, those of the run last', () => {
  const { all, own } = merge('BASE_URL=https://a.example\nSIGN_UP=open', 'SIGN_UP=waiting-list');
  expect(all).toMatchObject({ BASE_URL: 'https://a.example', SIGN_UP: 'waiting-list' });
  expect(own).toEqual({ BASE_URL: 'https://a.example', SIGN_UP: 'waiting-list' });
});

test.each([
  ['SIGNUP=open', '.dev.vars, line 1: there is no setting SIGNUP. Did you mean SIGN_UP?'],
  [
    '# mine\nSTRIPE_SECRET=x',
    '.dev.vars, line 2: there is no setting STRIPE_SECRET. Did you mean STRIPE_SECRET_KEY?',
  ],
  ['base_url=http://a.example', '.dev.vars, line 1: there is no setting base_url. Did you mean BASE_URL?'],
  ['ZEBRA=1', '.dev.vars, line 1: there is no setting ZEBRA.'],
  ['SIGN_UP open', '.dev.vars, line 1: this is not NAME=value.'],
  ['SIGN_UP=open\n\n=x', '.dev.vars, line 3: this is not NAME=value.'],
  ['MAIL_FROM="Ada', '.dev.vars, line 1: this is not NAME=value.'],
  ['SIGN_UP=closed', '.dev.vars: SIGN_UP must be open or waiting-list, not "closed".'],
  ['ENCRYPTION_KEY=oops', /^\.dev\.vars: ENCRYPTION_KEY must be keyId:base64/],
  ['BASE_URL=localhost', /^\.dev\.vars: BASE_URL /],
  ['LEDGER_SHARDS=many', /^\.dev\.vars: LEDGER_SHARDS /],
  ['WORKFLOW_PATIENCE_MS=soon', /^\.dev\.vars: WORKFLOW_PATIENCE_MS /],
  ['GITHUB_CLIENT_ID=a', /^\.dev\.vars: GITHUB_CLIENT_ID .*GITHUB_CLIENT_SECRET/],
  ['TURNSTILE_SITE_KEY=a', /^\.dev\.vars: TURNSTILE_SITE_KEY .*TURNSTILE_SECRET_KEY/],
  ['STRIPE_API_BASE=stripe', /^\.dev\.vars: STRIPE_API_BASE /],
  ['ENVIRONMENT=prod', /^\.dev\.vars: ENVIRONMENT /],
])('%j is named', (line, message) => {
  expect(() => merge(line)).toThrow(message);
});

test('all unknown names and malformed lines are named at once', () => {
  expect(() => merge('SIGNUP=open\nx', 'MAILFROM=a')).toThrow(
    [
      '.dev.vars, line 2: this is not NAME=value.',
      '.dev.vars, line 1: there is no setting SIGNUP. Did you mean SIGN_UP?',
      'more.vars, line 1: there is no setting MAILFROM. Did you mean MAIL_FROM?',
    ].join('\n'),
  );
});

test('what wrangler reads is no malformed line', () => {
  const file = readEnvFile(
    '\uFEFF# a comment\r\nexport A=1\r\n  B = "two # words"\r\nC=\'x\ny=z\n\'\nD=\n   \nE=a=b # c\n',
  );
  expect(file.malformed).toEqual([]);
  expect([...file.lines.keys()]).toEqual(['A', 'B', 'C', 'D', 'E']);
  expect(file.values).toMatchObject({ A: '1', B: 'two # words', D: '' });
});

test.each([
  ['dev', /dev, which is a folder\. Name a file, or unset TESSERA_VARS$/],
  ['dev/none', /none, which does not exist\. Create it, or unset TESSERA_VARS$/],
])('TESSERA_VARS=%s is refused with the reason', (path, message) => {
  vi.stubEnv('TESSERA_VARS', path);
  expect(() => readLocalSettings(url)).toThrow(message);
});

test('a port of Tessera itself is refused for the Stripe emulator', async () => {
  vi.stubEnv('STRIPE_EMULATOR_PORT', '4300');
  await expect(readEmulatorOptions(merge(), [4300])).rejects.toThrow('Tessera itself uses port 4300');
});
