// A deployment migrates before it brings new code, and the configuration has the bindings and limits that the product counts on.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { senderProblem } from '../../dev/deploy/check-sender.ts';
import { DEPLOY_STEPS } from '../../dev/deploy/deploy-steps.ts';

const root = resolve(import.meta.dirname, '../..');
const configOf = (path: string) =>
  unstable_readConfig({ config: resolve(root, path) }, { hideWarnings: true });

test('tables come first, then the Worker', () => {
  expect(DEPLOY_STEPS.map((step) => step.filter((each) => !each.startsWith('-')).join(' '))).toEqual([
    'd1 migrations apply tessera',
    'deploy',
  ]);
});

test('workflows run in a loader of the Worker itself', () => {
  const { services, worker_loaders } = configOf('wrangler.toml');
  expect({ services, worker_loaders }).toEqual({
    services: [],
    worker_loaders: [{ binding: 'LOADER' }],
  });
});

test('the Worker logs what it writes and nothing per invocation, has no preview, and uploads its source maps', () => {
  const { observability, preview_urls, upload_source_maps } = configOf('wrangler.toml');
  expect({ observability, preview_urls, upload_source_maps }).toEqual({
    observability: {
      logs: { enabled: true, invocation_logs: false, head_sampling_rate: 1 },
      traces: { enabled: true, head_sampling_rate: 0.01 },
    },
    preview_urls: false,
    upload_source_maps: true,
  });
});

test('consumers have time, facts leave room for access checks, and errors name their version', () => {
  const { limits, version_metadata, queues } = configOf('wrangler.toml');
  expect(limits).toEqual({ cpu_ms: 60_000 });
  expect(version_metadata).toEqual({ binding: 'VERSION' });
  const facts = queues.consumers?.find(({ queue }: { queue: string }) => queue === 'tessera-facts');
  expect(facts?.max_concurrency).toBe(10);
});

test('MAIL_FROM that the binding does not allow is named before anything starts', () => {
  const config =
    'MAIL_FROM = "Ada <Ada@a.example>"\n[[send_email]]\nallowed_sender_addresses = [ "ada@a.example",\n "b@b.example" ]\n';
  expect(senderProblem(config)).toBeNull();
  expect(senderProblem(config, 'b@b.example')).toBeNull();
  expect(senderProblem(config, 'Ada <ada@a.example.org>')).toBe(
    'MAIL_FROM sends as ada@a.example.org, which is not in allowed_sender_addresses of wrangler.toml: add it there.',
  );
  expect(senderProblem('MAIL_FROM = "a@a.example"')).toBeNull();
});

test('development sends as an address that the binding allows', () => {
  const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
  const [, mailFrom] = /^MAIL_FROM=(.*)$/m.exec(read('dev/development.vars')) ?? [];
  expect(mailFrom).toContain('@');
  expect(senderProblem(read('wrangler.toml'), mailFrom)).toBeNull();
});
