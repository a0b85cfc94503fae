/**
 * Creates a plan's next version from an edit of an earlier one. When two people edit the same version the first wins,
 * and the second gets a conflict with the current version. Versions never change.
 */
import { and, eq, or, sql } from 'drizzle-orm';
import type { PlanProperties, PlanVersion } from '#contracts/console/plans';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import type { Db } from '#worker/db/database';
import { recordValues } from '#worker/db/field-changes';
import { featureProperty } from '#worker/db/schema/features';
import { organization } from '#worker/db/schema/organisations';
import { plan, planVersion } from '#worker/db/schema/plans';
import { isAtRevision, MAX_EDIT_ATTEMPTS, selectRevision } from '#worker/db/workspace-revision';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { ApiError, changedMeanwhile, invalidRequest, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext, Scope } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { checkPlanProperties } from './check-plan-properties.ts';
import { findOtherWindows } from './find-other-windows.ts';
import { findResourcePayers } from './find-resource-payers.ts';
import { findWrongSeats } from './find-wrong-seats.ts';
import { asPlanVersion, type PlanVersionRow } from './store.ts';

export interface PlanVersionEdit {
  readonly planId: string;
  /** The version that the edit was made on; null for an invalid number. */
  readonly version: number | null;
  readonly properties: PlanProperties;
}

/**
 * Idempotent: when the edit equals the current version no new one is created, whatever version the edit was made on.
 *
 * The decision depends on the plan and on the features it names. It commits only at the workspace revision that both
 * were read at, so a concurrent deletion of a feature is either seen here or happens afterwards; compileArtifact drops
 * values of deleted features.
 * @throws {ApiError} not-found; invalid-request naming the fields; conflict with the current version
 */
export async function savePlanVersion(
  ctx: RequestContext,
  scope: MemberScope,
  edit: PlanVersionEdit,
): Promise<PlanVersion> {
  const { db, now } = ctx;
  const { orgId } = scope;
  for (let attempt = 0; attempt < MAX_EDIT_ATTEMPTS; attempt++) {
    const { revision, base, current, known } = await readForEdit(db, scope, edit);
    const { properties, issues } = checkPlanProperties(edit.properties, base.properties, known);
    if (issues.length === 0 && canonicalJson(properties) === canonicalJson(current.properties)) {
      return asPlanVersion(current, current.version);
    }
    if (base.version !== current.version) {
      throw changedMeanwhile('The plan', asPlanVersion(current, current.version));
    }
    if (issues.length > 0) throw invalidRequest(issues);
    const otherWindows = await findOtherWindows(db, scope, edit, known);
    if (otherWindows.length > 0) throw invalidRequest(otherWindows);
    const resourcePayers = await findResourcePayers(db, scope, edit.properties);
    if (resourcePayers.length > 0) throw invalidRequest(resourcePayers);
    const wrongSeats = await findWrongSeats(db, scope, edit.properties);
    if (wrongSeats.length > 0) throw invalidRequest(wrongSeats);

    const next: PlanVersionRow = {
      orgId,
      planId: current.planId,
      version: current.version + 1,
      properties,
      createdAt: now,
      createdByUserId: scope.actor.userId,
    };
    const before = valuesOf(current.properties);
    const notSet = Object.fromEntries(Object.keys(before).map((id) => [id, null]));
    const { unmet } = await change(ctx, scope, {
      when: { isSettled: isAtRevision(orgId, revision) },
      write: [
        db.insert(planVersion).values(next),
        db
          .update(plan)
          .set({ currentVersion: next.version })
          .where(and(eq(plan.id, next.planId), eq(plan.orgId, orgId))),
        db.update(organization).set({ limitOrder: 'rate' }).where(eq(organization.id, orgId)),
      ],
      audit: {
        action: 'plan.version-created',
        targetId: next.planId,
        detail: { version: next.version, ...recordValues(before, { ...notSet, ...valuesOf(properties) }) },
      },
      publish: [workspaceOf(scope)],
    });
    if (unmet === null) return asPlanVersion(next, next.version);
  }
  throw new ApiError('conflict', 'Someone else is changing the workspace. Try again.');
}

/** By property id. */
function valuesOf(properties: PlanProperties): Record<string, unknown> {
  return Object.fromEntries(
    Object.values(properties).flatMap((values) => values.map(({ id, value }) => [id, value])),
  );
}

/** Everything the decision depends on, in one transaction. */
async function readForEdit(db: Db, { orgId }: Scope, { planId, version, properties }: PlanVersionEdit) {
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
