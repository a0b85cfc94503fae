/** How many plans have each feature. Reads the current version of every plan once. */
import { sql } from 'drizzle-orm';
import type { featureEndpoints } from '#contracts/console/features';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { Db } from '#worker/db/database';
import type { Scope } from '#worker/http/request-context';

export function listFeatureSummaries(
  db: Db,
  { orgId }: Scope,
): Promise<AnswerOf<typeof featureEndpoints.listSummaries>> {
  return db.all(sql`
    WITH configured AS MATERIALIZED (
      SELECT own.key AS featureId, count(*) AS planCount
      FROM plan AS p JOIN plan_version AS v ON v.plan_id = p.id AND v.version = p.current_version,
        json_each(v.properties) AS own
      WHERE p.org_id = ${orgId} AND json_array_length(own.value) > 0
      GROUP BY own.key)
    SELECT f.id AS featureId, coalesce(c.planCount, 0) AS planCount
    FROM feature AS f LEFT JOIN configured AS c ON c.featureId = f.id
    WHERE f.org_id = ${orgId} ORDER BY f.created_at, f.id`);
}
