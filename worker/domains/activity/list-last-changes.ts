/** Who changed each feature last: the feature itself, or one of its properties. Reads two rows of each feature, by index. */
import { type SQL, sql } from 'drizzle-orm';
import type { activityEndpoints } from '#contracts/console/activity';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { Db } from '#worker/db/database';
import { feature } from '#worker/db/schema/features';
import { auditLog } from '#worker/db/schema/operations';
import { newestFirst } from '#worker/http/newest-first';
import type { Scope } from '#worker/http/request-context';
import { actorOf } from './list-activity.ts';
import { nameActors } from './name-objects.ts';

export async function listLastFeatureChanges(
  db: Db,
  scope: Scope,
): Promise<AnswerOf<typeof activityEndpoints.lastFeatureChanges>> {
  const last = (column: SQL) => sql`SELECT (SELECT l.id FROM audit_log AS l
    WHERE l.org_id = ${scope.orgId} AND ${column} = f.id ORDER BY l.at DESC, l.id DESC LIMIT 1)
    FROM ${feature} AS f WHERE f.org_id = ${scope.orgId}`;
  const rows = await db
    .select()
    .from(auditLog)
    .where(sql`${auditLog.id} IN (${last(sql`l.target_id`)} UNION ${last(sql`l.parent_id`)})`);
  const actors = await nameActors(db, scope, rows);
  const newest = rows.toSorted(newestFirst);
  const changes = new Map<string, (typeof rows)[number]>();
  for (const row of newest) {
    const featureId = row.parentId ?? row.targetId;
    if (featureId !== null && !changes.has(featureId)) changes.set(featureId, row);
  }
  return [...changes].map(([featureId, row]) => ({ featureId, at: row.at, actor: actorOf(row, actors) }));
}
