/** The current values of an organisation's plans, a page at a time, for the comparison of plans. */
import { and, asc, eq, sql } from 'drizzle-orm';
import { PLAN_VERSIONS_PER_PAGE, type planEndpoints } from '#contracts/console/plans';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { Db } from '#worker/db/database';
import { plan, planVersion } from '#worker/db/schema/plans';
import { notFound } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';
import { asPlanVersion } from './store.ts';

/**
 * In the order of listPlans.
 * @param after the last plan of the previous page
 * @throws {ApiError} not-found for an `after` that does not exist (any more)
 */
export async function listPlanVersions(
  db: Db,
  { orgId }: Scope,
  after: string | undefined,
): Promise<AnswerOf<typeof planEndpoints.listVersions>> {
  const isOwn = eq(plan.orgId, orgId);
  const [marks, rows] = await db.batch([
    db
      .select({ id: plan.id })
      .from(plan)
      .where(and(isOwn, eq(plan.id, after ?? ''))),
    db
      .select({ version: planVersion, currentVersion: plan.currentVersion })
      .from(plan)
      .innerJoin(
        planVersion,
        and(eq(planVersion.planId, plan.id), eq(planVersion.version, plan.currentVersion)),
      )
      .where(
        and(
          isOwn,
          after === undefined
            ? undefined
            : sql`(${plan.createdAt}, ${plan.id}) > (SELECT mark.created_at, mark.id FROM ${plan} AS mark
                WHERE mark.id = ${after} AND mark.org_id = ${orgId})`,
        ),
      )
      .orderBy(asc(plan.createdAt), asc(plan.id))
      .limit(PLAN_VERSIONS_PER_PAGE + 1),
  ]);
  if (after !== undefined && marks.length === 0) throw notFound('The plan');
  const versions = rows
    .slice(0, PLAN_VERSIONS_PER_PAGE)
    .map(({ version, currentVersion }) => asPlanVersion(version, currentVersion));
  const isMore = rows.length > PLAN_VERSIONS_PER_PAGE;
  return { versions, next: isMore ? (versions.at(-1)?.planId ?? null) : null };
}
