/** A meter whose resources are seats, by which plans tell who may use another meter, is not deleted. */
import { eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { feature, featureProperty } from '#worker/db/schema/features';
import { plan, planVersion } from '#worker/db/schema/plans';
import { ApiError } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';

/**
 * @param deleted the properties that are about to be deleted
 * @returns the condition, with its error
 */
export function hasSeatsOfNone(
  db: Db,
  { orgId }: Scope,
  deleted: SQL,
): readonly [SQL, () => Promise<ApiError>] {
  const isOwn = sql`${featureProperty.orgId} = ${orgId}`;
  const gone = sql`(SELECT "id" FROM ${featureProperty} WHERE ${isOwn} AND ${deleted})`;
  const kept = sql`(SELECT "id" FROM ${featureProperty} WHERE ${isOwn} AND NOT (${deleted}))`;
  const seated = sql`
    FROM ${plan}
    JOIN ${planVersion} ON ${planVersion.planId} = ${plan.id} AND ${planVersion.version} = ${plan.currentVersion}
    JOIN json_each(${planVersion.properties}) AS configured
    JOIN json_each(configured.value) AS entry
    WHERE ${eq(plan.orgId, orgId)}
      AND entry.value ->> '$.value.perEntity.seats' IN ${gone}
      AND entry.value ->> '$.id' IN ${kept}`;
  return [
    sql`NOT EXISTS (SELECT 1 ${seated})`,
    async () => {
      const [other] = await db
        .select({ name: featureProperty.name, featureName: feature.name })
        .from(featureProperty)
        .innerJoin(feature, eq(feature.id, featureProperty.featureId))
        .where(sql`${featureProperty.id} IN (SELECT entry.value ->> '$.id' ${seated})`)
        .limit(1);
      const name = other === undefined ? 'another meter' : `“${other.featureName} › ${other.name}”`;
      return new ApiError(
        'conflict',
        `A plan asks for a seat of this meter to use ${name}. Change it first.`,
      );
    },
  ];
}
