/** Changes a plan's name, slug, description and grants: only the fields that were sent, and only if they differ. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Plan, updatePlanSchema } from '#contracts/console/plans';
import { auditRow, lastActor } from '#worker/db/audit';
import { commitIf, isCurrentRow, nextUpdatedAt, rowExists } from '#worker/db/commit-if';
import { plan } from '#worker/db/schema/plans';
import { workspaceChange } from '#worker/domains/publishing/workspace-change';
import { changedMeanwhile, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { duplicateSlug } from './create-plan.ts';
import { getPlan } from './store.ts';

type PlanEdit = z.output<typeof updatePlanSchema>;

/**
 * Idempotent: an edit that changes nothing succeeds, even with an outdated `updatedAt`.
 * @throws {ApiError} not-found; conflict for a slug that exists, or with the current plan when somebody else edited it
 * meanwhile
 */
export async function updatePlan(
  ctx: RequestContext,
  scope: MemberScope,
  planId: string,
  { updatedAt, ...edit }: PlanEdit,
): Promise<Plan> {
  const { db } = ctx;
  const current = await getPlan(db, scope, planId);
  if (changesNothing(current, edit)) return current;

  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(
    db,
    {
      exists: rowExists(plan, scope.orgId, planId),
      isFresh: isCurrentRow(plan, scope.orgId, planId, updatedAt),
    },
    [
      db
        .update(plan)
        .set({ ...edit, updatedAt: nextUpdatedAt(plan, ctx.now) })
        .where(and(eq(plan.id, planId), eq(plan.orgId, scope.orgId))),
      auditRow(ctx, scope, {
        action: 'plan.changed',
        targetId: planId,
        detail: { fields: Object.keys(edit) },
      }),
      ...change.statements,
    ],
  ).catch((error: unknown) => {
    throw duplicateSlug(error, edit.slug ?? current.planSlug) ?? error;
  });
  if (unmet === 'exists') throw notFound('The plan');
  if (unmet === 'isFresh') {
    const changedBy = await lastActor(db, scope.orgId, planId);
    throw changedMeanwhile('The plan', await getPlan(db, scope, planId), changedBy);
  }

  change.announce();
  return getPlan(db, scope, planId);
}

function changesNothing(current: Plan, edit: Omit<PlanEdit, 'updatedAt'>): boolean {
  const { name = current.name, slug = current.planSlug, description = current.description } = edit;
  const {
    grantToAnonymousSessions = current.grantToAnonymousSessions,
    grantToAuthenticatedUsers = current.grantToAuthenticatedUsers,
  } = edit;
  return (
    name === current.name &&
    slug === current.planSlug &&
    description === current.description &&
    grantToAnonymousSessions === current.grantToAnonymousSessions &&
    grantToAuthenticatedUsers === current.grantToAuthenticatedUsers
  );
}
