/** Adds a JWT integration and publishes it to the replicas of every environment. */
import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type createJwtIntegrationSchema,
  type JwtIntegration,
  MAX_JWT_INTEGRATIONS,
} from '#contracts/console/integrations';
import { jwtIntegration } from '#worker/db/schema/integrations';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { ApiError } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { readGivenKeys } from './given-keys.ts';
import { anonymize, asJwtIntegration, type JwtIntegrationRow } from './jwt-integration-store.ts';

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
    entityClaimKey: body.entityClaimKey ?? null,
    audience: body.aud ?? null,
    issuer: body.iss ?? null,
    acceptsUnverifiedEmails: body.acceptsUnverifiedEmails,
    ...(await readGivenKeys(ctx, body.publicKey)),
    quickStart: body.quickStart ?? false,
    createdAt: now,
    updatedAt: now,
  };

  const count = sql`(SELECT count(*) FROM ${jwtIntegration} WHERE ${eq(jwtIntegration.orgId, orgId)})`;
  const tooMany = `An organisation can have at most ${MAX_JWT_INTEGRATIONS} JWT integrations`;
  await change(ctx, scope, {
    when: {
      isBelowLimit: [sql`${count} < ${MAX_JWT_INTEGRATIONS}`, () => new ApiError('conflict', tooMany)],
    },
    write: [db.insert(jwtIntegration).values(row)],
    audit: {
      action: 'jwt-integration.created',
      targetId: row.id,
      detail: { name: row.name, publicKey: anonymize(row.publicKeys) },
    },
    publish: [everyEnvironmentOf(scope)],
  });
  return asJwtIntegration(row);
}
