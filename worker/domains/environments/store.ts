/** Reads environments that are not deleted, in the shape of the API. */
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Environment } from '#contracts/console/environments';
import type { Db } from '#worker/db/database';
import { liveEnvironment } from '#worker/db/live-environments';
import { artifact } from '#worker/db/schema/artifacts';
import { environment } from '#worker/db/schema/environments';
import { duplicate, notFound } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';

export type EnvironmentRow = typeof environment.$inferSelect;

/** Oldest first: the preview environment, created with the organisation, comes first. */
export function listEnvironments(db: Db, scope: Scope): Promise<Environment[]> {
  return readEnvironments(db, scope);
}

/** @throws {ApiError} not-found */
export async function getEnvironment(db: Db, scope: Scope, environmentId: string): Promise<Environment> {
  const [found] = await readEnvironments(db, scope, environmentId);
  if (found === undefined) throw notFound('The environment');
  return found;
}

async function readEnvironments(db: Db, { orgId }: Scope, environmentId?: string): Promise<Environment[]> {
  const rows = await db
    .select({ environment, artifactNumber: artifact.number })
    .from(environment)
    .leftJoin(artifact, eq(artifact.id, environment.artifactId))
    .where(liveEnvironment(orgId, environmentId))
    .orderBy(asc(environment.createdAt), asc(environment.id));
  return rows.map((row) => asEnvironment(row.environment, row.artifactNumber));
}

/** Condition of `change`, with its error: no other environment of the organisation has this name, ignoring ASCII case. */
export function nameIsFree(orgId: string, name: string, ownId: string) {
  const isOther = and(
    liveEnvironment(orgId),
    sql`lower(${environment.name}) = lower(${name})`,
    sql`${environment.id} <> ${ownId}`,
  );
  return [
    sql`NOT EXISTS (SELECT 1 FROM ${environment} WHERE ${isOther})`,
    () => duplicate('name', `An environment named "${name}" already exists`),
  ] as const;
}

export function asEnvironment(row: EnvironmentRow, artifactNumber: number | null): Environment {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    url: row.url,
    type: row.type,
    artifactId: row.artifactId,
    artifactNumber,
    lastDeployedAt: row.lastDeployedAt,
    lastDeployedByUserId: row.lastDeployedByUserId,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
