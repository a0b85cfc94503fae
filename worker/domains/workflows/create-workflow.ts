/** Creates a workflow without code: it is part of versions as soon as it has code that compiles. */
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type createWorkflowSchema, MAX_WORKFLOWS, type Workflow } from '#contracts/console/workflows';
import { rowExists } from '#worker/db/commit-if';
import { feature } from '#worker/db/schema/features';
import { workflow } from '#worker/db/schema/workflows';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { ApiError, invalidField } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
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

  const count = sql`(SELECT count(*) FROM ${workflow} WHERE ${workflow.orgId} = ${orgId})`;
  const tooMany = `An organisation can have at most ${MAX_WORKFLOWS} workflows`;
  await change(ctx, scope, {
    when: {
      hasFeature: [
        featureId === null ? sql`TRUE` : rowExists(feature, orgId, featureId),
        () => invalidField('featureId', 'Unknown feature'),
      ],
      isBelowLimit: [sql`${count} < ${MAX_WORKFLOWS}`, () => new ApiError('conflict', tooMany)],
    },
    write: [
      db
        .insert(workflow)
        .values({ id, orgId, name, description, type, featureId, createdAt: now, updatedAt: now }),
    ],
    audit: { action: 'workflow.created', targetId: id, detail: { name, type, featureId } },
    publish: [workspaceOf(scope)],
  });
  return getWorkflow(db, scope, id);
}
