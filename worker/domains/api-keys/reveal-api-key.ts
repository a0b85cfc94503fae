/** Shows a key's full value to members of its organisation. The audit row is committed before the value is returned. */
import type { ApiKey } from '#contracts/console/api-keys';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { asApiKey, getApiKeyRow, keyExists, sealContext } from './store.ts';

/** @throws {ApiError} not-found; forbidden for platform staff, who are no members */
export async function revealApiKey(
  ctx: RequestContext,
  scope: MemberScope,
  keyId: string,
): Promise<ApiKey & { value: string }> {
  const { db } = ctx;
  const row = await getApiKeyRow(db, scope, keyId);
  ensureIsMember(scope, 'see the values of keys');
  const value = await ctx.settings.encryption.decrypt(row.sealedValue, sealContext(row));
  const unmet = await commitIf(db, { exists: keyExists(scope.orgId, keyId) }, [
    auditRow(ctx, scope, {
      action: 'api-key.revealed',
      targetId: keyId,
      detail: { environmentId: row.environmentId, type: row.type },
    }),
  ]);
  if (unmet !== null) throw notFound('The API key');
  return { ...asApiKey(row), value };
}
