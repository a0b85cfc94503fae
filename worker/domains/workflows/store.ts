/** Reads workflows, in the shapes of the API. */
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Workflow, WorkflowSummary } from '#contracts/console/workflows';
import type { Db } from '#worker/db/database';
import { workflowDisablement } from '#worker/db/schema/workflow-disablements';
import { workflowTest } from '#worker/db/schema/workflow-tests';
import { workflow } from '#worker/db/schema/workflows';
import { notFound } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';

const summaryColumns = {
  id: workflow.id,
  name: workflow.name,
  description: workflow.description,
  type: workflow.type,
  featureId: workflow.featureId,
  enabled: workflow.enabled,
  isDraft: sql`${workflow.source} IS NOT ${workflow.compiledSource}`.mapWith(Boolean),
  isCompiled: sql`${workflow.compiled} IS NOT NULL`.mapWith(Boolean),
  disabledIn: sql`(SELECT json_group_array(d.environment_id) FROM ${workflowDisablement} AS d
    WHERE d.workflow_id = ${workflow}.id AND d.org_id = ${workflow}.org_id)`.mapWith(
    (list: string) => JSON.parse(list) as string[],
  ),
  tests: sql`(SELECT json_object(
      'passed', count(*) FILTER (WHERE t.status = 'passed'),
      'failed', count(*) FILTER (WHERE t.status = 'failed'),
      'notRun', count(*) FILTER (WHERE coalesce(t.status, 'not-run') = 'not-run'))
    FROM ${workflowTest} AS t WHERE t.workflow_id = ${workflow}.id AND t.org_id = ${workflow}.org_id)`.mapWith(
    (counts: string) => JSON.parse(counts) as WorkflowSummary['tests'],
  ),
  createdAt: workflow.createdAt,
  updatedAt: workflow.updatedAt,
};

/** Oldest first. */
export function listWorkflows(db: Db, { orgId }: Scope): Promise<WorkflowSummary[]> {
  return db
    .select(summaryColumns)
    .from(workflow)
    .where(eq(workflow.orgId, orgId))
    .orderBy(asc(workflow.createdAt), asc(workflow.id));
}

/** @throws {ApiError} not-found */
export async function getWorkflow(db: Db, { orgId }: Scope, workflowId: string): Promise<Workflow> {
  const [found] = await db
    .select({ ...summaryColumns, source: workflow.source, compiled: workflow.compiled })
    .from(workflow)
    .where(and(eq(workflow.id, workflowId), eq(workflow.orgId, orgId)));
  if (found === undefined) throw notFound('The workflow');
  return found;
}

/** Also of disabled workflows. */
export function listCompiledCode(db: Db, { orgId }: Scope) {
  return db
    .select({
      id: workflow.id,
      name: workflow.name,
      featureId: workflow.featureId,
      compiled: workflow.compiled,
    })
    .from(workflow)
    .where(eq(workflow.orgId, orgId))
    .orderBy(asc(workflow.createdAt), asc(workflow.id));
}
