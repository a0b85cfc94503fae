/** Deletes a JWT integration. Within five seconds every replica stops accepting its tokens. */
import { and, eq } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { rowExists } from '#worker/db/commit-if';
import { jwtIntegration } from '#worker/db/schema/integrations';
import { commitForReplicas } from '#worker/domains/publishing/commit-for-replicas';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
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
  const unmet = await commitForReplicas(ctx, scope, { exists: rowExists(jwtIntegration, orgId, id) }, [
    db.delete(jwtIntegration).where(and(eq(jwtIntegration.id, id), eq(jwtIntegration.orgId, orgId))),
    auditRow(ctx, scope, {
      action: 'jwt-integration.deleted',
      targetId: id,
      detail: { name },
    }),
  ]);
  if (unmet !== null) throw notFound('The integration');
}
