// Access checks in which customers' workflows run: in the Worker's own loader, as in production, except where the local process is meant.

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { z } from 'zod';
import type { Artifact } from '#contracts/console/artifacts';
import type { EventExplanation } from '#contracts/console/event-explanation';
import type { EventMetrics } from '#contracts/console/event-metrics';
import type { Event } from '#contracts/console/events';
import type { RecordedRun, WorkflowExecution } from '#contracts/console/workflow-executions';
import type { workflowRunSchema } from '#contracts/console/workflow-runs';
import type { Workflow } from '#contracts/console/workflows';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { inSeconds, newSigner } from '#lab/fixtures/tokens';
import { check, propertyOf, send } from '#tests/support/access-checks';
import { recordedEvent } from '#tests/support/call-events';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import { publicRequest } from '#tests/support/public-requests';
import { auditRows } from '#tests/support/stored-state';
import { publishAll } from '#tests/support/tenants';
import { integrate } from '#tests/support/token-checks';
import { withProcess } from '#tests/support/workflow-runs';
import { type WorkflowTenant, workflowTenant } from '#tests/support/workflows';
import { eventIdOf } from '#worker/domains/access/calls/record-call';
import type { Env } from '#worker/env';
import worker from '#worker/index';

type WorkflowRun = z.output<typeof workflowRunSchema>;

let acme: WorkflowTenant;
let workflows: Workflow[] = [];

beforeAll(async () => {
  acme = await workflowTenant();
});

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

  it('receives the context of the check, which no answer of another context replaces', async () => {
    await deploy(['By context', 'export default ({ context }) => context.beta === true ? ["pro"] : []']);
    const beta = { context: { beta: true, page: '/prices' } };
    for (const [body, seats] of [
      [beta, 50],
      [{}, 5],
      [{ context: { beta: false } }, 5],
      [beta, 50],
      [{ context: {} }, 5],
    ] as const) {
      expect(seatsOf(await acme.check(body)), JSON.stringify(body)).toBe(seats);
    }
    const { requestId } = await acme.check(beta);
    const event = await recordedEvent(acme.tenant, requestId);
    expect(event.request).toEqual(beta);
    const explained = await acme.tenant.make<EventExplanation>(
      'GET',
      `/events/${eventIdOf(requestId)}/explanation`,
    );
    expect(explained.now?.plans).toContain('pro');
  });

  it('replaces plans, and several workflows run side by side', async () => {
    await deploy(
      ['Only pro', 'export default () => ({ plans: ["pro"], mode: "replace" })'],
      ['Nothing more', 'export default () => []'],
    );
    expect((await acme.check()).customer.plans).toEqual(['pro']);
  });

  it('receives frozen plain data: the identity, the customer, the place, the context and the instant', async () => {
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
        isCustomer: false,
        id: 'ada@tests.example',
        email: 'ada@tests.example',
        plans: [],
        productIds: [],
        metadata: {},
        createdAt: null,
        subscriptions: [],
      },
      place: { country: null, city: null, continent: null, location: expect.any(String) },
      context: {},
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
  const { latency } = await recordedEvent(acme.tenant, requestId);
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
    const [throws] = await deploy(
      ['Throws', 'export default () => { console.warn("near"); throw new TypeError("Not today"); }'],
      ['Works', 'export default () => ["pro"]'],
    );
    const answer = await acme.check();
    expect(answer.customer.plans).toContain('pro');
    expect(codesOf(answer)).toEqual(['workflow-failed']);
    const executions = await executionsOf(answer.requestId);
    expect(executions.find(({ workflowName }) => workflowName === 'Throws')).toMatchObject({
      success: false,
      result: null,
      diagnosticMessages: ['Line 1: TypeError: Not today'],
      logs: [{ m: 'near', l: 'warn', t: expect.any(Number) }],
      wallTime: expect.any(Number),
      seed: answer.requestId,
      input: { identity: { isAuthenticated: false } },
    });
    const criteria = encodeURIComponent(JSON.stringify({ workflowId: throws?.id, isFailed: true }));
    const { runs } = await acme.tenant.make<{ runs: RecordedRun[] }>(
      'GET',
      `/workflow-run-search?criteria=${criteria}`,
    );
    // Those of the checks that waited for the deployment are others.
    expect(runs).toContainEqual(
      expect.objectContaining({
        eventId: eventIdOf(answer.requestId),
        status: 'failed',
        reason: 'Line 1: TypeError: Not today',
      }),
    );
    const day = encodeURIComponent('{"range":"24h"}');
    const { workflows } = await acme.tenant.make<EventMetrics>('GET', `/event-metrics?criteria=${day}`);
    expect(workflows.find(({ id }) => id === throws?.id)?.runs).toMatchObject({
      done: 0,
      failed: runs.length,
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

  it('runs alone for a minute, in an isolate of its own, after one broke with several workflows in it', async () => {
    await deploy(
      ['Breaks', 'export default () => ["starter"]'],
      ['Works', 'export default () => ({ plans: ["pro"], mode: "replace" })'],
    );
    const real = env.LOADER as WorkerLoader;
    const names: string[] = [];
    /** Loses the isolate of whatever contains the first workflow, as the platform does at a limit. */
    const get: WorkerLoader['get'] = (name, codeOf) => {
      names.push(name ?? '');
      const code = codeOf() as WorkerLoaderWorkerCode;
      const isLost = Object.values(code.modules).some((text) => String(text).includes('["starter"]'));
      return isLost
        ? ({
            getEntrypoint: () => ({ run: () => Promise.reject(new Error('CPU')) }),
          } as unknown as WorkerStub)
        : real.get(name, codeOf);
    };
    const bindings = { ...env, LOADER: { get } as WorkerLoader };
    expect(codesOf(await checkWith(bindings))).toEqual(['workflow-stopped', 'workflow-stopped']);
    const answer = await checkWith(bindings);
    expect({ codes: codesOf(answer), plans: answer.customer.plans }).toEqual({
      codes: ['workflow-stopped'],
      plans: ['pro'],
    });
    expect(new Set(names).size).toBe(3);
    const executions = await executionsOf(answer.requestId);
    expect(executions.map(({ workflowName, status }) => `${workflowName} ${status}`).toSorted()).toEqual([
      'Breaks killed',
      'Works done',
    ]);
  });

  it('stops no check when the local process is killed among them', async () => {
    await deploy(['Works', 'export default () => ["pro"]']);
    expectConsole('warn', /the workflow runner did not answer/);
    const bindings = { ...withProcess(), WORKFLOW_PATIENCE_MS: '2000' };
    await eventually(async () => expect((await checkWith(bindings)).warnings).toEqual([]));
    const answers: AccessCheckAnswer[] = [];
    const lacksPlan = ({ customer }: AccessCheckAnswer) => !customer.plans.includes('pro');
    // A process that is back before it is called was missed by nobody.
    for (let kills = 0; kills < 5 && !answers.some(lacksPlan); kills++) {
      let isRestarted = false;
      const restarted = fetch(inject('workflowRunnerControlUrl'), { method: 'POST' }).finally(() => {
        isRestarted = true;
      });
      const context = createExecutionContext();
      while (!isRestarted) {
        answers.push(...(await Promise.all(Array.from({ length: 10 }, () => checkWith(bindings, context)))));
      }
      await Promise.all([restarted, waitOnExecutionContext(context)]);
    }
    const without = answers.filter(lacksPlan);
    expect(without.length).toBeGreaterThan(0);
    const warned: readonly string[] = ['workflows-unavailable', 'workflow-stopped'];
    for (const answer of without) expect(codesOf(answer)).toEqual([expect.toBeOneOf(warned)]);
    for (const answer of answers.filter((each) => !without.includes(each)))
      expect(answer.warnings).toEqual([]);
    await eventually(async () => expect((await checkWith(bindings)).warnings).toEqual([]));
    const disabled = 'SELECT count(*) AS count FROM workflow_disablement WHERE org_id = ?';
    expect(await env.DB.prepare(disabled).bind(acme.tenant.orgId).first('count')).toBe(0);
  });

  it('does not stop checks where no loader is bound', async () => {
    await deploy(['Works', 'export default () => ["pro"]']);
    const { LOADER: _, ...withoutLoader } = env;
    expectConsole('error', /workflows cannot run.*LOADER/);
    const answer = await checkWith(withoutLoader);
    expect(answer.customer.plans).toEqual(['starter']);
    expect(codesOf(answer)).toEqual(['workflows-unavailable']);
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
      name: 'First',
      type: 'dynamic-provisioning',
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
      const path = `/events/${eventIdOf(answer.requestId)}/explanation`;
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
        const path = `/api/orgs/${tenant.orgId}/events/${eventIdOf(requestId)}/explanation`;
        const response = await tenant.user.fetch(path, sydney);
        if (response.status !== 200) throw new Error(await response.text());
        const { properties } = (await response.json()) as EventExplanation;
        return properties.find(({ property }) => property === 'seats');
      });
    const decided = { decidedBy: { override: 'workflow Knows who and where' } };
    const value = seatsOf(answer);
    expect(await explain(answer)).toMatchObject({
      recorded: { value, ...decided },
      now: { value, ...decided },
      isChanged: false,
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
      compiled: 'import "x";\nexport default () => []',
    });
    expect(execution).toMatchObject({
      success: false,
      diagnosticMessages: ['Line 1: Workflows cannot import modules'],
    });
    for (const body of [{ input: {} }, { userIdentifier: '' }, { compiled: 'x', code: 1 }]) {
      expect((await acme.tenant.call('POST', runsOf(saved), body)).status).toBe(400);
    }
  });
});

it('a check in an environment without workflows asks no loader', async () => {
  await deploy();
  const get = () => {
    throw new Error('It was asked');
  };
  const bindings = { ...env, LOADER: { get } as unknown as WorkerLoader };
  expect((await checkWith(bindings)).warnings).toEqual([]);
});

/** An anonymous check of a Worker with other bindings. @param shared its background work is left to the caller */
async function checkWith(bindings: Env, shared?: ExecutionContext): Promise<AccessCheckAnswer> {
  const context = shared ?? createExecutionContext();
  const request = publicRequest('access-checks', acme.key);
  const response = await worker.fetch(request, bindings, context);
  expect(response.status).toBe(200);
  const answer = (await response.json()) as AccessCheckAnswer;
  if (shared === undefined) await waitOnExecutionContext(context);
  return answer;
}

/** Executions of the event with this request's answer. */
async function executionsOf(requestId: string): Promise<WorkflowExecution[]> {
  const eventId = eventIdOf(requestId);
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
