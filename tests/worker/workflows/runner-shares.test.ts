// What one organisation's workflows may take of the runner's only thread, in the real runner: however many of their runs wait, a run of
// another organisation is next.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { RunOutcome, RunReply, RunRequest, WorkflowInput } from '#contracts/internal/workflow-run';
import { RunQueue } from '#runner/run-queue';
import { callRunner } from '#worker/domains/workflows/call-runner';

const INPUT: WorkflowInput = {
  identity: { isAuthenticated: false, method: 'anonymous', identifier: null },
  customer: {
    ...{ isCustomer: false, id: null, email: null, plans: [], productIds: [] },
    ...{ metadata: {}, createdAt: null, subscriptions: [] },
  },
  place: { country: null, city: null, continent: null, location: null },
  now: 0,
};
const SHORT = "export default () => ['pro'];";
/** Almost all steps of a run's budget, so that it is never killed. */
const LONG = `export default () => {
  let sum = 0;
  for (let index = 0; index < 990000; index++) sum += index;
  return ['pro'];
};`;
/** Ample, since a run waits for a part of it: the order is what is tested, on a machine however busy. */
const BUDGET_MS = 40_000;
const CALL_TIMEOUT_MS = 50_000;

/** One workflow with this code in a sandbox of the organisation. */
async function run(orgId: string, compiled: string): Promise<RunOutcome | undefined> {
  const send = (body: RunRequest) =>
    callRunner<RunReply>(env, { runner: 'long', path: '/run', body, timeoutMs: CALL_TIMEOUT_MS });
  const request: RunRequest = {
    ...{ orgId, sandboxId: `${orgId} ${compiled}`, runs: [{ workflowId: 'wf_0' }] },
    ...{ input: INPUT, seed: '', budgetMs: BUDGET_MS },
  };
  const warm = await send(request);
  if (warm.kind === 'done') return warm.outcomes[0];
  const code = [{ workflowId: 'wf_0', compiled }];
  const cold = await send({ ...request, code });
  return cold.kind === 'done' ? cold.outcomes[0] : undefined;
}

it('a run waits for one long run of another organisation at most, whatever that one has sent', async () => {
  expect(await run('org_victim', SHORT)).toMatchObject({ status: 'done' });
  expect(await run('org_heavy', LONG)).toMatchObject({ status: 'done' });
  let ended = 0;
  const first = Promise.withResolvers<void>();
  const heavy = Array.from({ length: 16 }, async () => {
    const outcome = await run('org_heavy', LONG);
    ended += 1;
    first.resolve();
    return outcome;
  });
  await first.promise;
  for (const code of [SHORT, LONG]) expect(await run('org_victim', code)).toMatchObject({ status: 'done' });
  expect(ended).toBeLessThan(12);
  for (const outcome of await Promise.all(heavy)) expect(outcome).toMatchObject({ status: 'done' });
});

it('runs beyond those that may wait are answered at once without their workflow, and are not kills', async () => {
  expect(await run('org_flood', LONG)).toMatchObject({ status: 'done' });
  const outcomes = await Promise.all(Array.from({ length: 60 }, () => run('org_flood', LONG)));
  const statuses = outcomes.map((outcome) => outcome?.status);
  expect(new Set(statuses)).toEqual(new Set(['done', 'skipped']));
  expect(statuses.filter((status) => status === 'done').length).toBeGreaterThanOrEqual(20);
  expect(outcomes.find((outcome) => outcome?.status === 'skipped')?.reason).toMatch(/using too much time/);
  expect(await run('org_flood', LONG)).toMatchObject({ status: 'done' });
});

it('short runs begin at once within the share of their organisation, and after that in the order of what was used', async () => {
  let now = 0;
  const queue = new RunQueue(() => now);
  const patienceMs = 60_000;
  const began: string[] = [];
  /** A short run, once the queue knows it. */
  const enter = async (orgId: string) => {
    const turn = await queue.enter({ orgId, sandboxId: orgId, patienceMs });
    began.push(orgId);
    return turn;
  };
  /** A run of unknown length. */
  const enterLane = (orgId = 'lane') => queue.enter({ orgId, sandboxId: null, patienceMs });
  for (const orgId of ['a', 'b', 'c']) (await enter(orgId))?.end(1);
  began.length = 0;

  // Beside a run in the lane, two short runs of each organisation begin at once; the third waits until nothing else is under way.
  const lane = await enterLane();
  const short = [await enter('a'), await enter('a')];
  const third = enter('a');
  const other = await enter('b');
  lane?.end(1);
  await Promise.resolve();
  expect(began).toEqual(['a', 'a', 'b']);
  for (const turn of [...short, other]) turn?.end(1);
  (await third)?.end(1);

  // Organisations that have used their share wait, until time has given them more.
  (await enterLane('b'))?.end(300);
  (await enterLane('c'))?.end(260);
  began.length = 0;
  const busy = await enterLane();
  const waiting = [enter('b'), enter('c')] as const;
  await Promise.resolve();
  expect(began).toEqual([]);
  busy?.end(1);
  (await waiting[1])?.end(1);
  (await waiting[0])?.end(1);
  expect(began).toEqual(['c', 'b']);
  now += 2_000;
  const lost = await enterLane();
  (await enter('b'))?.end(1);

  // A run that never ends leaves the lane after its lease.
  now += 2_000;
  (await enterLane())?.end(1);
  lost?.end(1);
});

it('a run begins although a call under way takes for ever', async () => {
  const queue = new RunQueue();
  const leave = queue.arrive();
  const turn = await queue.enter({ orgId: 'a', sandboxId: null, patienceMs: 2_000 });
  expect(turn).not.toBeNull();
  turn?.end(1);
  leave();
});

it('beside calls under way a run waits for a few times what it takes, and for 50 ms at most', async () => {
  let now = 0;
  const queue = new RunQueue(() => now);
  const began: string[] = [];
  const enter = async (sandboxId: string | null) => {
    const turn = await queue.enter({ orgId: 'a', sandboxId, patienceMs: 60_000 });
    began.push(String(sandboxId));
    return turn;
  };
  /** A call arrives and goes, which lets the queue look again. */
  const after = async (ms: number) => {
    now += ms;
    queue.arrive()();
    await Promise.resolve();
    await Promise.resolve();
    return [...began];
  };
  (await enter('short'))?.end(1);
  const underWay = [await enter('short'), await enter('short')];
  began.length = 0;

  const third = enter('short');
  const unknown = enter(null);
  expect(await after(4)).toEqual([]);
  expect(await after(1)).toEqual(['short']);
  (await third)?.end(1);
  expect(await after(44)).toEqual(['short']);
  expect(await after(1)).toEqual(['short', 'null']);
  (await unknown)?.end(1);
  for (const turn of underWay) turn?.end(1);
});
