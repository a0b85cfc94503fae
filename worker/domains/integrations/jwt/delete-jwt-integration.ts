/** Deletes a JWT integration. Within five seconds every replica stops accepting its tokens. */
import { and, eq } from 'drizzle-orm';
import { rowExists } from '#worker/db/commit-if';
import { jwtIntegration } from '#worker/db/schema/integrations';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { getJwtIntegrationRow } from './jwt-integration-store.ts';

/** @throws {ApiError} not-found */
export async function deleteJwtIntegration(
  ctx: RequestContext,
  scope: MemberScope,
  id: string,
): Promise<void> {
  const { db } = ctx;
  const { orgId } = scope;
  const { name } = await getJwtIntegrationRow(db, scope, id);
  await change(ctx, scope, {
    when: { exists: [rowExists(jwtIntegration, orgId, id), () => notFound('The integration')] },
    write: [db.delete(jwtIntegration).where(and(eq(jwtIntegration.id, id), eq(jwtIntegration.orgId, orgId)))],
    audit: { action: 'jwt-integration.deleted', targetId: id, detail: { name } },
    publish: [everyEnvironmentOf(scope)],
  });
}
