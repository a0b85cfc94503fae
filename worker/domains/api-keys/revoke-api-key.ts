/** Revokes a key: its row is gone at once, and every replica is told to refuse it. */
import { and, eq } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { apiKey } from '#worker/db/schema/environments';
import { environmentChange } from '#worker/domains/artifacts/workspace-change';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { getApiKeyRow, keyStands } from './store.ts';

/** @throws {ApiError} not-found */
export async function revokeApiKey(
  ctx: RequestContext,
  scope: MemberScope,
  userId: string,
  keyId: string,
): Promise<void> {
  const { db } = ctx;
  const { orgId } = scope;
  const row = await getApiKeyRow(db, scope, keyId);

  const change = environmentChange(ctx, scope, row.environmentId);
  const unmet = await commitIf(db, { exists: keyStands(orgId, keyId) }, [
    db.delete(apiKey).where(and(eq(apiKey.id, keyId), eq(apiKey.orgId, orgId))),
    auditRow(ctx, {
      orgId,
      actorUserId: userId,
      action: 'api-key.revoked',
      targetId: keyId,
      detail: { environmentId: row.environmentId, type: row.type },
    }),
    ...change.statements,
  ]);
  if (unmet !== null) throw notFound('The API key');
  change.announce();
}
