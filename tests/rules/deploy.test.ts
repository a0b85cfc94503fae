// The configuration has the bindings and limits that the product counts on. tests/crash/deploy deploys it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { senderProblem } from '../../dev/deploy/check-sender.ts';

const root = resolve(import.meta.dirname, '../..');
const configOf = (path: string) =>
  unstable_readConfig({ config: resolve(root, path) }, { hideWarnings: true });

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
  const allowedSenders = ['ada@a.example', 'b@b.example'];
  expect(senderProblem({ allowedSenders, mailFrom: 'Ada <Ada@a.example>' })).toBeNull();
  expect(senderProblem({ allowedSenders, mailFrom: undefined }, 'b@b.example')).toBeNull();
  expect(senderProblem({ allowedSenders, mailFrom: undefined }, 'Ada <ada@a.example.org>')).toBe(
    'MAIL_FROM sends as ada@a.example.org, which is not in allowed_sender_addresses of wrangler.toml: add it there.',
  );
  expect(senderProblem({ allowedSenders: undefined, mailFrom: 'a@a.example' })).toBeNull();
});

test('development sends as an address that the binding allows', () => {
  const [, mailFrom] =
    /^MAIL_FROM=(.*)$/m.exec(readFileSync(resolve(root, 'dev/development.vars'), 'utf8')) ?? [];
  expect(mailFrom).toContain('@');
  const [{ allowed_sender_addresses: allowedSenders } = {}] = configOf('wrangler.toml').send_email;
  expect(senderProblem({ allowedSenders, mailFrom })).toBeNull();
});
