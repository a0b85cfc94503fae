/** Revokes a key: deletes its row and publishes the deletion to every replica. */
import { and, eq } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { apiKey } from '#worker/db/schema/environments';
import { environmentChange } from '#worker/domains/publishing/workspace-change';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { getApiKeyRow, keyExists } from './store.ts';

/** @throws {ApiError} not-found */
export async function revokeApiKey(ctx: RequestContext, scope: MemberScope, keyId: string): Promise<void> {
  const { db } = ctx;
  const { orgId } = scope;
  const row = await getApiKeyRow(db, scope, keyId);

  const change = environmentChange(ctx, scope, row.environmentId);
  const unmet = await commitIf(db, { exists: keyExists(orgId, keyId) }, [
    db.delete(apiKey).where(and(eq(apiKey.id, keyId), eq(apiKey.orgId, orgId))),
    auditRow(ctx, scope, {
      action: 'api-key.revoked',
      targetId: keyId,
      detail: { environmentId: row.environmentId, type: row.type },
    }),
    ...change.statements,
  ]);
  if (unmet !== null) throw notFound('The API key');
  change.announce();
}
