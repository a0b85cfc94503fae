/**
 * What a meter costs is one level deep: the meter that pays costs nothing itself, and counts amounts. A use case commits only at the workspace
 * revision that this was decided at.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { PropertyCost } from '#contracts/console/features';
import type { PropertyType, PropertyValue } from '#contracts/public/values';
import type { ArtifactCost } from '#engine/artifacts/artifact-content';
import { costWords } from '#engine/values/cost-words';
import { countsResources } from '#engine/values/counts-resources';
import type { Db } from '#worker/db/database';
import { feature, featureProperty } from '#worker/db/schema/features';
import { readConfigured, selectConfiguredValues } from '#worker/db/select-configured-values';
import { selectCosting } from '#worker/db/select-costing';
import { isAtRevision, selectRevision } from '#worker/db/workspace-revision';
import { ApiError, invalidField } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';

interface CostingProperty {
  readonly id: string;
  readonly type: PropertyType;
  /** The default. */
  readonly value: PropertyValue;
  readonly costs: ArtifactCost | null;
}

export function storedCost({ propertyId, per }: PropertyCost): ArtifactCost {
  return { propertyId, thousandths: Math.round(per * 1000) };
}

/**
 * @returns the condition under which the property may be saved
 * @throws {ApiError} invalid-request naming the field
 */
export async function allowCosts(
  db: Db,
  { orgId }: Scope,
  { id, type, value, costs }: CostingProperty,
): Promise<SQL> {
  if (costs === null && !countsResources(value)) return sql`TRUE`;
  if (costs !== null && type !== 'meterable') throw invalidField('costs', 'Only meters have costs');
  if (costs?.propertyId === id) throw invalidField('costs.propertyId', 'A meter cannot cost itself');
  const payerId = costs?.propertyId ?? '';
  const isPayer = and(eq(featureProperty.id, payerId), eq(featureProperty.orgId, orgId));
  const [[organisation], [payer], [user], configured] = await db.batch([
    selectRevision(db, orgId),
    db.select().from(featureProperty).where(isPayer),
    selectCosting(db, orgId, [id]),
    selectConfiguredValues(db, orgId, [payerId]),
  ]);
  if (user !== undefined) {
    const costing = `“${user.name}” costs this meter`;
    if (costs !== null) throw invalidField('costs.propertyId', `${costing}, so it cannot have costs`);
    throw invalidField('value.meter.uniqueResourceIds', `${costing}, so it must count amounts`);
  }
  if (costs !== null) {
    const refusal = payer === undefined ? 'Unknown property' : refusalOf(payer, readConfigured(configured));
    if (refusal !== null) throw invalidField('costs.propertyId', refusal);
  }
  return isAtRevision(orgId, organisation?.revision ?? 0);
}

/** Why a property cannot pay; null if it can. */
function refusalOf(
  { type, value, costs }: CostingProperty,
  configured: readonly { readonly planName: string; readonly value: PropertyValue }[],
): string | null {
  if (type !== 'meterable') return 'Must be a meter';
  if (costs !== null) return 'This meter has costs itself';
  if (countsResources(value)) return 'This meter counts unique resources by default';
  const plan = configured.find((each) => countsResources(each.value));
  return plan === undefined ? null : `This meter counts unique resources in the plan “${plan.planName}”`;
}

/**
 * A meter that others cost is not deleted.
 * @param deleted the properties that are about to be deleted
 * @returns the condition, with its error
 */
export function isCostOfNone(
  db: Db,
  { orgId }: Scope,
  deleted: SQL,
): readonly [SQL, () => Promise<ApiError>] {
  const isOwn = eq(featureProperty.orgId, orgId);
  const payers = sql`(SELECT "id" FROM ${featureProperty} WHERE ${isOwn} AND ${deleted})`;
  const costing = sql`${isOwn} AND NOT (${deleted}) AND ${featureProperty.costs} ->> '$.propertyId' IN ${payers}`;
  return [
    sql`NOT EXISTS (SELECT 1 FROM ${featureProperty} WHERE ${costing})`,
    async () => {
      const [other] = await db
        .select({ name: featureProperty.name, featureName: feature.name })
        .from(featureProperty)
        .innerJoin(feature, eq(feature.id, featureProperty.featureId))
        .where(costing)
        .limit(1);
      const name = other === undefined ? 'Another property' : `“${other.featureName} › ${other.name}”`;
      return new ApiError('conflict', `${name} costs this meter. Remove its costs first.`);
    },
  ];
}

/** Such as '0.25 of ai.credits', for the audit log; null without costs. */
export async function nameCosts(
  db: Db,
  { orgId }: Scope,
  costs: ArtifactCost | null,
): Promise<string | null> {
  if (costs === null) return null;
  const isPayer = and(eq(featureProperty.id, costs.propertyId), eq(featureProperty.orgId, orgId));
  const [payer] = await db
    .select({ key: featureProperty.propertyKey, slug: feature.slug })
    .from(featureProperty)
    .innerJoin(feature, eq(feature.id, featureProperty.featureId))
    .where(isPayer);
  return costWords(costs.thousandths, payer === undefined ? costs.propertyId : `${payer.slug}.${payer.key}`);
}
