/** Changes a plan's name, slug, description, grants, and whether it is an add-on: only the fields that were sent, and only if they differ. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Plan, updatePlanSchema } from '#contracts/console/plans';
import { lastActor } from '#worker/db/audit';
import { isCurrentRow, nextUpdatedAt, rowExists } from '#worker/db/commit-if';
import { plan } from '#worker/db/schema/plans';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { changedMeanwhile, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { uniqueSlug } from './create-plan.ts';
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
  const { orgId } = scope;
  const current = await getPlan(db, scope, planId);
  if (changesNothing(current, edit)) return current;

  await change(ctx, scope, {
    when: {
      exists: [rowExists(plan, orgId, planId), () => notFound('The plan')],
      isFresh: [
        isCurrentRow(plan, orgId, planId, updatedAt),
        async () => {
          const now = await getPlan(db, scope, planId);
          return changedMeanwhile('The plan', now, await lastActor(db, orgId, planId));
        },
      ],
    },
    unique: uniqueSlug(edit.slug ?? current.planSlug),
    write: [
      db
        .update(plan)
        .set({ ...edit, updatedAt: nextUpdatedAt(plan, ctx.now) })
        .where(and(eq(plan.id, planId), eq(plan.orgId, orgId))),
    ],
    audit: { action: 'plan.changed', targetId: planId, detail: { fields: Object.keys(edit) } },
    publish: [workspaceOf(scope)],
  });
  return getPlan(db, scope, planId);
}

function changesNothing(current: Plan, edit: Omit<PlanEdit, 'updatedAt'>): boolean {
  const { name = current.name, slug = current.planSlug, description = current.description } = edit;
  const {
    grantToAnonymousSessions = current.grantToAnonymousSessions,
    grantToAuthenticatedUsers = current.grantToAuthenticatedUsers,
    isAddOn = current.isAddOn,
  } = edit;
  return (
    name === current.name &&
    slug === current.planSlug &&
    description === current.description &&
    grantToAnonymousSessions === current.grantToAnonymousSessions &&
    grantToAuthenticatedUsers === current.grantToAuthenticatedUsers &&
    isAddOn === current.isAddOn
  );
}
