/**
 * Consumer of workflow.killed-repeatedly: switches a workflow off in one environment. Replicas learn it with the snapshot. The event
 * stream counts kills and repeats the message until it is acknowledged.
 */
import { sql } from 'drizzle-orm';
import { MINUTE_MS } from '#engine/durations';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { liveEnvironment } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { workflowDisablement } from '#worker/db/schema/workflow-disablements';
import { openEventStream } from '#worker/domains/events/reads';
import { environmentChange } from '#worker/domains/publishing/workspace-change';
import type { WorkContext } from '#worker/http/request-context';
import type { WorkflowKilledRepeatedly } from '#worker/queue/messages';

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
  const stream = await openEventStream(ctx, { orgId });
  // A message that is delivered again may be from before the workflow was enabled.
  if (!(await stream.isKilledRepeatedly(environmentId, workflowId))) return;
  const change = environmentChange(ctx, { orgId }, environmentId);
  const unmet = await commitIf(
    db,
    {
      hasEnvironment: sql`EXISTS (SELECT 1 FROM ${environment} WHERE ${liveEnvironment(orgId, environmentId)})`,
      isOn: sql`NOT EXISTS (SELECT 1 FROM ${workflowDisablement} WHERE environment_id = ${environmentId} AND workflow_id = ${workflowId})`,
    },
    [
      db.insert(workflowDisablement).values({
        ...{ orgId, environmentId, workflowId, reason },
        ...{ disabledAt: now, retryAt: now + RETRY_AFTER_MS },
      }),
      auditRow(
        ctx,
        { orgId, actor: null },
        {
          action: 'workflow.switched-off',
          targetId: workflowId,
          detail: { environmentId, reason, runs, kills },
        },
      ),
      ...change.statements,
    ],
  );
  if (unmet === null) {
    ctx.log.warn('a workflow is switched off', { orgId, environmentId, workflowId, runs, kills, reason });
    change.announce();
  }
  await stream.forgetKills(environmentId, workflowId);
}
