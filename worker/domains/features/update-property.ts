/**
 * Changes a property: only what was sent. Bounds and default must fit each other, and new bounds must leave room for
 * what plans configure at present. Key and type never change.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { FeatureProperty, updatePropertySchema } from '#contracts/features';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { normaliseValue } from '#engine/values/normalise-value';
import { commitIf, nextUpdatedAt, rowStands } from '#worker/db/commit-if';
import { featureProperty } from '#worker/db/schema/features';
import { isAtRevision, MAX_EDIT_ATTEMPTS, selectRevision } from '#worker/db/workspace-revision';
import { workspaceChange } from '#worker/domains/artifacts/workspace-change';
import { ApiError, changedMeanwhile, invalidField, invalidRequest, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { checkProperty } from './check-property.ts';
import { issuesOutside, selectConfiguredValues } from './find-values-outside.ts';
import { asProperty, getProperty, type PropertyRow } from './store.ts';

export interface PropertyAddress {
  readonly featureId: string;
  readonly propertyId: string;
  /** Which of the two routes was called: each sees its own kind of property only. */
  readonly isSystem: boolean;
}

export type PropertyEdit = z.output<typeof updatePropertySchema>;

/**
 * Repeating a change that stands already is harmless, also with the `updatedAt` of before.
 * @throws {ApiError} not-found; invalid-request naming the field; conflict with what stands where somebody else's edit
 * came between, or naming the plans whose values new bounds would not allow
 */
export async function updateProperty(
  ctx: RequestContext,
  scope: MemberScope,
  address: PropertyAddress,
  { updatedAt, ...edit }: PropertyEdit,
): Promise<FeatureProperty> {
  const { db } = ctx;
  // Whether a default or bounds may stand depends on rows that others edit: read, decide, and commit only while those
  // are as they were read. Without an updatedAt the caller has seen nothing that could be stale: decide again.
  for (let attempt = 0; attempt < MAX_EDIT_ATTEMPTS; attempt++) {
    const standing = await getOfItsKind(ctx, scope, address);
    const edited = merge(standing, edit);
    if (isSame(standing, edited)) return asProperty(standing);
    if (updatedAt !== undefined && updatedAt !== standing.updatedAt) {
      throw changedMeanwhile('The property', asProperty(standing));
    }
    const issues = checkProperty(edited);
    if (issues.length > 0) throw invalidRequest(issues);
    const leavesRoom = await leavesRoomForPlans(ctx, scope, standing, edited);

    const change = workspaceChange(ctx, scope);
    const { name, description, value, bounds, conflictResolution } = edited;
    const unmet = await commitIf(
      db,
      {
        exists: rowStands(featureProperty, scope.orgId, standing.id),
        isAsRead: rowStands(featureProperty, scope.orgId, standing.id, standing.updatedAt),
        leavesRoom,
      },
      [
        db
          .update(featureProperty)
          .set({
            ...{ name, description, value, bounds, conflictResolution },
            updatedAt: nextUpdatedAt(featureProperty, ctx.now),
          })
          .where(and(eq(featureProperty.id, standing.id), eq(featureProperty.orgId, scope.orgId))),
        ...change.statements,
      ],
    );
    if (unmet === 'exists') throw notFound('The property');
    if (unmet === null) {
      change.announce();
      return asProperty(await getProperty(db, scope, address.featureId, address.propertyId));
    }
  }
  const { featureId, propertyId } = address;
  throw changedMeanwhile('The property', asProperty(await getProperty(db, scope, featureId, propertyId)));
}

async function getOfItsKind(
  ctx: RequestContext,
  scope: MemberScope,
  { featureId, propertyId, isSystem }: PropertyAddress,
): Promise<PropertyRow> {
  const standing = await getProperty(ctx.db, scope, featureId, propertyId);
  if (isSystem && !standing.isSystem) throw notFound('The system property');
  if (!isSystem && standing.isSystem) {
    throw invalidField('propertyId', 'A system property is changed through system-properties');
  }
  return standing;
}

function merge(standing: PropertyRow, edit: Omit<PropertyEdit, 'updatedAt'>): PropertyRow {
  return { ...standing, ...edit, value: normaliseValue(edit.value ?? standing.value) };
}

function isSame(one: PropertyRow, other: PropertyRow): boolean {
  return canonicalJson(asProperty(one)) === canonicalJson(asProperty(other));
}

/**
 * New bounds are committed only while the plans are as they were read here.
 * @returns the condition that says so
 * @throws {ApiError} conflict naming the plans that configure values outside of them
 */
async function leavesRoomForPlans(
  ctx: RequestContext,
  scope: MemberScope,
  standing: PropertyRow,
  edited: PropertyRow,
): Promise<SQL> {
  if (canonicalJson(standing.bounds) === canonicalJson(edited.bounds)) return sql`TRUE`;
  const [[organisation], configured] = await ctx.db.batch([
    selectRevision(ctx.db, scope.orgId),
    selectConfiguredValues(ctx.db, scope, edited),
  ]);
  const issues = issuesOutside(configured, edited.bounds);
  if (issues.length > 0) {
    throw new ApiError('conflict', issues.map(({ message }) => message).join('; '), { issues });
  }
  return isAtRevision(scope.orgId, organisation?.revision ?? 0);
}
