/** Finds the plans with current values outside the new bounds of a number property. */
import { and, eq, sql } from 'drizzle-orm';
import type { Issue } from '#contracts/public/errors';
import type { NumberBounds } from '#contracts/public/values';
import { checkValue } from '#engine/values/check-value';
import type { Db } from '#worker/db/database';
import { plan, planVersion } from '#worker/db/schema/plans';
import type { Scope } from '#worker/http/request-context';
import type { PropertyRow } from './store.ts';

/** Unexecuted, so that it can be read together with the revision of the workspace. */
export function selectConfiguredValues(
  db: Db,
  { orgId }: Scope,
  property: Pick<PropertyRow, 'id' | 'featureId'>,
) {
  const entries = sql`json_each(${planVersion.properties}, ${`$."${property.featureId}"`}) AS entry`;
  return db
    .select({ planName: plan.name, value: sql<number>`json_extract(entry.value, '$.value')` })
    .from(plan)
    .innerJoin(
      planVersion,
      and(eq(planVersion.planId, plan.id), eq(planVersion.version, plan.currentVersion)),
    )
    .innerJoin(entries, sql`json_extract(entry.value, '$.id') = ${property.id}`)
    .where(eq(plan.orgId, orgId))
    .orderBy(plan.name);
}

/** An issue for each plan, naming it. */
export function issuesOutside(
  configured: readonly { readonly planName: string; readonly value: number }[],
  bounds: NumberBounds | null,
): Issue[] {
  return configured.flatMap(({ planName, value }) =>
    checkValue({ type: 'number', bounds }, value).map(({ message }) => ({
      path: 'bounds',
      message: `The plan "${planName}" configures ${value}: ${message}`,
    })),
  );
}
