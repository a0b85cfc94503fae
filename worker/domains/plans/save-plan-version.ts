/**
 * Makes a plan's next version out of an edit of a former one. Of two people who edited the same version the first one
 * wins; the other is told what stands now. Versions are never changed.
 */
import { and, eq, or, sql } from 'drizzle-orm';
import type { PlanProperties, PlanVersion } from '#contracts/plans';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { commitIf } from '#worker/db/commit-if';
import type { Db } from '#worker/db/database';
import { featureProperty } from '#worker/db/schema/features';
import { plan, planVersion } from '#worker/db/schema/plans';
import { isAtRevision, MAX_EDIT_ATTEMPTS, selectRevision } from '#worker/db/workspace-revision';
import { workspaceChange } from '#worker/domains/artifacts/workspace-change';
import { ApiError, changedMeanwhile, invalidRequest, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext, Scope } from '#worker/http/request-context';
import { checkPlanProperties } from './check-plan-properties.ts';
import { asPlanVersion, type PlanVersionRow } from './store.ts';

export interface PlanVersionEdit {
  readonly planId: string;
  /** The version that the edit was made on; null for what cannot be one. */
  readonly version: number | null;
  readonly properties: PlanProperties;
}

/**
 * What is the content of the current version already makes no new one: the current one is answered, so that a repeated
 * call does no harm, whatever version it was made on.
 *
 * The decision rests on the plan and on the features it names. It is committed only while the workspace is at the
 * revision that both were read at, so a feature deleted in the same moment is either seen here, or deleted after; what
 * then dangles in the plan is left out of artifacts by engine/artifacts/compile-artifact.
 * @throws {ApiError} not-found; invalid-request naming the fields; conflict with the version that stands now
 */
export async function savePlanVersion(
  ctx: RequestContext,
  scope: MemberScope,
  userId: string,
  edit: PlanVersionEdit,
): Promise<PlanVersion> {
  const { db, now } = ctx;
  const { orgId } = scope;
  for (let attempt = 0; attempt < MAX_EDIT_ATTEMPTS; attempt++) {
    const { revision, base, current, known } = await readStanding(db, scope, edit);
    const { properties, issues } = checkPlanProperties(edit.properties, base.properties, known);
    if (issues.length === 0 && canonicalJson(properties) === canonicalJson(current.properties)) {
      return asPlanVersion(current, current.version);
    }
    if (base.version !== current.version) {
      throw changedMeanwhile('The plan', asPlanVersion(current, current.version));
    }
    if (issues.length > 0) throw invalidRequest(issues);

    const next: PlanVersionRow = {
      orgId,
      planId: current.planId,
      version: current.version + 1,
      properties,
      createdAt: now,
      createdByUserId: userId,
    };
    const change = workspaceChange(ctx, scope);
    const unmet = await commitIf(db, { isSettled: isAtRevision(orgId, revision) }, [
      db.insert(planVersion).values(next),
      db
        .update(plan)
        .set({ currentVersion: next.version })
        .where(and(eq(plan.id, next.planId), eq(plan.orgId, orgId))),
      ...change.statements,
    ]);
    if (unmet === null) {
      change.announce();
      return asPlanVersion(next, next.version);
    }
  }
  throw new ApiError('conflict', 'The workspace is being changed by others at this moment. Try again.');
}

/** All that the decision rests on, at one instant. */
async function readStanding(db: Db, { orgId }: Scope, { planId, version, properties }: PlanVersionEdit) {
  const featureIds = JSON.stringify(Object.keys(properties));
  const isPlan = and(eq(plan.id, planId), eq(plan.orgId, orgId));
  const isCurrent = sql`${planVersion.version} = (SELECT ${plan.currentVersion} FROM ${plan} WHERE ${isPlan})`;
  const [[organisation], [planRow], versions, known] = await db.batch([
    selectRevision(db, orgId),
    db.select({ currentVersion: plan.currentVersion }).from(plan).where(isPlan),
    db
      .select()
      .from(planVersion)
      .where(
        and(
          eq(planVersion.planId, planId),
          eq(planVersion.orgId, orgId),
          or(eq(planVersion.version, version ?? 0), isCurrent),
        ),
      ),
    db
      .select()
      .from(featureProperty)
      .where(
        and(
          eq(featureProperty.orgId, orgId),
          sql`${featureProperty.featureId} IN (SELECT value FROM json_each(${featureIds}))`,
        ),
      ),
  ]);
  if (organisation === undefined || planRow === undefined) throw notFound('The plan');
  const base = versions.find((row) => row.version === version);
  const current = versions.find((row) => row.version === planRow.currentVersion);
  if (base === undefined || current === undefined) throw notFound('The version of the plan');
  return { revision: organisation.revision, base, current, known };
}
