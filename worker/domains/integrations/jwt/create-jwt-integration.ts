/** Adds a JWT integration and publishes it to the replicas of every environment. */
import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type createJwtIntegrationSchema,
  type JwtIntegration,
  MAX_JWT_INTEGRATIONS,
} from '#contracts/console/integrations';
import { auditRow } from '#worker/db/audit';
import { jwtIntegration } from '#worker/db/schema/integrations';
import { commitForReplicas } from '#worker/domains/publishing/commit-for-replicas';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { ApiError } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { anonymize, asJwtIntegration, type JwtIntegrationRow } from './jwt-integration-store.ts';
import { readPublicKeys } from './read-public-keys.ts';

/** @throws {ApiError} forbidden for platform staff; invalid-request naming publicKey; conflict when there are too many */
export async function createJwtIntegration(
  ctx: RequestContext,
  scope: MemberScope,
  body: z.output<typeof createJwtIntegrationSchema>,
): Promise<JwtIntegration> {
  const { db, now } = ctx;
  const { orgId } = scope;
  ensureIsMember(scope, 'add JWT integrations');
  const row: JwtIntegrationRow = {
    id: ctx.newId('jwt'),
    orgId,
    name: body.name,
    description: body.description ?? null,
    claimKey: body.claimKey,
    claimIndex: body.claimIndex,
    audience: body.aud ?? null,
    issuer: body.iss ?? null,
    acceptsUnverifiedEmails: body.acceptsUnverifiedEmails,
    publicKeys: await readPublicKeys(body.publicKey),
    quickStart: body.quickStart ?? false,
    createdAt: now,
    updatedAt: now,
  };

  const integrationCount = sql`(SELECT count(*) FROM ${jwtIntegration} WHERE ${eq(jwtIntegration.orgId, orgId)})`;
  const unmet = await commitForReplicas(
    ctx,
    scope,
    { isBelowLimit: sql`${integrationCount} < ${MAX_JWT_INTEGRATIONS}` },
    [
      db.insert(jwtIntegration).values(row),
      auditRow(ctx, scope, {
        action: 'jwt-integration.created',
        targetId: row.id,
        detail: { name: row.name, publicKey: anonymize(row.publicKeys) },
      }),
    ],
  );
  if (unmet !== null) {
    throw new ApiError(
      'conflict',
      `An organisation can have at most ${MAX_JWT_INTEGRATIONS} JWT integrations`,
    );
  }
  return asJwtIntegration(row);
}
