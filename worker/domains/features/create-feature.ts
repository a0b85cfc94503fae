/** Creates a feature and its system property in one batch; neither exists without the other. */
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type createFeatureSchema, type Feature, MAX_FEATURES } from '#contracts/console/features';
import { formatLimit } from '#contracts/public/format-limit';
import { SYSTEM_PROPERTY } from '#engine/values/system-property';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { isUniqueViolation } from '#worker/db/database';
import { feature, featureProperty } from '#worker/db/schema/features';
import { workspaceChange } from '#worker/domains/publishing/workspace-change';
import { ApiError, duplicate } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { asFeature, type FeatureRow, type PropertyRow } from './store.ts';

/** @throws {ApiError} conflict for a slug that exists, and when there are too many features */
export async function createFeature(
  ctx: RequestContext,
  scope: MemberScope,
  body: z.output<typeof createFeatureSchema>,
): Promise<Feature> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const row: FeatureRow = {
    id: ctx.newId('feat'),
    orgId,
    name: body.name,
    slug: body.slug,
    description: body.description ?? null,
    createdAt: now,
    updatedAt: now,
  };
  const { key, ...system } = SYSTEM_PROPERTY;
  const systemProperty: PropertyRow = {
    ...system,
    id: ctx.newId('prop'),
    orgId,
    featureId: row.id,
    propertyKey: key,
    createdAt: now,
    updatedAt: now,
  };

  const change = workspaceChange(ctx, scope);
  const isBelowLimit = sql`(SELECT count(*) FROM ${feature} WHERE ${feature.orgId} = ${orgId}) < ${MAX_FEATURES}`;
  const unmet = await commitIf(db, { isBelowLimit }, [
    db.insert(feature).values(row),
    db.insert(featureProperty).values(systemProperty),
    auditRow(ctx, scope, {
      action: 'feature.created',
      targetId: row.id,
      detail: { name: row.name, slug: row.slug },
    }),
    ...change.statements,
  ]).catch((error: unknown) => {
    throw duplicateSlug(error, row.slug) ?? error;
  });
  if (unmet !== null) {
    throw new ApiError('conflict', `An organisation can have at most ${formatLimit(MAX_FEATURES)} features`);
  }

  change.announce();
  return asFeature(row, [systemProperty]);
}

/** The public error for a write that violates the unique index on slugs; null for any other error. */
export function duplicateSlug(error: unknown, slug: string): ApiError | null {
  if (!isUniqueViolation(error, 'feature.slug')) return null;
  return duplicate('slug', `A feature with the slug "${slug}" already exists`);
}
