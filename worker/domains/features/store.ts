/** Reads features and their properties, in the shapes of the API. */
import { and, asc, eq } from 'drizzle-orm';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { Db } from '#worker/db/database';
import { feature, featureProperty } from '#worker/db/schema/features';
import { notFound } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';

export type FeatureRow = typeof feature.$inferSelect;
export type PropertyRow = typeof featureProperty.$inferSelect;

/** Oldest first. */
export function listFeatures(db: Db, scope: Scope): Promise<Feature[]> {
  return readFeatures(db, scope);
}

export async function findFeature(db: Db, scope: Scope, featureId: string): Promise<Feature | null> {
  const [found] = await readFeatures(db, scope, featureId);
  return found ?? null;
}

/** @throws {ApiError} not-found */
export async function getFeature(db: Db, scope: Scope, featureId: string): Promise<Feature> {
  const found = await findFeature(db, scope, featureId);
  if (found === null) throw notFound('The feature');
  return found;
}

export async function findProperty(
  db: Db,
  { orgId }: Scope,
  featureId: string,
  propertyId: string,
): Promise<PropertyRow | null> {
  const [row] = await db
    .select()
    .from(featureProperty)
    .where(
      and(
        eq(featureProperty.id, propertyId),
        eq(featureProperty.featureId, featureId),
        eq(featureProperty.orgId, orgId),
      ),
    );
  return row ?? null;
}

/** @throws {ApiError} not-found */
export async function getProperty(
  db: Db,
  scope: Scope,
  featureId: string,
  propertyId: string,
): Promise<PropertyRow> {
  const found = await findProperty(db, scope, featureId, propertyId);
  if (found === null) throw notFound('The property');
  return found;
}

async function readFeatures(db: Db, { orgId }: Scope, featureId?: string): Promise<Feature[]> {
  const rows = await db
    .select({ feature, property: featureProperty })
    .from(feature)
    .leftJoin(featureProperty, eq(featureProperty.featureId, feature.id))
    .where(and(eq(feature.orgId, orgId), featureId === undefined ? undefined : eq(feature.id, featureId)))
    .orderBy(
      asc(feature.createdAt),
      asc(feature.id),
      asc(featureProperty.createdAt),
      asc(featureProperty.id),
    );
  return [...Map.groupBy(rows, (row) => row.feature.id).values()].flatMap((group) => {
    const [first] = group;
    const properties = group.flatMap(({ property }) => (property === null ? [] : [property]));
    return first === undefined ? [] : [asFeature(first.feature, properties)];
  });
}

export function asFeature(row: FeatureRow, properties: readonly PropertyRow[]): Feature {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    properties: properties.filter(({ isSystem }) => !isSystem).map(asProperty),
    systemFeatureProperties: properties.filter(({ isSystem }) => isSystem).map(asProperty),
  };
}

export function asProperty(row: PropertyRow): FeatureProperty {
  return {
    id: row.id,
    name: row.name,
    propertyKey: row.propertyKey,
    description: row.description,
    type: row.type,
    value: row.value,
    bounds: row.bounds,
    conflictResolution: row.conflictResolution,
    costs: row.costs && { propertyId: row.costs.propertyId, per: row.costs.thousandths / 1000 },
    balanceOpens: row.balanceOpens,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
