// Access checks in which customers' workflows run: with the real runners, in their own processes behind the service bindings.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { z } from 'zod';
import type { Artifact } from '#contracts/console/artifacts';
import type { EventExplanation } from '#contracts/console/event-explanation';
import type { Event } from '#contracts/console/events';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { workflowRunSchema } from '#contracts/console/workflow-runs';
import type { Workflow } from '#contracts/console/workflows';
import type { AccessCheckAnswer } from '#contracts/public/access';
import runner from '#runner/index';
import { check, propertyOf, send } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import { auditRows } from '#tests/support/stored-state';
import { publishAll } from '#tests/support/tenants';
import { integrate } from '#tests/support/token-checks';
import { inSeconds, newSigner } from '#tests/support/tokens';
import { type WorkflowTenant, workflowTenant } from '#tests/support/workflows';
import type { Env } from '#worker/env';
import worker from '#worker/index';

type WorkflowRun = z.output<typeof workflowRunSchema>;

let acme: WorkflowTenant;
let workflows: Workflow[] = [];

beforeAll(async () => {
  acme = await workflowTenant();
});

/** About 3 ms, by its steps. */
const LONG = `export default () => {
  let sum = 0;
  for (let index = 0; index < 300000; index++) sum += index;
  return ["pro"];
};`;

afterEach(async () => {
  for (const workflow of workflows) await acme.remove(workflow);
  workflows = [];
});

/** Replaces the workflows of the previous test. */
async function deploy(...codes: readonly (readonly [name: string, code: string, isBehaviour?: boolean])[]) {
  for (const [name, code, isBehaviour] of codes) {
    workflows.push(await acme.create(name, code, isBehaviour ? acme.workspace.feature.id : undefined));
  }
  await acme.publish();
  return workflows;
}

const seatsOf = (answer: AccessCheckAnswer) => propertyOf(answer, 'team-seats', 'seats');
const codesOf = ({ warnings }: AccessCheckAnswer) => warnings.map(({ code }) => code);

describe('dynamic provisioning', () => {
  it('adds plans by slug, also asynchronously and for anonymous sessions', async () => {
    await deploy(['Everyone is pro', 'export default async () => { await null; return ["pro"]; }']);
    const answer = await acme.check();
    expect(answer.customer.plans.toSorted()).toEqual(['pro', 'starter']);
    expect(seatsOf(answer)).toBe(50);
    expect(answer.warnings).toEqual([]);
    const { explanation } = await check(acme.key, {}, { query: '?explain=1' });
    const seats = explanation?.find(({ property }) => property === 'seats');
    expect(seats).toMatchObject({ decidedBy: ['pro'], value: 50 });
    expect(seats?.candidates.find(({ plan }) => plan === 'pro')?.from).toEqual([
      { kind: 'workflow', workflow: 'Everyone is pro' },
    ]);
  });

  it('replaces plans, and several workflows run side by side', async () => {
    await deploy(
      ['Only pro', 'export default () => ({ plans: ["pro"], mode: "replace" })'],
      ['Nothing more', 'export default () => []'],
    );
    expect((await acme.check()).customer.plans).toEqual(['pro']);
  });

  it('receives frozen plain data: the identity, the customer, the place and the instant', async () => {
    await deploy([
      'Looks around',
      'export default (input) => { console.log(JSON.stringify(input), Object.isFrozen(input.customer)); return []; }',
    ]);
    const answer = await acme.check({ userIdentifier: 'ada@tests.example' });
    const [execution] = await executionsOf(answer.requestId);
    const [text = '', isFrozen] = execution?.logs[0]?.m.split(/ (?=\w+$)/) ?? [];
    expect(isFrozen).toBe('true');
    expect(JSON.parse(text)).toEqual({
      identity: { isAuthenticated: true, method: 'identifier', identifier: 'ada@tests.example' },
      customer: {
        ...{ isCustomer: false, id: 'ada@tests.example', email: 'ada@tests.example', plans: [] },
        ...{ productIds: [], metadata: {}, createdAt: null, subscriptions: [] },
      },
      place: { country: null, city: null, continent: null, location: expect.any(String) },
      now: answer.asOf,
    });
  });

  it('names unknown plans, and ignores what is no list of plans', async () => {
    await deploy(
      ['Misspelt', 'export default () => ["protfolio", "pro"]'],
      ['Nonsense', 'export default () => ({ plan: "pro" })'],
    );
    const answer = await acme.check();
    expect(answer.customer.plans).toContain('pro');
    expect(answer.warnings.map(({ message }) => message).toSorted()).toEqual([
      expect.stringContaining("Misspelt: This version has no plan 'protfolio'"),
      expect.stringContaining('Nonsense: The result is not an array of plan slugs'),
    ]);
  });
});

it('the time of workflows is apart from that of usage, in the response and its event', async () => {
  await deploy(['Works', 'export default () => ["pro"]']);
  const response = await send(acme.key, { body: { userIdentifier: 'ada@tests.example' } });
  const timing = response.headers.get('server-timing') ?? '';
  const [, shown] = /^auth;dur=.*, evaluate;dur=[\d.]+, workflows;dur=([\d.]+)$/.exec(timing) ?? [];
  const { requestId } = (await response.json()) as AccessCheckAnswer;
  const { latency } = await eventually(() =>
    acme.tenant.make<Event>('GET', `/events/${requestId.replace('req', 'evt')}`),
  );
  expect(latency?.workflows).toBe(Number(shown));
});

describe('feature behaviour', () => {
  it('sets values of its feature, from the values that the plans decided', async () => {
    await deploy(['Double', 'export default ({ feature }) => ({ seats: feature.values.seats * 2 })', true]);
    const answer = await acme.check();
    expect(seatsOf(answer)).toBe(10);
    expect(answer.warnings).toEqual([]);
  });

  it('drops values that do not fit, and names them', async () => {
    await deploy(['Too many', 'export default () => ({ seats: 5000, chairs: 1 })', true]);
    const answer = await acme.check();
    expect(seatsOf(answer)).toBe(5);
    expect(answer.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/Too many: team-seats\.seats is dropped: Must be less than or equal to 1,000/),
      expect.stringMatching(/Too many: This version has no property team-seats\.chairs/),
    ]);
  });
});

describe('a workflow that goes wrong', () => {
  it('is left out with a warning, and its execution says why', async () => {
    await deploy(
      ['Throws', 'export default () => { console.warn("near"); throw new TypeError("Not today"); }'],
      ['Works', 'export default () => ["pro"]'],
    );
    const answer = await acme.check();
    expect(answer.customer.plans).toContain('pro');
    expect(codesOf(answer)).toEqual(['workflow-failed']);
    const executions = await executionsOf(answer.requestId);
    expect(executions.find(({ workflowName }) => workflowName === 'Throws')).toMatchObject({
      ...{ success: false, result: null, diagnosticMessages: ['Line 1: TypeError: Not today'] },
      logs: [{ m: 'near', l: 'warn', t: expect.any(Number) }],
      ...{ wallTime: expect.any(Number), seed: answer.requestId },
      input: { identity: { isAuthenticated: false } },
    });
  });

  it('keeps 50 log lines, of 1,000 characters at most', async () => {
    await deploy([
      'Talks',
      'export default () => { console.log("x".repeat(5000)); for (let i = 0; i < 99; i++) console.log(i); return []; }',
    ]);
    const [execution] = await executionsOf((await acme.check()).requestId);
    expect(execution?.logs).toHaveLength(50);
    expect(execution?.logs.map(({ m }) => m.length).slice(0, 2)).toEqual([1000, 1]);
  });

  it('is switched off after 50 kills, and on again by a person', async () => {
    const [looping] = await deploy(['Loops', 'export default () => { for (;;); }']);
    expectConsole('warn', /a workflow is switched off/);
    for (let run = 0; run < 50; run++) expect(codesOf(await acme.check())).toEqual(['workflow-stopped']);
    await eventually(async () => {
      const answer = await acme.check();
      expect(codesOf(answer)).toEqual(['workflow-disabled']);
    });
    const stored = await auditRows(acme.tenant);
    expect(stored.filter(({ action }) => action === 'workflow.switched-off')).toHaveLength(1);

    await acme.setCode(looping as Workflow, 'export default () => ["pro"]');
    await acme.publish();
    expect(codesOf(await acme.check())).toEqual(['workflow-disabled']);
    const path = `/environments/${acme.environmentId}/workflows/${looping?.id}/enable`;
    expect((await acme.tenant.call('POST', path)).status).toBe(204);
    await publishAll(acme.tenant);
    await eventually(async () => expect((await acme.check()).customer.plans).toContain('pro'));
    expect((await acme.tenant.call('POST', path)).status).toBe(204);
    const audited = await auditRows(acme.tenant);
    expect(audited.filter(({ action }) => action === 'workflow.switched-on')).toHaveLength(1);
  });

  it.each([
    ['short', 'export default () => ["pro"]'],
    ['long', LONG],
  ])('stops no check when the runner for %s runs is killed in the middle of 1,000', async (name, code) => {
    await deploy(['Works', code]);
    expectConsole('warn', /the workflow runner did not answer/);
    const control = inject('workflowRunnerControlUrl');
    const started = await fetch(`${control}/start`, { method: 'POST' });
    const text = await started.text();
    expect({ status: started.status, text }).toMatchObject({ status: 200 });
    const withSpare = { ...env, ...(JSON.parse(text) as Partial<Env>) };
    let restarted: Promise<unknown> | null = null;
    const answers: AccessCheckAnswer[] = [];
    const context = createExecutionContext();
    for (let round = 0; round < 50; round++) {
      if (round === 20) restarted = fetch(`${control}/kill/${name}`, { method: 'POST' });
      answers.push(...(await Promise.all(Array.from({ length: 20 }, () => checkWith(withSpare, context)))));
    }
    await Promise.all([restarted, waitOnExecutionContext(context)]);
    expect(answers).toHaveLength(1000);
    const without = answers.filter(({ customer }) => !customer.plans.includes('pro'));
    expect(without.length).toBeGreaterThan(0);
    const warned: readonly string[] = ['workflows-unavailable', 'workflow-stopped'];
    for (const answer of without) expect(codesOf(answer)).toEqual([expect.toBeOneOf(warned)]);
    for (const answer of answers.filter((each) => !without.includes(each)))
      expect(answer.warnings).toEqual([]);
    await eventually(async () => expect((await checkWith(withSpare)).warnings).toEqual([]));
  });

  it('does not stop checks when no runner is bound, or its loader is not', async () => {
    await deploy(['Works', 'export default () => ["pro"]']);
    const { WORKFLOW_RUNNER: _, LONG_WORKFLOW_RUNNER: __, ...withoutRunner } = env;
    expectConsole('error', /workflows cannot run.*WORKFLOW_RUNNER/);
    const answer = await checkWith(withoutRunner);
    expect(answer.customer.plans).toEqual(['starter']);
    expect(codesOf(answer)).toEqual(['workflows-unavailable']);

    // A runner that cannot load code says what it lacks.
    const fetch = (url: string, init: RequestInit<IncomingRequestCfProperties>) =>
      runner.fetch(new Request<unknown, IncomingRequestCfProperties>(url, init), {});
    const withoutLoader = { ...withoutRunner, WORKFLOW_RUNNER: { fetch } as unknown as Fetcher };
    expectConsole('error', /workflows cannot run.*LOADER \(worker_loaders\)/);
    const other = await checkWith(withoutLoader);
    expect(other.customer.plans).toEqual(['starter']);
    expect(codesOf(other)).toEqual(['workflows-unavailable']);
  });
});

describe('the two runners', () => {
  /** @returns which runner each check's workflow ran in; 'long short': the code was asked for */
  async function runnersOf(count: number, bindings: Env = env): Promise<string[]> {
    const calls: string[] = [];
    const counted = (name: string, runner: Fetcher | undefined) =>
      runner && {
        fetch: (url: string, init: RequestInit) => {
          calls.push(name);
          return runner.fetch(url, init);
        },
      };
    const { WORKFLOW_RUNNER: short, LONG_WORKFLOW_RUNNER: long } = bindings;
    const both = { WORKFLOW_RUNNER: counted('short', short), LONG_WORKFLOW_RUNNER: counted('long', long) };
    const runners: string[] = [];
    for (let index = 0; index < count; index++) {
      const answer = await checkWith({ ...bindings, ...both } as unknown as Env);
      expect(answer).toMatchObject({ warnings: [], customer: { plans: ['pro'] } });
      runners.push(calls.splice(0).join(' '));
    }
    return runners;
  }

  it('execute short and long runs apart, with the same outcome', async () => {
    // Long for some customers only, as an anonymous check and one by identifier show below.
    const code = `export default (input) => {
      for (let index = 0; index < (input.identity.isAuthenticated ? 300000 : 1); index++);
      console.log('ran');
      return { plans: ['pro'], mode: 'replace' };
    };`;
    await deploy(['Works', code]);
    const first = await runnersOf(1);
    await eventually(async () => expect(await runnersOf(1)).toEqual(['short']));
    expect(first).not.toContain('short');
    const [executionInShort] = await executionsOf((await acme.check()).requestId);
    await acme.check({ userIdentifier: 'ada@tests.example' });
    expect(await runnersOf(8)).toEqual(Array.from({ length: 8 }, () => 'long'));
    const [executionInLong] = await executionsOf((await acme.check()).requestId);
    const { logs, executionId: _, wallTime: __, seed: ___, input: ____, ...outcome } = executionInShort ?? {};
    expect(executionInLong).toMatchObject({ ...outcome, logs: logs?.map(({ m, l }) => ({ m, l })) });
    expect(outcome).toMatchObject({ success: true, status: 'done', diagnosticMessages: [] });
  });

  it('leave everything to the first if there is no second', async () => {
    const { LONG_WORKFLOW_RUNNER: _, ...withoutSecond } = env;
    const code = 'export default () => ({ plans: ["pro"], mode: "replace" })';
    await deploy(['Works', code]);
    const runners = await runnersOf(10, withoutSecond);
    expect(new Set(runners.flatMap((each) => each.split(' ')))).toEqual(new Set(['short']));
  });
});

describe("the editor's Run pane", () => {
  const loud = 'export default ({ customer }) => { console.log(customer.plans); return ["pro"]; }';
  const runsOf = (workflow: Workflow | undefined) => `/workflows/${workflow?.id}/runs`;

  it('runs unsaved code on a customer, with the check before and after', async () => {
    const [saved] = await deploy(['Saved', 'export default () => []']);
    const run = await acme.tenant.make<WorkflowRun>('POST', runsOf(saved), { compiled: loud });
    expect(run.execution).toMatchObject({
      success: true,
      result: ['pro'],
      logs: [{ m: '["starter"]', l: 'log' }],
    });
    expect(run.before?.response).toMatchObject({ customer: { plans: ['starter'] } });
    const after = run.after?.response as AccessCheckAnswer;
    expect(after.customer.plans.toSorted()).toEqual(['pro', 'starter']);
    expect((await acme.check()).customer.plans).toEqual(['starter']);
  });

  it('runs code before any workflow is deployed', async () => {
    await deploy();
    const first = await acme.tenant.make<Workflow>('POST', '/workflows', {
      ...{ name: 'First', type: 'dynamic-provisioning' },
    });
    const run = await acme.tenant.make<WorkflowRun>('POST', runsOf(first), { compiled: loud });
    expect(run.execution).toMatchObject({ success: true, result: ['pro'] });
    await acme.remove(first);
  });

  it('repeats an execution from its input and seed', async () => {
    const [saved] = await deploy(['Random', 'export default () => [String(Math.random())]']);
    const first = await acme.tenant.make<WorkflowRun>('POST', runsOf(saved), {
      userIdentifier: 'ada@tests.example',
    });
    const { input, seed, result } = first.execution;
    const again = await acme.tenant.make<WorkflowRun>('POST', runsOf(saved), { input, seed });
    expect(again).toMatchObject({ before: null, after: null, execution: { result, input, seed } });
  });

  it('repeats an execution with the code of its version, also of a deleted workflow', async () => {
    const [first] = await deploy(['Changing', 'export default () => ["pro"]']);
    const { artifactId } = await acme.tenant.make<Artifact>('POST', '/artifacts', {});
    const [{ input, seed } = {}] = await executionsOf((await acme.check()).requestId);
    await acme.setCode(first as Workflow, 'export default () => []');
    const again = (body: object) => acme.tenant.call<WorkflowRun>('POST', runsOf(first), { input, ...body });
    const run = (body: object) =>
      again(body).then(({ body: { execution, code } }) => [execution?.result, code]);
    expect(await run({ seed, artifactId })).toEqual([['pro'], 'version']);
    expect(await run({ seed })).toEqual([[], 'saved']);
    expect(await run({ compiled: loud })).toEqual([['pro'], 'sent']);
    expect(await run({ artifactId: 'art_gone' })).toEqual([[], 'saved']);
    for (const body of [
      { artifactId, compiled: loud },
      { artifactId, input: undefined },
      { artifactId: 1 },
    ]) {
      expect((await again(body)).status).toBe(400);
    }
    const other = await workflowTenant();
    const foreign = await other.tenant.call('POST', runsOf(first), { input, artifactId });
    expect(foreign.status).toBe(404);
    await acme.remove(first as Workflow);
    expect(await run({ artifactId })).toEqual([['pro'], 'version']);
    expect((await again({ artifactId: 'art_gone' })).status).toBe(404);
  });

  it('explains a recorded check with its own instant and random numbers', async () => {
    const code = 'export default () => ({ seats: Math.floor(Math.random() * 400) + (Date.now() % 400) })';
    await deploy(['Random', code, true]);
    const answer = await acme.check();
    const seats = await eventually(async () => {
      const path = `/events/${answer.requestId.replace('req', 'evt')}/explanation`;
      const { properties } = await acme.tenant.make<EventExplanation>('GET', path);
      return properties.find(({ property }) => property === 'seats');
    });
    const value = seatsOf(answer);
    expect(seats).toMatchObject({ recorded: { value }, now: { value }, isChanged: false });
  });

  it('repeats a recorded check with its identity and place, wherever the viewer is', async () => {
    const { tenant, key } = acme;
    const signer = await newSigner();
    await integrate(tenant, signer.pem);
    const code = `export default ({ identity, place }) => {
      let seats = 0;
      for (const letter of JSON.stringify([identity, place])) seats = (seats * 31 + letter.charCodeAt(0)) % 997;
      console.log(JSON.stringify([identity.method, identity.identifier, place]));
      return { seats };
    }`;
    const userJwt = await signer.sign({ email: 'ada@tests.example', exp: inSeconds(600) });
    const from = (cf: object) => ({ headers: { 'x-dev-cf': JSON.stringify(cf) } });
    const california = { country: 'US', city: 'Fresno', continent: 'NA', latitude: 36.7, longitude: -119.8 };
    const sydney = from({
      country: 'AU',
      city: 'Sydney',
      continent: 'OC',
      latitude: -33.9,
      longitude: 151.2,
    });
    const before = await eventually(async () => {
      const answer = await check(key, { userJwt }, from(california));
      if (answer.identity.method !== 'jwt') throw new Error('The integration is not published yet');
      return answer;
    });
    await deploy(['Knows who and where', code, true]);
    const answer = await check(key, { userJwt }, from(california));
    const explain = ({ requestId }: AccessCheckAnswer) =>
      eventually(async () => {
        const path = `/api/orgs/${tenant.orgId}/events/${requestId.replace('req', 'evt')}/explanation`;
        const response = await tenant.user.fetch(path, sydney);
        if (response.status !== 200) throw new Error(await response.text());
        const { properties } = (await response.json()) as EventExplanation;
        return properties.find(({ property }) => property === 'seats');
      });
    const decided = { decidedBy: { override: 'workflow Knows who and where' } };
    const value = seatsOf(answer);
    expect(await explain(answer)).toMatchObject({
      ...{ recorded: { value, ...decided }, now: { value, ...decided }, isChanged: false },
    });
    // No workflow ran in the first check, so the place has no coordinates, and the nearest location follows from the country.
    const unknownCity = from({ country: 'US', city: 'Fresno', continent: 'NA' });
    const now = { value: seatsOf(await check(key, { userJwt }, unknownCity)) };
    expect(await explain(before)).toMatchObject({ now, isChanged: true });
  });

  it('does not run other workflows that are disabled, and runs the tried one', async () => {
    const loops = 'export default () => { for (;;); }';
    const [disabled, saved] = await deploy(['Loops', loops], ['Saved', 'export default () => []']);
    expectConsole('warn', /a workflow is switched off/);
    for (let run = 0; run < 50; run++) await acme.check();
    await eventually(async () => expect(codesOf(await acme.check())).toEqual(['workflow-disabled']));
    const runOf = async (workflow: Workflow | undefined) => {
      const { execution, after } = await acme.tenant.make<WorkflowRun>('POST', runsOf(workflow), {
        compiled: loud,
      });
      return { success: execution.success, codes: codesOf(after?.response as AccessCheckAnswer) };
    };
    expect(await runOf(saved)).toEqual({ success: true, codes: ['workflow-disabled'] });
    expect(await runOf(disabled)).toEqual({ success: true, codes: [] });
  });

  it('shows why code cannot run, and refuses nonsense', async () => {
    const [saved] = await deploy(['Saved', 'export default () => []']);
    const { execution } = await acme.tenant.make<WorkflowRun>('POST', runsOf(saved), {
      compiled: 'export default () => fetch("x")',
    });
    expect(execution).toMatchObject({
      success: false,
      diagnosticMessages: [expect.stringMatching(/^Line 1: fetch is not available in workflows\. /)],
    });
    for (const body of [{ input: {} }, { userIdentifier: '' }, { compiled: 'x', code: 1 }]) {
      expect((await acme.tenant.call('POST', runsOf(saved), body)).status).toBe(400);
    }
  });
});

it('a check in an environment without workflows calls no runner', async () => {
  await deploy();
  let calls = 0;
  const runner = { fetch: () => Promise.reject(new Error(`${++calls} calls`)) } as unknown as Fetcher;
  const bindings = { ...env, WORKFLOW_RUNNER: runner, LONG_WORKFLOW_RUNNER: runner };
  expect((await checkWith(bindings)).warnings).toEqual([]);
  expect(calls).toBe(0);
});

/** An anonymous check of a Worker with other bindings. @param shared its background work is left to the caller */
async function checkWith(bindings: Env, shared?: ExecutionContext): Promise<AccessCheckAnswer> {
  const context = shared ?? createExecutionContext();
  const request = new Request<unknown, IncomingRequestCfProperties>(
    'http://localhost:4001/api/v1/access-checks',
    {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
      body: '{}',
    },
  );
  const response = await worker.fetch(request, bindings, context);
  expect(response.status).toBe(200);
  const answer = (await response.json()) as AccessCheckAnswer;
  if (shared === undefined) await waitOnExecutionContext(context);
  return answer;
}

/** Executions of the event with this request's answer. */
async function executionsOf(requestId: string): Promise<WorkflowExecution[]> {
  const eventId = `evt${requestId.slice('req'.length)}`;
  const criteria = encodeURIComponent(JSON.stringify({ eventId }));
  return eventually(async () => {
    await acme.tenant.make<Event>('GET', `/events/${eventId}`);
    const { executions } = await acme.tenant.make<{ executions: WorkflowExecution[] }>(
      'GET',
      `/workflow-execution-search?criteria=${criteria}`,
    );
    return executions;
  });
}
