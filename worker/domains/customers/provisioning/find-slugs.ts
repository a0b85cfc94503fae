/** Finds plans and properties by the names that the API has for them: those of the deployed version, or else of the workspace. */
import { and, eq, sql } from 'drizzle-orm';
import type { CustomerGrant, CustomerOverride } from '#contracts/console/customers';
import { feature, featureProperty } from '#worker/db/schema/features';
import { plan } from '#worker/db/schema/plans';
import { invalidField } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';
import type { Provisioning } from './open-provisioning.ts';

interface Places extends Pick<Provisioning, 'ctx' | 'loaded'> {
  readonly scope: Scope;
}

/** @throws {ApiError} invalid-request naming plan */
export async function findPlanId(
  { ctx: { db }, scope: { orgId }, loaded: { prepared } }: Places,
  slug: string,
): Promise<string> {
  const index = prepared?.planIndexBySlug.get(slug);
  const deployed = index === undefined ? undefined : prepared?.plans[index]?.plan.id;
  if (deployed !== undefined) return deployed;
  const [row] = await db
    .select({ id: plan.id })
    .from(plan)
    .where(and(eq(plan.orgId, orgId), eq(plan.slug, slug)));
  if (row === undefined) throw invalidField('plan', 'There is no such plan', 'plan-unknown');
  return row.id;
}

/** @throws {ApiError} invalid-request naming property */
export async function findPropertyId(
  { ctx: { db }, scope: { orgId }, loaded: { prepared } }: Places,
  named: { readonly feature: string; readonly property: string },
): Promise<string> {
  const deployed = prepared?.featureBySlug.get(named.feature)?.propertyByKey.get(named.property);
  if (deployed !== undefined) return deployed.property.id;
  const [row] = await db
    .select({ id: featureProperty.id })
    .from(featureProperty)
    .innerJoin(feature, eq(feature.id, featureProperty.featureId))
    .where(
      and(
        eq(feature.orgId, orgId),
        eq(feature.slug, named.feature),
        eq(featureProperty.propertyKey, named.property),
      ),
    );
  if (row === undefined)
    throw invalidField('property', 'There is no such feature or property', 'property-unknown');
  return row.id;
}

export interface Slugs {
  /** The id of a plan that is neither deployed nor in the workspace. */
  planOf(planId: string): string;
  propertyOf(propertyId: string): { readonly feature: string; readonly property: string };
}

/** The other way round, for entries that exist. */
export async function readSlugs(
  { ctx: { db }, scope: { orgId }, loaded: { prepared } }: Places,
  grants: readonly Pick<CustomerGrant, 'planId'>[],
  overrides: readonly Pick<CustomerOverride, 'propertyId'>[],
): Promise<Slugs> {
  const deployedPlan = (planId: string) =>
    prepared?.plans[prepared.planIndexById.get(planId) ?? -1]?.plan.slug;
  const deployedProperty = (id: string) => prepared?.propertyById.get(id);
  const planIds = grants.map(({ planId }) => planId).filter((id) => deployedPlan(id) === undefined);
  const propertyIds = overrides.map(({ propertyId }) => propertyId).filter((id) => !deployedProperty(id));
  const listed = (ids: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const [plans, properties] =
    planIds.length + propertyIds.length === 0
      ? [[], []]
      : await db.batch([
          db
            .select({ id: plan.id, slug: plan.slug })
            .from(plan)
            .where(and(eq(plan.orgId, orgId), sql`${plan.id} IN ${listed(planIds)}`)),
          db
            .select({ id: featureProperty.id, feature: feature.slug, property: featureProperty.propertyKey })
            .from(featureProperty)
            .innerJoin(feature, eq(feature.id, featureProperty.featureId))
            .where(and(eq(feature.orgId, orgId), sql`${featureProperty.id} IN ${listed(propertyIds)}`)),
        ]);
  return {
    planOf: (planId) => deployedPlan(planId) ?? plans.find(({ id }) => id === planId)?.slug ?? planId,
    propertyOf(propertyId) {
      const deployed = deployedProperty(propertyId);
      if (deployed) return { feature: deployed.feature.slug, property: deployed.property.key };
      const { feature: slug = '', property = propertyId } =
        properties.find(({ id }) => id === propertyId) ?? {};
      return { feature: slug, property };
    },
  };
}
