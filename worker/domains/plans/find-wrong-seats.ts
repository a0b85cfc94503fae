/** Finds limits of entities in a plan whose seats are no other meter of the workspace. */
import { and, eq, sql } from 'drizzle-orm';
import type { PlanProperties } from '#contracts/console/plans';
import type { Issue } from '#contracts/public/errors';
import { perEntityOf } from '#engine/values/kinds/per-entity';
import type { Db } from '#worker/db/database';
import { featureProperty } from '#worker/db/schema/features';
import type { Scope } from '#worker/http/request-context';

/** The result holds as long as the workspace's revision does. @param properties valid ones */
export async function findWrongSeats(db: Db, { orgId }: Scope, properties: PlanProperties): Promise<Issue[]> {
  const named = Object.entries(properties).flatMap(([featureId, values]) =>
    values.flatMap(({ id, value }, index) => {
      const seats = typeof value === 'object' ? perEntityOf(value)?.seats : undefined;
      const path = `properties.${featureId}.${index}.value.perEntity.seats`;
      return seats === undefined ? [] : [{ id, seats, path }];
    }),
  );
  if (named.length === 0) return [];
  const ids = JSON.stringify(named.map(({ seats }) => seats));
  const isNamed = sql`${featureProperty.id} IN (SELECT value FROM json_each(${ids}))`;
  const found = await db
    .select({ id: featureProperty.id, type: featureProperty.type })
    .from(featureProperty)
    .where(and(eq(featureProperty.orgId, orgId), isNamed));
  const types = new Map(found.map(({ id, type }) => [id, type]));
  return named.flatMap(({ id, seats, path }): Issue[] => {
    if (seats === id) return [{ path, message: 'A meter cannot be its own seats' }];
    const type = types.get(seats);
    if (type === 'meterable') return [];
    return [{ path, message: type === undefined ? 'Unknown property' : 'Must be a meter' }];
  });
}
