/** What meters cost is an amount: finds limits of unique resources that a plan sets for a meter which others cost. */
import type { PlanProperties } from '#contracts/console/plans';
import type { Issue } from '#contracts/public/errors';
import { countsResources } from '#engine/values/counts-resources';
import type { Db } from '#worker/db/database';
import { selectCosting } from '#worker/db/select-costing';
import type { Scope } from '#worker/http/request-context';

/** The result holds as long as the workspace's revision does. @param properties valid ones */
export async function findResourcePayers(
  db: Db,
  { orgId }: Scope,
  properties: PlanProperties,
): Promise<Issue[]> {
  const unique = Object.entries(properties).flatMap(([featureId, values]) =>
    values.flatMap(({ id, value }, index) =>
      countsResources(value)
        ? [{ id, path: `properties.${featureId}.${index}.value.meter.uniqueResourceIds` }]
        : [],
    ),
  );
  if (unique.length === 0) return [];
  const costing = await selectCosting(
    db,
    orgId,
    unique.map(({ id }) => id),
  );
  return unique.flatMap(({ id, path }): Issue[] => {
    const other = costing.find(({ payerId }) => payerId === id);
    return other ? [{ path, message: `“${other.name}” costs this meter, so it must count amounts` }] : [];
  });
}
