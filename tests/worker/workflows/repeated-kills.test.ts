// Kills in a row are counted per environment, whichever isolate and data location answers. The events are those that isolates of two
// locations send to the organisation's stream.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { Workflow } from '#contracts/console/workflows';
import type { EventGroup } from '#contracts/internal/event-batch';
import { eventStreamStub } from '#objects/stubs';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import { groupsOf, NOON, someEvent } from '#tests/support/recorded-events';
import { auditRows } from '#tests/support/stored-state';
import { type WorkflowTenant, workflowTenant } from '#tests/support/workflows';
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
    ...{ executionId: 'exe_1', workflowId: workflow.id, workflowName: 'Trial', status },
    ...{ success: status === 'done', result: null, logs: [], wallTime: 1, input: {}, seed: '' },
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

async function deliverKills(count: number): Promise<void> {
  for (let kill = 0; kill < count; kill++) await deliver(sent('killed', kill % 2 === 0 ? 'weur' : 'enam'));
}

const disabledIn = async () =>
  (await acme.tenant.make<Workflow>('GET', `/workflows/${workflow.id}`)).disabledIn;
const audited = async (action: string) =>
  (await auditRows(acme.tenant)).filter((row) => row.action === action).length;

it('five kills in a row in two locations switch a workflow off, and enabling it counts from zero', async () => {
  // A run that ends by itself, in any location, ends the row.
  await deliverKills(4);
  await deliver(sent('failed', 'enam'));
  await deliverKills(3);
  // Calls that were under way together count once, and so does a group that is delivered twice.
  await deliver(
    sent(
      'killed',
      'enam',
      [clock + 1, clock + 2, clock + 3].map((at) => at - DURATION),
    ),
  );
  const again = sent('killed', 'weur');
  await deliver(again);
  await deliver(again);
  // A run without an answer counts a quarter, and one that did not begin not at all.
  for (let run = 0; run < 3; run++) await deliver([...sent('lost', 'weur'), ...sent('skipped', 'enam')]);
  expect(await disabledIn()).toEqual([]);

  expectConsole('warn', /a workflow is switched off.*"kills":5\b/);
  await deliver(sent('lost', 'enam'));
  await eventually(async () => expect(await disabledIn()).toEqual([acme.environmentId]));
  expect(await audited('workflow.switched-off')).toBe(1);

  const path = `/environments/${acme.environmentId}/workflows/${workflow.id}/enable`;
  expect((await acme.tenant.call('POST', path)).status).toBe(204);
  expect(await disabledIn()).toEqual([]);
  await deliverKills(4);
  await deliver(sent('done', 'weur'));
  await deliverKills(4);
  expect(await disabledIn()).toEqual([]);
  await deliverKills(1);
  await eventually(async () => expect(await disabledIn()).toEqual([acme.environmentId]));
  expect(await audited('workflow.switched-off')).toBe(2);
});

it('a workflow that was enabled again stays enabled when an earlier message is delivered again', async () => {
  const { environmentId, tenant } = acme;
  const path = `/environments/${environmentId}/workflows/${workflow.id}/enable`;
  expect((await tenant.call('POST', path)).status).toBe(204);
  await deliverKills(2);
  const switchedOff = await audited('workflow.switched-off');
  await switchOffWorkflow(workContext(env, Date.now), {
    ...{ type: 'workflow.killed-repeatedly', orgId: tenant.orgId, environmentId, workflowId: workflow.id },
    ...{ kills: 5, reason: REASON },
  });
  expect(await disabledIn()).toEqual([]);
  expect(await audited('workflow.switched-off')).toBe(switchedOff);
  // Nor does it start the count again.
  expectConsole('warn', /a workflow is switched off.*"kills":5\b/);
  await deliverKills(3);
  await eventually(async () => expect(await disabledIn()).toEqual([environmentId]));
});
