/** Creates a plan with its first version, which sets no values. */
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type createPlanSchema, MAX_PLANS, type Plan } from '#contracts/console/plans';
import { formatLimit } from '#contracts/public/format-limit';
import { plan, planVersion } from '#worker/db/schema/plans';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { ApiError, duplicate } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { asPlan, type PlanRow } from './store.ts';

/** @throws {ApiError} conflict for a slug that exists, and when there are too many plans */
export async function createPlan(
  ctx: RequestContext,
  scope: MemberScope,
  body: z.output<typeof createPlanSchema>,
): Promise<Plan> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const row: PlanRow = {
    id: ctx.newId('plan'),
    orgId,
    name: body.name,
    slug: body.slug,
    description: body.description ?? null,
    grantToAnonymousSessions: false,
    grantToAuthenticatedUsers: false,
    isAddOn: false,
    isPublic: false,
    currentVersion: 1,
    createdAt: now,
    updatedAt: now,
  };

  const isBelowLimit = sql`(SELECT count(*) FROM ${plan} WHERE ${plan.orgId} = ${orgId}) < ${MAX_PLANS}`;
  const tooMany = `An organisation can have at most ${formatLimit(MAX_PLANS)} plans`;
  await change(ctx, scope, {
    when: { isBelowLimit: [isBelowLimit, () => new ApiError('conflict', tooMany)] },
    unique: uniqueSlug(row.slug),
    write: [
      db.insert(plan).values(row),
      db.insert(planVersion).values({
        orgId,
        planId: row.id,
        version: 1,
        properties: {},
        createdAt: now,
        createdByUserId: scope.actor.userId,
      }),
    ],
    audit: { action: 'plan.created', targetId: row.id, detail: { name: row.name, slug: row.slug } },
    publish: [workspaceOf(scope)],
  });
  return asPlan(row);
}

/** The error of a write that violates the unique index on slugs. */
export function uniqueSlug(slug: string) {
  return { 'plan.slug': () => duplicate('slug', `A plan with the slug "${slug}" already exists`) };
}
