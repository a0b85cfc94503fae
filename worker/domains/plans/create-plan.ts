/** Creates a plan with its first version, which sets no values. */
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type createPlanSchema, MAX_PLANS, type Plan } from '#contracts/console/plans';
import { formatLimit } from '#contracts/public/format-limit';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { isUniqueViolation } from '#worker/db/database';
import { plan, planVersion } from '#worker/db/schema/plans';
import { workspaceChange } from '#worker/domains/publishing/workspace-change';
import { ApiError, duplicate } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
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
    currentVersion: 1,
    createdAt: now,
    updatedAt: now,
  };

  const change = workspaceChange(ctx, scope);
  const isBelowLimit = sql`(SELECT count(*) FROM ${plan} WHERE ${plan.orgId} = ${orgId}) < ${MAX_PLANS}`;
  const unmet = await commitIf(db, { isBelowLimit }, [
    db.insert(plan).values(row),
    db.insert(planVersion).values({
      orgId,
      planId: row.id,
      version: 1,
      properties: {},
      createdAt: now,
      createdByUserId: scope.actor.userId,
    }),
    auditRow(ctx, scope, {
      action: 'plan.created',
      targetId: row.id,
      detail: { name: row.name, slug: row.slug },
    }),
    ...change.statements,
  ]).catch((error: unknown) => {
    throw duplicateSlug(error, row.slug) ?? error;
  });
  if (unmet !== null)
    throw new ApiError('conflict', `An organisation can have at most ${formatLimit(MAX_PLANS)} plans`);

  change.announce();
  return asPlan(row);
}

/** The public error for a write that violates the unique index on slugs; null for any other error. */
export function duplicateSlug(error: unknown, slug: string): ApiError | null {
  if (!isUniqueViolation(error, 'plan.slug')) return null;
  return duplicate('slug', `A plan with the slug "${slug}" already exists`);
}
