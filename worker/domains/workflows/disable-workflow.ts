/** Switches a workflow off in one environment after repeated kills. Replicas learn it with the snapshot. */
import { sql } from 'drizzle-orm';
import { auditRowIf } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { liveEnvironment } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { workflowDisablement } from '#worker/db/schema/workflow-disablements';
import { environmentChange } from '#worker/domains/publishing/workspace-change';
import type { WorkContext } from '#worker/http/request-context';

export interface Disablement {
  readonly orgId: string;
  readonly environmentId: string;
  readonly workflowId: string;
  /** Of the last kill. */
  readonly reason: string;
}

/** Does nothing if another isolate has done it, or without such an environment. */
export async function disableWorkflow(
  ctx: WorkContext,
  { orgId, environmentId, workflowId, reason }: Disablement,
): Promise<void> {
  const { db, now } = ctx;
  const change = environmentChange(ctx, { orgId }, environmentId);
  await commit(db, [
    insertSelect(
      db,
      workflowDisablement,
      { orgId, environmentId, workflowId, reason, disabledAt: now },
      {
        where: sql`EXISTS (SELECT 1 FROM ${environment} WHERE ${liveEnvironment(orgId, environmentId)}) AND NOT EXISTS (SELECT 1 FROM ${workflowDisablement} WHERE environment_id = ${environmentId} AND workflow_id = ${workflowId})`,
      },
    ),
    auditRowIf(ctx, { orgId, actor: null }, sql`changes() > 0`, {
      action: 'workflow.switched-off',
      targetId: workflowId,
      detail: { environmentId, reason },
    }),
    ...change.statements,
  ]);
  change.announce();
}
