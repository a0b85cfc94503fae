/** Adds a property to a feature. Its key is unique within the feature, the system property included. */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type createPropertySchema,
  type FeatureProperty,
  MAX_METERED_PROPERTIES,
  MAX_PROPERTIES,
} from '#contracts/console/features';
import { formatLimit } from '#contracts/public/format-limit';
import { kindOf } from '#engine/values/kinds/kinds';
import { rowExists } from '#worker/db/commit-if';
import { feature, featureProperty } from '#worker/db/schema/features';
import { MAX_EDIT_ATTEMPTS } from '#worker/db/workspace-revision';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { ApiError, duplicate, invalidRequest, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { allowCosts, storedCost } from './check-costs.ts';
import { checkProperty } from './check-property.ts';
import { asProperty, type PropertyRow } from './store.ts';

const METER_LIMIT = `A version can have at most ${formatLimit(MAX_METERED_PROPERTIES)} metered properties.`;

/** @throws {ApiError} not-found; invalid-request naming the field; conflict for a key that exists */
export async function createProperty(
  ctx: RequestContext,
  scope: MemberScope,
  featureId: string,
  body: z.output<typeof createPropertySchema>,
): Promise<FeatureProperty> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const { defaultValue, normalise } = kindOf(body.type);
  const { type, value = defaultValue, bounds = null, conflictResolution } = body;
  const { balanceOpens = false } = body;
  const issues = checkProperty({ type, value, bounds, conflictResolution, balanceOpens });
  if (issues.length > 0) throw invalidRequest(issues);

  const row: PropertyRow = {
    id: ctx.newId('prop'),
    orgId,
    featureId,
    propertyKey: body.propertyKey,
    name: body.name,
    description: body.description ?? null,
    type,
    value: normalise(value),
    bounds,
    conflictResolution,
    costs: body.costs ? storedCost(body.costs) : null,
    balanceOpens,
    isSystem: false,
    createdAt: now,
    updatedAt: now,
  };
  const isNormal = and(eq(featureProperty.featureId, featureId), eq(featureProperty.isSystem, false));
  const count = sql`(SELECT count(*) FROM ${featureProperty} WHERE ${isNormal})`;
  const isMetered = and(eq(featureProperty.orgId, orgId), eq(featureProperty.type, 'meterable'));
  const meters = sql`(SELECT count(*) FROM ${featureProperty} WHERE ${isMetered})`;
  const tooMany = `A feature can have at most ${MAX_PROPERTIES} properties`;
  const isTaken = `A property with the key "${row.propertyKey}" already exists`;
  for (let attempt = 0; attempt < MAX_EDIT_ATTEMPTS; attempt++) {
    const { unmet } = await change(ctx, scope, {
      when: {
        exists: [rowExists(feature, orgId, featureId), () => notFound('The feature')],
        isBelowLimit: [sql`${count} < ${MAX_PROPERTIES}`, () => new ApiError('conflict', tooMany)],
        ...(type === 'meterable' && {
          isBelowMeterLimit: [
            sql`${meters} < ${MAX_METERED_PROPERTIES}`,
            () => new ApiError('conflict', `"${row.propertyKey}" would be one too many. ${METER_LIMIT}`),
          ] as const,
        }),
        allowsCosts: await allowCosts(db, scope, row),
      },
      unique: { 'feature_property.property_key': () => duplicate('propertyKey', isTaken) },
      write: [db.insert(featureProperty).values(row)],
      audit: {
        action: 'property.created',
        targetId: row.id,
        detail: { featureId, key: row.propertyKey, type: row.type },
      },
      publish: [workspaceOf(scope)],
    });
    if (unmet === null) return asProperty(row);
  }
  throw new ApiError('conflict', 'Someone else is changing the workspace. Try again.');
}
