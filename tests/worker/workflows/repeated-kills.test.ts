// The share of killed runs is counted per environment, whichever isolate and data location answers. The events are those that isolates
// of two locations send to the organisation's stream.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { Workflow } from '#contracts/console/workflows';
import type { EventGroup } from '#contracts/internal/event-batch';
import { groupsOf, NOON, someEvent } from '#lab/fixtures/recorded-events';
import { eventStreamStub } from '#objects/stubs';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import { auditRows } from '#tests/support/stored-state';
import { type WorkflowTenant, workflowTenant } from '#tests/support/workflows';
import { retryWorkflows } from '#worker/domains/workflows/retry-workflows';
import { switchOffWorkflow } from '#worker/domains/workflows/switch-off-workflow';
import { workContext } from '#worker/http/make-work-context';

const REASON = 'The workflow exceeded its step limit';
/** Duration of a call, milliseconds. */
const DURATION = 100;

let acme: WorkflowTenant;
let workflow: Workflow;
/** When the last call began. */
let clock = NOON;

beforeAll(async () => {
  acme = await workflowTenant();
  workflow = await acme.create('Trial', 'export default () => []');
});

function nextTime(): number {
  clock += DURATION;
  return clock;
}

/** What an isolate sends of calls that began at these times, one after the other unless given. */
function sent(
  status: NonNullable<WorkflowExecution['status']>,
  location: 'weur' | 'enam',
  times: readonly number[] = [nextTime()],
): EventGroup[] {
  const execution: WorkflowExecution = {
    executionId: 'exe_1',
    workflowId: workflow.id,
    workflowName: 'Trial',
    status,
    success: status === 'done',
    result: null,
    logs: [],
    wallTime: 1,
    input: {},
    seed: '',
    diagnosticMessages: status === 'killed' ? [REASON] : [],
  };
  const timings = { totalMs: DURATION, authMs: 0, snapshotMs: 0, ledgerMs: 0, evaluateMs: 0, isCold: false };
  const event = {
    envId: acme.environmentId,
    executions: [execution],
    readDataLocations: [location],
    timings,
  };
  return groupsOf(times.map((time) => someEvent({ ...event, time })));
}

async function deliver(groups: readonly EventGroup[]): Promise<void> {
  const { orgId } = acme.tenant;
  await (await eventStreamStub(env, orgId, undefined)).appendGroups({ orgId, groups });
}

/** Runs of one workflow that ended alike, in turns in two locations, a group of up to 20 each. */
async function deliverRuns(count: number, status: NonNullable<WorkflowExecution['status']>): Promise<void> {
  for (let left = count; left > 0; left -= 20) {
    const times = Array.from({ length: Math.min(left, 20) }, nextTime);
    await deliver(sent(status, left % 40 === 0 ? 'weur' : 'enam', times));
  }
}

const disabledIn = async () =>
  (await acme.tenant.make<Workflow>('GET', `/workflows/${workflow.id}`)).disabledIn;
const audited = async (action: string) =>
  (await auditRows(acme.tenant)).filter((row) => row.action === action).length;

/** The path that enables the workflow again. */
const enabling = () => `/environments/${acme.environmentId}/workflows/${workflow.id}/enable`;

async function enable(): Promise<void> {
  expect((await acme.tenant.call('POST', enabling())).status).toBe(204);
  expect(await disabledIn()).toEqual([]);
}

it('half of 50 runs in two locations switch a workflow off, and enabling it counts from zero', async () => {
  await deliverRuns(30, 'done');
  await deliverRuns(24, 'killed');
  await deliverRuns(25, 'failed');
  // The runs before the first kill do not count: 24 of 49 were killed since.
  expect(await disabledIn()).toEqual([]);
  // A group that is delivered twice counts once.
  const again = sent('killed', 'weur');
  expectConsole('warn', /a workflow is switched off.*"runs":50,"kills":25\b/);
  await deliver(again);
  await deliver(again);
  await eventually(async () => expect(await disabledIn()).toEqual([acme.environmentId]));
  expect(await audited('workflow.switched-off')).toBe(1);

  await enable();
  await deliverRuns(49, 'killed');
  expect(await disabledIn()).toEqual([]);
  expectConsole('warn', /a workflow is switched off.*"runs":50,"kills":50\b/);
  await deliverRuns(1, 'killed');
  await eventually(async () => expect(await disabledIn()).toEqual([acme.environmentId]));
  expect(await audited('workflow.switched-off')).toBe(2);
});

it('runs that were lost or did not begin count for nobody', async () => {
  await enable();
  await deliverRuns(60, 'lost');
  await deliverRuns(60, 'skipped');
  await deliverRuns(24, 'killed');
  await deliverRuns(200, 'lost');
  await deliverRuns(25, 'done');
  expect(await disabledIn()).toEqual([]);
  const stream = await eventStreamStub(env, acme.tenant.orgId, undefined);
  expect(await stream.isKilledRepeatedly(acme.environmentId, workflow.id)).toBe(false);
});

it('kills of more than ten minutes ago are forgotten', async () => {
  await enable();
  await deliverRuns(40, 'killed');
  clock += 10 * 60_000;
  await deliverRuns(40, 'killed');
  expect(await disabledIn()).toEqual([]);
  clock += 10 * 60_000;
  await deliverRuns(1, 'done');
  await deliverRuns(49, 'killed');
  expect(await disabledIn()).toEqual([]);
});

it('enabling an unknown workflow is a 404, and nothing is published', async () => {
  const { environmentId, tenant } = acme;
  const generation = () =>
    env.DB.prepare('SELECT generation FROM environment WHERE id = ?').bind(environmentId).first('generation');
  const before = await generation();
  const path = `/environments/${environmentId}/workflows/wf_unknown/enable`;
  expect((await tenant.call('POST', path)).status).toBe(404);
  expect(await generation()).toBe(before);
});

it('a workflow that was enabled again stays enabled when an earlier message is delivered again', async () => {
  const { environmentId, tenant } = acme;
  await enable();
  await deliverRuns(20, 'killed');
  const switchedOff = await audited('workflow.switched-off');
  await switchOffWorkflow(workContext(env, Date.now), {
    type: 'workflow.killed-repeatedly',
    orgId: tenant.orgId,
    environmentId,
    workflowId: workflow.id,
    runs: 50,
    kills: 50,
    reason: REASON,
  });
  expect(await disabledIn()).toEqual([]);
  expect(await audited('workflow.switched-off')).toBe(switchedOff);
  // Nor does it start the count again.
  expectConsole('warn', /a workflow is switched off.*"kills":50\b/);
  await deliverRuns(30, 'killed');
  await eventually(async () => expect(await disabledIn()).toEqual([environmentId]));
});

it('a workflow that was switched off is tried again an hour later, and not before', async () => {
  // Rows that nobody else removes come first: a deleted workflow may still be deployed, a deleted environment is not.
  const orphan = env.DB.prepare(
    'INSERT INTO workflow_disablement (org_id, environment_id, workflow_id, reason, disabled_at, retry_at) VALUES (?, ?, ?, ?, 1, 1)',
  );
  const gone = await acme.tenant.make<{ id: string }>('POST', '/environments', {
    name: 'Gone',
    description: null,
    url: null,
    type: 'test',
  });
  await env.DB.batch([
    orphan.bind(acme.tenant.orgId, acme.environmentId, 'wf_deleted', REASON),
    orphan.bind(acme.tenant.orgId, gone.id, workflow.id, REASON),
  ]);
  expect((await acme.tenant.call('DELETE', `/environments/${gone.id}`)).status).toBe(204);
  const tried = await audited('workflow.switched-on');
  await retryWorkflows(workContext(env, () => Date.now() + 59 * 60_000));
  expect(await disabledIn()).toEqual([acme.environmentId]);
  await retryWorkflows(workContext(env, () => Date.now() + 60 * 60_000));
  expect(await disabledIn()).toEqual([]);
  expect(await audited('workflow.switched-on')).toBe(tried + 2);
  const left = await env.DB.prepare('SELECT count(*) AS count FROM workflow_disablement').first();
  expect(left).toEqual({ count: 0 });
});
