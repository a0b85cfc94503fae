// A deployment brings the workflow runner before the Worker that calls it, under the name that the Worker's binding has.
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { DEPLOY_STEPS } from '../../dev/deploy-steps.ts';

const root = resolve(import.meta.dirname, '../..');
const RUNNER = 'workflow-runner/wrangler.toml';
const configOf = (path: string) =>
  unstable_readConfig({ config: resolve(root, path) }, { hideWarnings: true });

test('tables come first, then the runner, then the Worker', () => {
  expect(DEPLOY_STEPS.map((step) => step.filter((each) => !each.startsWith('-')).join(' '))).toEqual([
    'd1 migrations apply tessera',
    `deploy ${RUNNER}`,
    'deploy',
  ]);
});

test('the Worker is bound to the runner, and the runner to a loader and nothing else', () => {
  const runner = configOf(RUNNER);
  expect(configOf('wrangler.toml').services).toContainEqual(
    expect.objectContaining({ binding: 'WORKFLOW_RUNNER', service: runner.name }),
  );
  expect(runner.worker_loaders).toEqual([{ binding: 'LOADER' }]);
  expect(runner.workers_dev).toBe(false);
  for (const bindings of [runner.services, runner.d1_databases, runner.r2_buckets, runner.queues.producers]) {
    expect(bindings ?? []).toEqual([]);
  }
  expect([runner.durable_objects.bindings, runner.vars]).toEqual([[], {}]);
});
