// Runs of workflows' code without an access check.
import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import type { RunOutcome, RunRequest, WorkflowInput } from '#contracts/internal/workflow-run';
import { makeLoadableCode } from '#worker/domains/workflow-code/make-loadable-code';
import { runInLoader } from '#worker/domains/workflow-code/sandbox/run-in-loader';
import type { Env } from '#worker/env';

/** A busy machine is slow. */
const PATIENT_MS = 5_000;

export const ANONYMOUS_INPUT: WorkflowInput = {
  identity: { isAuthenticated: false, method: 'anonymous', identifier: null },
  customer: {
    isCustomer: false,
    id: null,
    email: null,
    plans: [],
    productIds: [],
    metadata: {},
    createdAt: null,
    subscriptions: [],
  },
  place: { country: 'GB', city: null, continent: 'EU', location: null },
  context: {},
  now: Date.UTC(2026, 10, 22),
};

/** A request that runs each of these workflows once: wf_0, wf_1 and so on. */
export async function runRequest(
  codes: readonly string[],
  overrides: Partial<RunRequest> = {},
): Promise<RunRequest> {
  const code = await makeLoadableCode(
    env,
    { orgId: 'org_runs' },
    codes.map((compiled, index) => ({ id: `wf_${index}`, compiled })),
  );
  const runs = code.workflows.map(({ workflowId }) => ({ workflowId }));
  const defaults = { owner: 'tests', seed: 'seed', input: ANONYMOUS_INPUT, timeoutMs: PATIENT_MS };
  return { ...defaults, code, runs, ...overrides };
}

/** Runs them in the Worker's own loader, as in production, but without limits of the platform. */
export async function runCode(
  codes: readonly string[],
  overrides: Partial<RunRequest> = {},
): Promise<readonly RunOutcome[]> {
  if (env.LOADER === undefined) throw new Error('There is no loader');
  return runInLoader(env.LOADER, await runRequest(codes, overrides));
}

/** The bindings of a Worker that runs workflows in the process of `npm start`, which hostile code may stop. */
export const withProcess = (): Env => ({
  ...env,
  WORKFLOW_RUNNER_URL: inject('workflowRunnerUrl'),
  WORKFLOW_RUNNER_SECRET: inject('workflowRunnerSecret'),
});
