/** Adds a property to a feature. Its key is unique within the feature, the system property included. */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type createPropertySchema, type FeatureProperty, MAX_PROPERTIES } from '#contracts/console/features';
import { defaultValue } from '#engine/values/default-value';
import { normaliseValue } from '#engine/values/normalise-value';
import { auditRow } from '#worker/db/audit';
import { commitIf, rowExists } from '#worker/db/commit-if';
import { isUniqueViolation } from '#worker/db/database';
import { feature, featureProperty } from '#worker/db/schema/features';
import { workspaceChange } from '#worker/domains/publishing/workspace-change';
import { ApiError, duplicate, invalidRequest, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { checkProperty } from './check-property.ts';
import { asProperty, type PropertyRow } from './store.ts';

/** @throws {ApiError} not-found; invalid-request naming the field; conflict for a key that exists */
export async function createProperty(
  ctx: RequestContext,
  scope: MemberScope,
  featureId: string,
  body: z.output<typeof createPropertySchema>,
): Promise<FeatureProperty> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const { type, value = defaultValue(type), bounds = null } = body;
  const issues = checkProperty({ type, value, bounds });
  if (issues.length > 0) throw invalidRequest(issues);

  const row: PropertyRow = {
    id: ctx.newId('prop'),
    orgId,
    featureId,
    propertyKey: body.propertyKey,
    name: body.name,
    description: body.description ?? null,
    type,
    value: normaliseValue(value),
    bounds,
    conflictResolution: body.conflictResolution,
    isSystem: false,
    createdAt: now,
    updatedAt: now,
  };
  const isNormal = and(eq(featureProperty.featureId, featureId), eq(featureProperty.isSystem, false));
  const change = workspaceChange(ctx, scope);
  const unmet = await commitIf(
    db,
    {
      exists: rowExists(feature, orgId, featureId),
      isBelowLimit: sql`(SELECT count(*) FROM ${featureProperty} WHERE ${isNormal}) < ${MAX_PROPERTIES}`,
    },
    [
      db.insert(featureProperty).values(row),
      auditRow(ctx, scope, {
        action: 'property.created',
        targetId: row.id,
        detail: { featureId, key: row.propertyKey, type: row.type },
      }),
      ...change.statements,
    ],
  ).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'feature_property.property_key')) throw error;
    throw duplicate('propertyKey', `A property with the key "${row.propertyKey}" already exists`);
  });
  if (unmet === 'exists') throw notFound('The feature');
  if (unmet === 'isBelowLimit') {
    throw new ApiError('conflict', `A feature can have at most ${MAX_PROPERTIES} properties`);
  }

  change.announce();
  return asProperty(row);
}
