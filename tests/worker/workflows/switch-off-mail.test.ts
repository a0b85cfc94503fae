// Owners and admins get one mail when a workflow is disabled in an environment, and at most one a day about the same workflow there.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { Workflow } from '#contracts/console/workflows';
import { DAY_MS, HOUR_MS } from '#engine/durations';
import { groupsOf, NOON, someEvent } from '#lab/fixtures/recorded-events';
import { eventStreamStub } from '#objects/stubs';
import type { SwitchOffNoticeDue } from '#runtime/messages';
import { mailsTo, newMember, type SignedIn } from '#tests/support/accounts';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import { auditRows } from '#tests/support/stored-state';
import { deliver, newTenant, outboxMessages, publishAll, type Tenant } from '#tests/support/tenants';
import { openDatabase } from '#worker/db/database';
import { outboxRow } from '#worker/queue/outbox';

const REASON = 'The workflow exceeded its step limit';

let tenant: Tenant;
let environmentId: string;
let admin: SignedIn;
let member: SignedIn;
let clock = NOON;

beforeAll(async () => {
  tenant = await newTenant();
  environmentId = await tenant.previewId();
  [admin, member] = await Promise.all([
    newMember(tenant.user, tenant.orgId, 'admin'),
    newMember(tenant.user, tenant.orgId),
  ]);
});

const newWorkflow = (name: string) =>
  tenant.make<Workflow>('POST', '/workflows', { name, type: 'dynamic-provisioning' });
const subjects = async ({ email }: SignedIn, name: string) =>
  (await mailsTo(email)).map(({ subject }) => subject).filter((subject) => subject.includes(name));
const noticesIn = (messages: Awaited<ReturnType<typeof outboxMessages>>) =>
  messages.filter(({ type }) => type === 'workflow.switch-off-notice-due');
const switchedOff = async ({ id }: Workflow) =>
  (await auditRows(tenant)).filter((row) => row.action === 'workflow.switched-off' && row.targetId === id)
    .length;

/** Fifty calls in which the workflow was killed, and the messages that follow from it. */
async function disable(workflow: Workflow): Promise<void> {
  const before = await switchedOff(workflow);
  expectConsole('warn', /a workflow is switched off/);
  const execution: WorkflowExecution = {
    executionId: 'exe_1',
    workflowId: workflow.id,
    workflowName: workflow.name,
    status: 'killed',
    success: false,
    result: null,
    logs: [],
    wallTime: 1,
    input: {},
    seed: '',
    diagnosticMessages: [REASON],
  };
  const timings = { totalMs: 1, authMs: 0, snapshotMs: 0, ledgerMs: 0, evaluateMs: 0, isCold: false };
  const { orgId } = tenant;
  const stream = await eventStreamStub(env, orgId, undefined);
  for (let round = 0; round < 5; round++) {
    const events = Array.from({ length: 10 }, () => {
      clock += 100;
      return someEvent({ envId: environmentId, executions: [execution], time: clock, timings });
    });
    await stream.appendGroups({ orgId, groups: groupsOf(events) });
  }
  await eventually(async () => expect(await switchedOff(workflow)).toBe(before + 1));
}

it('owners and admins get one mail that says which, where, why and what happens next, however often its message comes', async () => {
  const workflow = await newWorkflow('Trial');
  await disable(workflow);
  const notices = noticesIn(await outboxMessages(tenant.orgId));
  for (const { email } of [tenant.user, admin]) {
    await expect
      .poll(async () => (await mailsTo(email)).some(({ subject }) => subject.includes('Trial')))
      .toBe(true);
  }
  const [mail] = (await mailsTo(admin.email)).filter(({ subject }) => subject.includes('Trial'));
  expect(mail?.subject).toMatch(/^Workflow Trial is disabled in Preview/);
  expect(mail?.text).toContain(`The reason for the last one: ${REASON}.`);
  expect(mail?.text).toMatch(/on \d+ \w+ at \d\d:\d\d UTC/);
  expect(mail?.text).toContain('tries it again after an hour');
  expect(mail?.links[0]).toContain(`/o/${tenant.orgId}/workflows/${workflow.id}/manage`);
  await publishAll(tenant);
  await deliver('tessera-publish', notices);
  expect(await subjects(tenant.user, 'Trial')).toHaveLength(1);
  expect(await subjects(admin, 'Trial')).toHaveLength(1);
  expect((await mailsTo(member.email)).map(({ subject }) => subject)).not.toContainEqual(/Trial/);

  // Disabled again on the same day.
  await tenant.call('POST', `/environments/${environmentId}/workflows/${workflow.id}/enable`);
  await disable(workflow);
  await publishAll(tenant);
  expect(await subjects(tenant.user, 'Trial')).toHaveLength(1);
});

it.each([
  ['a day later it is mailed again', DAY_MS + HOUR_MS, null, 2, 1],
  ['also after 24 hours in which it was disabled without a mail', HOUR_MS, null, 0, 1],
  ['within a day it is not', DAY_MS - HOUR_MS, null, 2, 0],
  ['another environment is mailed at once', HOUR_MS, 'env_other', 2, 1],
] as const)('%s', async (name, ageMs, elsewhere, mails, expected) => {
  const workflow = await newWorkflow(name);
  await env.DB.prepare(
    "INSERT INTO audit_log (id, org_id, action, target_id, detail, at) VALUES (?, ?, 'workflow.switched-off', ?, ?, ?)",
  )
    .bind(
      `aud_${workflow.id}`,
      tenant.orgId,
      workflow.id,
      JSON.stringify({ environmentId: elsewhere ?? environmentId, mails }),
      Date.now() - ageMs,
    )
    .run();
  await disable(workflow);
  // The queue alone: a message that is delivered twice at once is mailed twice.
  await expect.poll(async () => noticesIn(await outboxMessages(tenant.orgId))).toEqual([]);
  expect(await subjects(tenant.user, name)).toHaveLength(expected);
});

it('nobody who has left meanwhile is mailed', async () => {
  const message: SwitchOffNoticeDue = {
    type: 'workflow.switch-off-notice-due',
    outboxId: 'out_late',
    orgId: tenant.orgId,
    userId: admin.userId,
    environmentId,
    workflowId: 'wf_late',
    workflowName: 'Late news',
    disabledAt: NOON,
    reason: REASON,
  };
  await outboxRow(openDatabase(env.DB), message, NOON);
  await env.DB.prepare('DELETE FROM member WHERE user_id = ?').bind(admin.userId).run();
  await publishAll(tenant);
  expect(await subjects(admin, 'Late news')).toEqual([]);
});
