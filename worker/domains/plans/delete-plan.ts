/** Deletes a plan with all its versions. Artifacts that contain the plan keep it, and so do grants as long as one does. */
import { and, eq, sql } from 'drizzle-orm';
import { rowExists } from '#worker/db/commit-if';
import { insertSelect } from '#worker/db/insert-select';
import { customerGrant, deletedPlan } from '#worker/db/schema/customers';
import { plan } from '#worker/db/schema/plans';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { getPlan } from './store.ts';

/** @throws {ApiError} not-found */
export async function deletePlan(ctx: RequestContext, scope: MemberScope, planId: string): Promise<void> {
  const { db } = ctx;
  const { name, planSlug: slug } = await getPlan(db, scope, planId);
  const isGranted = sql`EXISTS (SELECT 1 FROM ${customerGrant}
    WHERE ${and(eq(customerGrant.orgId, scope.orgId), eq(customerGrant.planId, planId))})`;
  await change(ctx, scope, {
    when: { exists: [rowExists(plan, scope.orgId, planId), () => notFound('The plan')] },
    write: [
      db.delete(plan).where(and(eq(plan.id, planId), eq(plan.orgId, scope.orgId))),
      insertSelect(db, deletedPlan, { orgId: scope.orgId, planId }, { where: isGranted }),
    ],
    audit: { action: 'plan.deleted', targetId: planId, detail: { name, slug } },
    publish: [workspaceOf(scope)],
  });
}
