/**
 * Consumer of workflow.killed-repeatedly: switches a workflow off in one environment. Replicas learn it with the snapshot, owners and
 * admins by mail. The event stream counts kills and repeats the message until it is acknowledged.
 */
import { and, eq, gt, sql } from 'drizzle-orm';
import { DAY_MS, MINUTE_MS } from '#engine/durations';
import type { SwitchOffNoticeDue, WorkflowKilledRepeatedly } from '#runtime/messages';
import { liveEnvironment } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { auditLog } from '#worker/db/schema/operations';
import { workflowDisablement } from '#worker/db/schema/workflow-disablements';
import { workflow } from '#worker/db/schema/workflows';
import { forgetKills } from '#worker/domains/events/instruct-stream';
import { isKilledRepeatedly } from '#worker/domains/events/reads';
import { listAdministrators } from '#worker/domains/organisations/list-administrators';
import { environmentsOf } from '#worker/domains/publishing/publications';
import type { WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';

/** A workflow that stays bad is switched off every hour; of an environment, it is mailed once in this time. */
const MAIL_AGAIN_MS = DAY_MS;

/** After this long the workflow is tried again (retry-workflows.ts). */
export const RETRY_AFTER_MS = 60 * MINUTE_MS;

/**
 * Changes nothing if the workflow is off already or no longer has that share of kills, or without such an environment.
 * @throws errors of D1 or the event stream: the queue retries
 */
export async function switchOffWorkflow(
  ctx: WorkContext,
  { orgId, environmentId, workflowId, runs, kills, reason }: WorkflowKilledRepeatedly,
): Promise<void> {
  const { db, now } = ctx;
  // A message that is delivered again may be from before the workflow was enabled.
  if (!(await isKilledRepeatedly(ctx, { orgId }, environmentId, workflowId))) return;
  const notices = await noticesOf(ctx, { orgId, environmentId, workflowId, reason });
  const scope = { orgId, actor: null };
  const { unmet } = await change(ctx, scope, {
    when: {
      hasEnvironment: sql`EXISTS (SELECT 1 FROM ${environment} WHERE ${liveEnvironment(orgId, environmentId)})`,
      isOn: sql`NOT EXISTS (SELECT 1 FROM ${workflowDisablement} WHERE environment_id = ${environmentId} AND workflow_id = ${workflowId})`,
    },
    write: [
      db.insert(workflowDisablement).values({
        orgId,
        environmentId,
        workflowId,
        reason,
        disabledAt: now,
        retryAt: now + RETRY_AFTER_MS,
      }),
    ],
    audit: {
      action: 'workflow.switched-off',
      targetId: workflowId,
      detail: { environmentId, reason, runs, kills, mails: notices.length },
    },
    publish: [environmentsOf(scope, environmentId), { messages: notices }],
  });
  if (unmet === null)
    ctx.log.warn('a workflow is switched off', { orgId, environmentId, workflowId, runs, kills, reason });
  await forgetKills(ctx, { orgId }, environmentId, workflowId);
}

/** One for each owner and admin. None if the audit log has a switching-off that was mailed within a day. */
async function noticesOf(
  { db, now, newId }: WorkContext,
  of: Pick<SwitchOffNoticeDue, 'orgId' | 'environmentId' | 'workflowId' | 'reason'>,
): Promise<SwitchOffNoticeDue[]> {
  const { orgId, environmentId, workflowId } = of;
  const [recipients, mailed, known] = await Promise.all([
    listAdministrators(db, { orgId }),
    db
      .select({ id: auditLog.id })
      .from(auditLog)
      .where(
        and(
          ...[eq(auditLog.orgId, orgId), eq(auditLog.targetId, workflowId)],
          ...[eq(auditLog.action, 'workflow.switched-off'), gt(auditLog.at, now - MAIL_AGAIN_MS)],
          sql`${auditLog.detail} ->> 'environmentId' = ${environmentId} AND ${auditLog.detail} ->> 'mails' > 0`,
        ),
      )
      .get(),
    db
      .select({ name: workflow.name })
      .from(workflow)
      .where(and(eq(workflow.id, workflowId), eq(workflow.orgId, orgId)))
      .get(),
  ]);
  if (mailed !== undefined) return [];
  const workflowName = known?.name ?? 'that was deleted from the workspace';
  return recipients.map(({ userId }) => ({
    type: 'workflow.switch-off-notice-due',
    outboxId: newId('out'),
    ...of,
    userId,
    workflowName,
    disabledAt: now,
  }));
}
