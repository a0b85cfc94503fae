/** Creates a feature and its system property in one batch; neither exists without the other. */
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type createFeatureSchema, type Feature, MAX_FEATURES } from '#contracts/console/features';
import { formatLimit } from '#contracts/public/format-limit';
import { SYSTEM_PROPERTY } from '#engine/values/system-property';
import { feature, featureProperty } from '#worker/db/schema/features';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { ApiError, duplicate } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
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
    costs: null,
    balanceOpens: false,
    createdAt: now,
    updatedAt: now,
  };

  const isBelowLimit = sql`(SELECT count(*) FROM ${feature} WHERE ${feature.orgId} = ${orgId}) < ${MAX_FEATURES}`;
  const tooMany = `An organisation can have at most ${formatLimit(MAX_FEATURES)} features`;
  await change(ctx, scope, {
    when: { isBelowLimit: [isBelowLimit, () => new ApiError('conflict', tooMany)] },
    unique: uniqueSlug(row.slug),
    write: [db.insert(feature).values(row), db.insert(featureProperty).values(systemProperty)],
    audit: { action: 'feature.created', targetId: row.id, detail: { name: row.name, slug: row.slug } },
    publish: [workspaceOf(scope)],
  });
  return asFeature(row, [systemProperty]);
}

/** The error of a write that violates the unique index on slugs. */
export function uniqueSlug(slug: string) {
  return { 'feature.slug': () => duplicate('slug', `A feature with the slug "${slug}" already exists`) };
}
