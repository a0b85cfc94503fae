/** Deletes a plan with all its versions. Artifacts that hold it keep it. */
import { and, eq } from 'drizzle-orm';
import { commitIf, rowStands } from '#worker/db/commit-if';
import { plan } from '#worker/db/schema/plans';
import { workspaceChange } from '#worker/domains/artifacts/workspace-change';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';

/** @throws {ApiError} not-found */
export async function deletePlan(ctx: RequestContext, scope: MemberScope, planId: string): Promise<void> {
  const { db } = ctx;
  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(db, { exists: rowStands(plan, scope.orgId, planId) }, [
    db.delete(plan).where(and(eq(plan.id, planId), eq(plan.orgId, scope.orgId))),
    ...change.statements,
  ]);
  if (unmet !== null) throw notFound('The plan');
  change.announce();
}
