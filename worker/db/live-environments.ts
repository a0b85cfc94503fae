/**
 * Environments that have not been deleted: a deleted one keeps its row, so that replicas can learn of the deletion. These
 * conditions are in db rather than in domains/environments because the domains below it (publishing, metering) use them too.
 */
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { rowExists } from './commit-if.ts';
import type { Db } from './database.ts';
import { environment } from './schema/environments.ts';

/** Condition on `environment`: it is the organisation's, not deleted, and the one with this id, if any is given. */
export function liveEnvironment(orgId: string, environmentId?: string | undefined): SQL | undefined {
  return and(
    eq(environment.orgId, orgId),
    isNull(environment.deletedAt),
    environmentId === undefined ? undefined : eq(environment.id, environmentId),
  );
}

/** Condition on `environment`: it is the organisation's preview environment. */
export function livePreview(orgId: string): SQL | undefined {
  return and(liveEnvironment(orgId), eq(environment.type, 'preview'));
}

/** Condition: the organisation has this environment. */
export function environmentExists(orgId: string, environmentId: string): SQL {
  return rowExists(environment, orgId, environmentId, isNull(environment.deletedAt));
}

/** The ids of the environments that match one of the conditions above, sorted. */
export async function listEnvironmentIds(db: Db, condition: SQL | undefined): Promise<string[]> {
  const rows = await db
    .select({ id: environment.id })
    .from(environment)
    .where(condition)
    .orderBy(asc(environment.id));
  return rows.map(({ id }) => id);
}

/** The organisation's environments, and the condition that none was created or deleted since they were read. */
export async function readLiveEnvironments(
  db: Db,
  orgId: string,
): Promise<{ readonly ids: readonly string[]; readonly areCurrent: SQL }> {
  const isLive = liveEnvironment(orgId);
  const ids = await listEnvironmentIds(db, isLive);
  const current = sql`SELECT ${environment.id} AS id FROM ${environment} WHERE ${isLive} ORDER BY ${environment.id}`;
  return {
    ids,
    areCurrent: sql`(SELECT json_group_array(id) FROM (${current})) = ${JSON.stringify(ids)}`,
  };
}
