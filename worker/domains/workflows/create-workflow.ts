/** Creates a workflow without code: it is part of versions as soon as it has code that compiles. */
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type createWorkflowSchema, MAX_WORKFLOWS, type Workflow } from '#contracts/console/workflows';
import { auditRow } from '#worker/db/audit';
import { commitIf, rowExists } from '#worker/db/commit-if';
import { feature } from '#worker/db/schema/features';
import { workflow } from '#worker/db/schema/workflows';
import { workspaceChange } from '#worker/domains/publishing/workspace-change';
import { ApiError, invalidField } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { getWorkflow } from './store.ts';

/** @throws {ApiError} invalid-request for an unknown feature; conflict when there are too many workflows */
export async function createWorkflow(
  ctx: RequestContext,
  scope: MemberScope,
  body: z.output<typeof createWorkflowSchema>,
): Promise<Workflow> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const { name, type, description = null, featureId = null } = body;
  const id = ctx.newId('wf');

  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(
    db,
    {
      hasFeature: featureId === null ? sql`TRUE` : rowExists(feature, orgId, featureId),
      isBelowLimit: sql`(SELECT count(*) FROM ${workflow} WHERE ${workflow.orgId} = ${orgId}) < ${MAX_WORKFLOWS}`,
    },
    [
      db
        .insert(workflow)
        .values({ id, orgId, name, description, type, featureId, createdAt: now, updatedAt: now }),
      auditRow(ctx, scope, { action: 'workflow.created', targetId: id, detail: { name, type, featureId } }),
      ...change.statements,
    ],
  );
  if (unmet === 'hasFeature') throw invalidField('featureId', 'Unknown feature');
  if (unmet === 'isBelowLimit') {
    throw new ApiError('conflict', `An organisation can have at most ${MAX_WORKFLOWS} workflows`);
  }

  change.announce();
  return getWorkflow(db, scope, id);
}
