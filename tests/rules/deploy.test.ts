// A deployment brings the workflow runners before the Worker that calls them, under the names that the Worker's bindings have.
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
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
