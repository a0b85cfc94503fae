/** Deletes a plan with all its versions. Artifacts that contain the plan keep it. */
import { and, eq } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf, rowExists } from '#worker/db/commit-if';
import { plan } from '#worker/db/schema/plans';
import { workspaceChange } from '#worker/domains/publishing/workspace-change';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { getPlan } from './store.ts';

/** @throws {ApiError} not-found */
export async function deletePlan(ctx: RequestContext, scope: MemberScope, planId: string): Promise<void> {
  const { db } = ctx;
  const { name, planSlug: slug } = await getPlan(db, scope, planId);
  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(db, { exists: rowExists(plan, scope.orgId, planId) }, [
    db.delete(plan).where(and(eq(plan.id, planId), eq(plan.orgId, scope.orgId))),
    auditRow(ctx, scope, { action: 'plan.deleted', targetId: planId, detail: { name, slug } }),
    ...change.statements,
  ]);
  if (unmet !== null) throw notFound('The plan');
  change.announce();
}
