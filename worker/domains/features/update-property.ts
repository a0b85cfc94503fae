/**
 * Changes a property: only the fields that were sent. Bounds and default must fit each other, and new bounds must allow
 * the values that plans currently set. Key and type never change.
 */

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { FeatureProperty, updatePropertySchema } from '#contracts/console/features';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { normaliseValue } from '#engine/values/kinds/normalise-value';
import { lastActor } from '#worker/db/audit';
import { isCurrentRow, nextUpdatedAt, rowExists } from '#worker/db/commit-if';
import { recordEdit } from '#worker/db/field-changes';
import { featureProperty } from '#worker/db/schema/features';
import { readConfigured, selectConfiguredValues } from '#worker/db/select-configured-values';
import { isAtRevision, MAX_EDIT_ATTEMPTS, selectRevision } from '#worker/db/workspace-revision';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { ApiError, changedMeanwhile, invalidField, invalidRequest, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { allowCosts, nameCosts, storedCost } from './check-costs.ts';
import { checkProperty } from './check-property.ts';
import { issuesOfWindows, issuesOutside } from './find-values-outside.ts';
import { asProperty, getProperty, type PropertyRow } from './store.ts';

export interface PropertyAddress {
  readonly featureId: string;
  readonly propertyId: string;
  /** Which of the two routes was called: each sees its own kind of property only. */
  readonly isSystem: boolean;
}

export type PropertyEdit = z.output<typeof updatePropertySchema>;

/**
 * Idempotent: an edit that changes nothing succeeds, even with an outdated `updatedAt`.
 * @throws {ApiError} not-found; invalid-request naming the field; conflict with the current property when somebody
 * else edited it meanwhile, or naming the plans with values outside the new bounds
 */
export async function updateProperty(
  ctx: RequestContext,
  scope: MemberScope,
  address: PropertyAddress,
  { updatedAt, ...edit }: PropertyEdit,
): Promise<FeatureProperty> {
  const { db } = ctx;
  // Valid defaults and bounds depend on rows that others edit: read, decide, and commit only if those rows are still as
  // read. Otherwise read and decide again, up to MAX_EDIT_ATTEMPTS times.
  for (let attempt = 0; attempt < MAX_EDIT_ATTEMPTS; attempt++) {
    const current = await getForRoute(ctx, scope, address);
    const edited = merge(current, edit);
    if (isSame(current, edited)) return asProperty(current);
    if (updatedAt !== undefined && updatedAt !== current.updatedAt) {
      throw changedMeanwhile(
        'The property',
        asProperty(current),
        await lastActor(db, scope.orgId, current.id),
      );
    }
    const issues = checkProperty(edited);
    if (issues.length > 0) throw invalidRequest(issues);
    const allowsPlans = await isAllowedByPlans(ctx, scope, current, edited);
    const allowsCosts = await allowCosts(db, scope, edited);
    const costsBefore = await nameCosts(db, scope, current.costs);
    const costsAfter = await nameCosts(db, scope, edited.costs);

    const { name, description, value, bounds, conflictResolution, costs, balanceOpens } = edited;
    const { unmet } = await change(ctx, scope, {
      when: {
        exists: [rowExists(featureProperty, scope.orgId, current.id), () => notFound('The property')],
        isAsRead: isCurrentRow(featureProperty, scope.orgId, current.id, current.updatedAt),
        allowsPlans,
        allowsCosts,
      },
      write: [
        db
          .update(featureProperty)
          .set({
            name,
            description,
            value,
            bounds,
            conflictResolution,
            costs,
            balanceOpens,
            updatedAt: nextUpdatedAt(featureProperty, ctx.now),
          })
          .where(and(eq(featureProperty.id, current.id), eq(featureProperty.orgId, scope.orgId))),
      ],
      audit: {
        action: 'property.changed',
        targetId: current.id,
        detail: {
          featureId: current.featureId,
          key: current.propertyKey,
          type: current.type,
          ...recordEdit(
            { ...current, costs: costsBefore },
            { name, description, value, bounds, conflictResolution, costs: costsAfter, balanceOpens },
          ),
        },
      },
      publish: [workspaceOf(scope)],
    });
    if (unmet === null) {
      return asProperty(await getProperty(db, scope, address.featureId, address.propertyId));
    }
  }
  const { featureId, propertyId } = address;
  const current = await getProperty(db, scope, featureId, propertyId);
  throw changedMeanwhile('The property', asProperty(current), await lastActor(db, scope.orgId, current.id));
}

async function getForRoute(
  ctx: RequestContext,
  scope: MemberScope,
  { featureId, propertyId, isSystem }: PropertyAddress,
): Promise<PropertyRow> {
  const current = await getProperty(ctx.db, scope, featureId, propertyId);
  if (isSystem && !current.isSystem) throw notFound('The system property');
  if (!isSystem && current.isSystem) {
    throw invalidField('propertyId', 'A system property is changed through system-properties');
  }
  return current;
}

function merge(current: PropertyRow, { costs, ...edit }: Omit<PropertyEdit, 'updatedAt'>): PropertyRow {
  return {
    ...current,
    ...edit,
    value: normaliseValue(edit.value ?? current.value),
    costs: costs === undefined ? current.costs : costs && storedCost(costs),
  };
}

function isSame(one: PropertyRow, other: PropertyRow): boolean {
  return canonicalJson(asProperty(one)) === canonicalJson(asProperty(other));
}

/**
 * New bounds, and a rule that adds limits up, commit only while the plans are as read here.
 * @returns that condition
 * @throws {ApiError} conflict naming the plans whose values the edit does not allow
 */
async function isAllowedByPlans(
  { db }: RequestContext,
  scope: MemberScope,
  current: PropertyRow,
  edited: PropertyRow,
): Promise<SQL> {
  const hasNewBounds = canonicalJson(current.bounds) !== canonicalJson(edited.bounds);
  const isNewSum = edited.conflictResolution === 'sum' && current.conflictResolution !== 'sum';
  if (!hasNewBounds && !isNewSum) return sql`TRUE`;
  const [[organisation], rows] = await db.batch([
    selectRevision(db, scope.orgId),
    selectConfiguredValues(db, scope.orgId, [edited.id]),
  ]);
  const configured = readConfigured(rows);
  const issues = [
    ...(hasNewBounds ? issuesOutside(configured, edited) : []),
    ...(isNewSum ? issuesOfWindows(configured) : []),
  ];
  if (issues.length > 0) {
    throw new ApiError('conflict', issues.map(({ message }) => message).join('; '), { issues });
  }
  return isAtRevision(scope.orgId, organisation?.revision ?? 0);
}
