/** Switches a workflow on again in an environment where kills switched it off. */
import { and, eq, sql } from 'drizzle-orm';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { workflowDisablement } from '#worker/db/schema/workflow-disablements';
import { forgetKills } from '#worker/domains/events/instruct-stream';
import { environmentsOf } from '#worker/domains/publishing/publications';
import { notFound } from '#worker/http/api-error';
import type { ActorScope, WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { getWorkflow } from './store.ts';

/**
 * Its kills are counted from zero. Idempotent.
 * @throws {ApiError} not-found without such an environment or workflow
 */
export async function enableWorkflow(
  ctx: WorkContext,
  scope: ActorScope,
  environmentId: string,
  workflowId: string,
): Promise<void> {
  const { db } = ctx;
  const { orgId } = scope;
  const [found] = await listEnvironmentIds(db, liveEnvironment(orgId, environmentId));
  if (found === undefined) throw notFound('The environment');
  await getWorkflow(db, scope, workflowId);
  await switchOn(ctx, scope, environmentId, workflowId);
}

/** Also for a workflow that was deleted from the workspace: a deployed version may still contain it. */
export async function switchOn(
  ctx: WorkContext,
  scope: ActorScope,
  environmentId: string,
  workflowId: string,
): Promise<void> {
  const { db } = ctx;
  const { orgId } = scope;
  await forgetKills(ctx, scope, environmentId, workflowId);
  await change(ctx, scope, {
    write: [
      db
        .delete(workflowDisablement)
        .where(
          and(
            eq(workflowDisablement.orgId, orgId),
            eq(workflowDisablement.environmentId, environmentId),
            eq(workflowDisablement.workflowId, workflowId),
          ),
        ),
    ],
    audit: {
      action: 'workflow.switched-on',
      targetId: workflowId,
      detail: { environmentId },
      onlyIf: sql`changes() > 0`,
    },
    publish: [environmentsOf(scope, environmentId)],
  });
}
