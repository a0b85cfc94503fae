/** Which plans set a property, and to what, in their current versions. */
import { and, eq, sql } from 'drizzle-orm';
import type { PropertyValue } from '#contracts/public/values';
import type { Db } from './database.ts';
import { plan, planVersion } from './schema/plans.ts';

export interface ConfiguredValue {
  readonly planId: string;
  readonly planName: string;
  readonly propertyId: string;
  readonly value: PropertyValue;
}

/**
 * Unexecuted, so that it can be read together with the revision of the workspace. Rows have the value as JSON: `readConfigured`.
 * Sorted by the plan's name.
 */
export function selectConfiguredValues(db: Db, orgId: string, propertyIds: readonly string[]) {
  const isOne = sql`json_extract(entry.value, '$.id') IN (SELECT value FROM json_each(${JSON.stringify(propertyIds)}))`;
  return db
    .select({
      planId: plan.id,
      planName: plan.name,
      propertyId: sql<string>`json_extract(entry.value, '$.id')`,
      value: sql<string>`entry.value -> '$.value'`,
    })
    .from(plan)
    .innerJoin(
      planVersion,
      and(eq(planVersion.planId, plan.id), eq(planVersion.version, plan.currentVersion)),
    )
    .innerJoin(sql`json_each(${planVersion.properties}) AS configured`, sql`TRUE`)
    .innerJoin(sql`json_each(configured.value) AS entry`, isOne)
    .where(eq(plan.orgId, orgId))
    .orderBy(plan.name);
}

export function readConfigured(
  rows: readonly (Omit<ConfiguredValue, 'value'> & { readonly value: string })[],
): ConfiguredValue[] {
  return rows.map((row) => ({ ...row, value: JSON.parse(row.value) as PropertyValue }));
}
