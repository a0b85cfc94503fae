// Hostile workflows in the real runner: each ends by itself, and leaves nothing to a later run. The runner is a process of its
// own, and its watchdog would restart it, which these tests would see as a lost run.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { RunOutcome, RunReply, RunRequest, WorkflowInput } from '#contracts/internal/workflow-run';
import { callRunner } from '#worker/domains/workflows/call-runner';
import { HOSTILE_PROGRAMS, LEAKING_PROGRAMS } from './hostile-programs.ts';

/** A busy machine is slow. */
const PATIENT_MS = 5_000;
/** As in an access check. */
const CHECK_MS = 220;

const INPUT: WorkflowInput = {
  identity: { isAuthenticated: false, method: 'anonymous', identifier: null },
  customer: {
    ...{ isCustomer: false, id: null, email: null, plans: [], productIds: [] },
    ...{ metadata: {}, createdAt: null, subscriptions: [] },
  },
  place: { country: 'GB', city: null, continent: 'EU', location: null },
  now: Date.UTC(2026, 10, 22),
};

/** Runs these workflows side by side, in a sandbox of their own unless it is named. */
async function run(
  codes: readonly string[],
  { sandboxId = null, seed = 'seed', budgetMs = PATIENT_MS }: Partial<RunRequest> = {},
): Promise<readonly RunOutcome[]> {
  const code = codes.map((compiled, index) => ({ workflowId: `wf_${index}`, compiled }));
  const runs = code.map(({ workflowId }) => ({ workflowId }));
  const request: RunRequest = { sandboxId, code, runs, input: INPUT, seed, budgetMs };
  const reply = await callRunner<RunReply>(env, '/run', request, 10_000);
  if (reply.kind !== 'done') throw new Error('The runner asked for code that it was sent');
  return reply.outcomes;
}

const HARMLESS = 'export default ({ place }) => [place.country]';

describe('a hostile workflow ends by itself, beside one that works', () => {
  it.each(Object.entries(HOSTILE_PROGRAMS))('%s', async (_name, program) => {
    const [hostile, other] = await run([program, HARMLESS], { budgetMs: CHECK_MS });
    expect(['done', 'failed', 'killed']).toContain(hostile?.status);
    // Time that one has used up is lost to the others of the same organisation, never the answer of the runner.
    expect(['done', 'skipped', 'killed']).toContain(other?.status);
    if (hostile?.status === 'done')
      expect(JSON.stringify(hostile.result)).not.toMatch(/fetch|object global/i);
  });
});

describe('a run finds nothing of the one before', () => {
  it.each(Object.entries(LEAKING_PROGRAMS))('%s', async (name, program) => {
    const sandbox = { sandboxId: `leak ${name}` };
    for (const [outcome] of [await run([program], sandbox), await run([program], sandbox)]) {
      expect(outcome).toMatchObject({ status: 'done', result: {} });
      expect(outcome?.result).not.toHaveProperty('found');
    }
  });

  it('nor do workflows of one check find anything of each other', async () => {
    for (const [name, program] of Object.entries(LEAKING_PROGRAMS)) {
      for (const outcome of await run([program, program])) {
        expect({ name, found: outcome.result }).toEqual({ name, found: {} });
      }
    }
  });
});

it('the instant and the random numbers come from the check, so that a run can be repeated', async () => {
  const code = 'export default () => [Date.now(), new Date().toISOString(), Math.random(), Math.random()]';
  const [first] = await run([code]);
  const [second] = await run([code]);
  const [other] = await run([code], { seed: 'other' });
  expect(first?.result).toEqual(second?.result);
  expect(first?.result).toEqual([
    INPUT.now,
    '2026-11-22T00:00:00.000Z',
    expect.any(Number),
    expect.any(Number),
  ]);
  expect(other?.result).not.toEqual(first?.result);
});

it('code that the runner has not seen is asked for once', async () => {
  const request: RunRequest = {
    ...{ sandboxId: 'unseen', runs: [{ workflowId: 'wf_0' }], input: INPUT, seed: '', budgetMs: PATIENT_MS },
  };
  expect(await callRunner<RunReply>(env, '/run', request, 10_000)).toEqual({ kind: 'code-needed' });
  await run([HARMLESS], { sandboxId: 'unseen' });
  expect(await callRunner<RunReply>(env, '/run', request, 10_000)).toMatchObject({
    outcomes: [{ status: 'done', result: ['GB'] }],
  });
});
