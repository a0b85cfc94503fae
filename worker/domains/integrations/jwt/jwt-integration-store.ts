/** Reads JWT integrations and maps them to their API shape. */
import { and, asc, eq } from 'drizzle-orm';
import type { JwtIntegration } from '#contracts/console/integrations';
import type { Db } from '#worker/db/database';
import { jwtIntegration, type StoredPublicKey } from '#worker/db/schema/integrations';
import { notFound } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';

export type JwtIntegrationRow = typeof jwtIntegration.$inferSelect;

/** Oldest first. */
export async function listJwtIntegrations(db: Db, { orgId }: Scope): Promise<JwtIntegration[]> {
  const rows = await db
    .select()
    .from(jwtIntegration)
    .where(eq(jwtIntegration.orgId, orgId))
    .orderBy(asc(jwtIntegration.createdAt), asc(jwtIntegration.id));
  return rows.map(asJwtIntegration);
}

/** @throws {ApiError} not-found */
export async function getJwtIntegrationRow(db: Db, { orgId }: Scope, id: string): Promise<JwtIntegrationRow> {
  const [row] = await db
    .select()
    .from(jwtIntegration)
    .where(and(eq(jwtIntegration.id, id), eq(jwtIntegration.orgId, orgId)));
  if (row === undefined) throw notFound('The integration');
  return row;
}

/** @throws {ApiError} not-found */
export async function getJwtIntegration(db: Db, scope: Scope, id: string): Promise<JwtIntegration> {
  return asJwtIntegration(await getJwtIntegrationRow(db, scope, id));
}

export function asJwtIntegration(row: JwtIntegrationRow): JwtIntegration {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    claimKey: row.claimKey,
    claimIndex: row.claimIndex,
    entityClaimKey: row.entityClaimKey,
    aud: row.audience,
    iss: row.issuer,
    acceptsUnverifiedEmails: row.acceptsUnverifiedEmails,
    anonymizedPublicKey: anonymize(row.publicKeys),
    publicKeys: row.publicKeys.map(({ jwk, anonymized }) => ({ kid: jwk.kid ?? null, anonymized })),
    keyAddress: row.keyAddress,
    keysFetchedAt: row.keysFetchedAt,
    keysProblem: row.keysProblem,
    quickStart: row.quickStart,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** One line: the first key, and the number of further keys. */
export function anonymize([first, ...others]: readonly StoredPublicKey[]): string {
  const line = first?.anonymized ?? '';
  return others.length === 0 ? line : `${line} and ${others.length} more`;
}
