/** Changes a plan's name, slug, description, grants, and whether it is an add-on or public: only the fields that were sent, and only if they differ. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Plan, updatePlanSchema } from '#contracts/console/plans';
import { nextUpdatedAt } from '#worker/db/commit-if';
import { changedFields, recordEdit } from '#worker/db/field-changes';
import { plan } from '#worker/db/schema/plans';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { isAsEdited } from '#worker/http/edited-row';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { uniqueSlug } from './create-plan.ts';
import { getPlan } from './store.ts';

/**
 * Idempotent: an edit that changes nothing succeeds, even with an outdated `updatedAt`.
 * @throws {ApiError} not-found; conflict for a slug that exists, or with the current plan when somebody else edited it
 * meanwhile
 */
export async function updatePlan(
  ctx: RequestContext,
  scope: MemberScope,
  planId: string,
  { updatedAt, ...body }: z.output<typeof updatePlanSchema>,
): Promise<Plan> {
  const { db } = ctx;
  const { orgId } = scope;
  const found = await getPlan(db, scope, planId);
  const current = { ...found, slug: found.planSlug };
  const edit = changedFields(current, body);
  if (Object.keys(edit).length === 0) return found;

  await change(ctx, scope, {
    when: isAsEdited(ctx, scope, {
      what: 'The plan',
      table: plan,
      id: planId,
      updatedAt,
      readCurrent: () => getPlan(db, scope, planId),
    }),
    unique: uniqueSlug(edit.slug ?? current.slug),
    write: [
      db
        .update(plan)
        .set({ ...body, updatedAt: nextUpdatedAt(plan, ctx.now) })
        .where(and(eq(plan.id, planId), eq(plan.orgId, orgId))),
    ],
    audit: { action: 'plan.changed', targetId: planId, detail: recordEdit(current, edit) },
    publish: [workspaceOf(scope)],
  });
  return getPlan(db, scope, planId);
}
