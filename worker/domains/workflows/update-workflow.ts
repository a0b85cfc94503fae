/** Changes a workflow's details or its source: only the fields that were sent, and only if they differ. */
import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { MAX_TOTAL_CODE_BYTES, type updateWorkflowSchema, type Workflow } from '#contracts/console/workflows';
import { sha256Hex } from '#runtime/hash';
import { nextUpdatedAt } from '#worker/db/commit-if';
import { changedFields, recordEdit } from '#worker/db/field-changes';
import { workflow } from '#worker/db/schema/workflows';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { checkCode, keepPrepared } from '#worker/domains/workflow-code/prepare-code';
import { ApiError, invalidRequest } from '#worker/http/api-error';
import { isAsEdited } from '#worker/http/edited-row';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { limitSave, limitTrialCode } from './limit-trial-runs.ts';
import { runSavedTests } from './run-saved-tests.ts';
import { getWorkflow } from './store.ts';
import { forgetResults } from './test-store.ts';

type WorkflowEdit = Omit<z.output<typeof updateWorkflowSchema>, 'updatedAt'>;

/**
 * The saved tests run on the new code after the answer.
 * Idempotent: an edit that changes nothing succeeds, even with an outdated `updatedAt`.
 * @throws {ApiError} not-found; invalid-request for code that is no workflow; rate-limited; unavailable; conflict when all code together is too large, or
 * with the current workflow when somebody else edited it meanwhile
 */
export async function updateWorkflow(
  ctx: RequestContext,
  scope: MemberScope,
  workflowId: string,
  { updatedAt, ...body }: z.output<typeof updateWorkflowSchema>,
): Promise<Workflow> {
  const { db } = ctx;
  const { orgId } = scope;
  const current = await getWorkflow(db, scope, workflowId);
  const { source, compiled } = body;
  const edit = changedFields(current, body);
  const isDraftSaved = current.isDraft && compiled !== undefined;
  if (Object.keys(edit).length === 0 && !isDraftSaved) return current;
  if (compiled !== undefined) await checkAndKeep(ctx, scope, { id: workflowId, compiled });

  const tooLarge = `The code of all workflows together can have at most ${MAX_TOTAL_CODE_BYTES / 1024 / 1024} MB`;
  await change(ctx, scope, {
    when: {
      ...isAsEdited(ctx, scope, {
        what: 'The workflow',
        table: workflow,
        id: workflowId,
        updatedAt,
        readCurrent: () => getWorkflow(db, scope, workflowId),
      }),
      hasRoom: [hasRoomFor(orgId, workflowId, body), () => new ApiError('conflict', tooLarge)],
    },
    write: [
      db
        .update(workflow)
        .set({
          ...body,
          ...(compiled === undefined ? {} : { compiledSource: source }),
          updatedAt: nextUpdatedAt(workflow, ctx.now),
        })
        .where(and(eq(workflow.id, workflowId), eq(workflow.orgId, orgId))),
      ...(compiled === undefined ? [] : [forgetResults(db, scope, workflowId)]),
    ],
    audit: {
      action: 'workflow.changed',
      targetId: workflowId,
      detail: recordEdit(current, body, ['source', 'compiled']),
    },
    publish: [workspaceOf(scope)],
  });
  if (compiled !== undefined) ctx.waitUntil(runSavedTests(ctx, scope, workflowId));
  return getWorkflow(db, scope, workflowId);
}

/** @throws {ApiError} invalid-request with the problems of the code; rate-limited; unavailable if code cannot be read now */
async function checkAndKeep(
  ctx: RequestContext,
  scope: MemberScope,
  code: { readonly id: string; readonly compiled: string },
): Promise<void> {
  await limitSave(ctx, scope);
  const { problems, ...prepared } = await checkCode(ctx.env, scope, code, async () =>
    limitTrialCode(ctx, scope, await sha256Hex(code.compiled)),
  );
  if (problems.length > 0) {
    throw invalidRequest(
      problems.map(({ line, message }) => ({
        path: 'compiled',
        message: line === null ? message : `Line ${line}: ${message}`,
      })),
    );
  }
  await keepPrepared(ctx.env, scope, code, prepared);
}

/** Condition: with this code, versions stay below the limit. */
function hasRoomFor(orgId: string, workflowId: string, { source, compiled }: WorkflowEdit): SQL {
  if (source === undefined || compiled === undefined) return sql`TRUE`;
  const bytes = new TextEncoder().encode(source + compiled).byteLength;
  const others = and(eq(workflow.orgId, orgId), ne(workflow.id, workflowId));
  const size = sql`length(CAST(${workflow.compiledSource} AS BLOB)) + length(CAST(${workflow.compiled} AS BLOB))`;
  return sql`(SELECT coalesce(sum(${size}), 0) FROM ${workflow} WHERE ${others}) + ${bytes} <= ${MAX_TOTAL_CODE_BYTES}`;
}
