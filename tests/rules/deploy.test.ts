// A deployment brings the workflow runners before the Worker that calls them, under the names that the Worker's bindings have.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { senderProblem } from '../../dev/check-sender.ts';
import { DEPLOY_STEPS } from '../../dev/deploy-steps.ts';

const root = resolve(import.meta.dirname, '../..');
const RUNNER = 'workflow-runner/wrangler.toml';
const configOf = (path: string) =>
  unstable_readConfig({ config: resolve(root, path) }, { hideWarnings: true });

test('tables come first, then the two runners, then the Worker', () => {
  expect(DEPLOY_STEPS.map((step) => step.filter((each) => !each.startsWith('-')).join(' '))).toEqual([
    'd1 migrations apply tessera',
    `deploy ${RUNNER}`,
    `deploy ${RUNNER} tessera-long-workflow-runner`,
    'deploy',
  ]);
});

test('the Worker is bound to both runners, and a runner to a loader and nothing else', () => {
  const runner = configOf(RUNNER);
  expect(configOf('wrangler.toml').services).toEqual([
    expect.objectContaining({ binding: 'WORKFLOW_RUNNER', service: runner.name }),
    expect.objectContaining({ binding: 'LONG_WORKFLOW_RUNNER', service: 'tessera-long-workflow-runner' }),
  ]);
  expect(runner.worker_loaders).toEqual([{ binding: 'LOADER' }]);
  expect(runner.workers_dev).toBe(false);
  for (const bindings of [runner.services, runner.d1_databases, runner.r2_buckets, runner.queues.producers]) {
    expect(bindings ?? []).toEqual([]);
  }
  expect([runner.durable_objects.bindings, runner.vars]).toEqual([[], {}]);
});

test('every Worker logs what it writes and nothing per invocation, has no preview, and uploads its source maps', () => {
  for (const path of ['wrangler.toml', RUNNER]) {
    const { observability, preview_urls, upload_source_maps } = configOf(path);
    expect({ observability, preview_urls, upload_source_maps }).toEqual({
      observability: {
        logs: { enabled: true, invocation_logs: false, head_sampling_rate: 1 },
        traces: { enabled: true, head_sampling_rate: 0.01 },
      },
      ...{ preview_urls: false, upload_source_maps: true },
    });
  }
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
