/** Shows a key's full value to members of its organisation. The audit row is committed before the value is returned. */
import type { ApiKey } from '#contracts/console/api-keys';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
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
  await change(ctx, scope, {
    when: { exists: keyExists(scope, keyId) },
    write: [],
    audit: {
      action: 'api-key.revealed',
      targetId: keyId,
      detail: { environmentId: row.environmentId, type: row.type },
    },
    publish: [],
  });
  return { ...asApiKey(row), value };
}
