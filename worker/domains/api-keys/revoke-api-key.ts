/** Revokes a key: deletes its row and publishes the deletion to every replica. */
import { and, eq } from 'drizzle-orm';
import { apiKey } from '#worker/db/schema/environments';
import { environmentsOf } from '#worker/domains/publishing/publications';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { getApiKeyRow, keyExists } from './store.ts';

/** @throws {ApiError} not-found */
export async function revokeApiKey(ctx: RequestContext, scope: MemberScope, keyId: string): Promise<void> {
  const { db } = ctx;
  const row = await getApiKeyRow(db, scope, keyId);
  await change(ctx, scope, {
    when: { exists: keyExists(scope, keyId) },
    write: [db.delete(apiKey).where(and(eq(apiKey.id, keyId), eq(apiKey.orgId, scope.orgId)))],
    audit: {
      action: 'api-key.revoked',
      targetId: keyId,
      detail: { environmentId: row.environmentId, type: row.type, name: row.name, masked: row.maskedValue },
    },
    publish: [environmentsOf(scope, row.environmentId)],
  });
}
