/** Which properties cost others, with what messages call them. */
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { feature, featureProperty } from './schema/features.ts';

/** Unexecuted. Rows of properties that cost one of these. */
export function selectCosting(db: Db, orgId: string, propertyIds: readonly string[]) {
  const payer = sql<string>`${featureProperty.costs} ->> '$.propertyId'`;
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(propertyIds)}))`;
  return db
    .select({ payerId: payer, name: sql<string>`${feature.name} || ' › ' || ${featureProperty.name}` })
    .from(featureProperty)
    .innerJoin(feature, eq(feature.id, featureProperty.featureId))
    .where(and(eq(featureProperty.orgId, orgId), sql`${payer} IN ${ids}`));
}
