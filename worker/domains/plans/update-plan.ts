/** Changes what a plan is called and whom it is granted to: only what was sent, and only if it differs. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Plan, updatePlanSchema } from '#contracts/plans';
import { commitIf, nextUpdatedAt, rowStands } from '#worker/db/commit-if';
import { plan } from '#worker/db/schema/plans';
import { workspaceChange } from '#worker/domains/artifacts/workspace-change';
import { changedMeanwhile, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { refusedSlug } from './create-plan.ts';
import { getPlan } from './store.ts';

type PlanEdit = z.output<typeof updatePlanSchema>;

/**
 * Repeating a change that stands already is harmless, also with the `updatedAt` of before.
 * @throws {ApiError} not-found; conflict for a slug that stands already, or with what stands where somebody else's
 * edit came between
 */
export async function updatePlan(
  ctx: RequestContext,
  scope: MemberScope,
  planId: string,
  { updatedAt, ...edit }: PlanEdit,
): Promise<Plan> {
  const { db } = ctx;
  const standing = await getPlan(db, scope, planId);
  if (changesNothing(standing, edit)) return standing;

  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(
    db,
    {
      exists: rowStands(plan, scope.orgId, planId),
      isFresh: rowStands(plan, scope.orgId, planId, updatedAt),
    },
    [
      db
        .update(plan)
        .set({ ...edit, updatedAt: nextUpdatedAt(plan, ctx.now) })
        .where(and(eq(plan.id, planId), eq(plan.orgId, scope.orgId))),
      ...change.statements,
    ],
  ).catch((error: unknown) => {
    throw refusedSlug(error, edit.slug ?? standing.planSlug) ?? error;
  });
  if (unmet === 'exists') throw notFound('The plan');
  if (unmet === 'isFresh') throw changedMeanwhile('The plan', await getPlan(db, scope, planId));

  change.announce();
  return getPlan(db, scope, planId);
}

function changesNothing(standing: Plan, edit: Omit<PlanEdit, 'updatedAt'>): boolean {
  const { name = standing.name, slug = standing.planSlug, description = standing.description } = edit;
  const {
    grantToAnonymousSessions = standing.grantToAnonymousSessions,
    grantToAuthenticatedUsers = standing.grantToAuthenticatedUsers,
  } = edit;
  return (
    name === standing.name &&
    slug === standing.planSlug &&
    description === standing.description &&
    grantToAnonymousSessions === standing.grantToAnonymousSessions &&
    grantToAuthenticatedUsers === standing.grantToAuthenticatedUsers
  );
}
