/** Changes a key's limits and publishes them to every replica. */
import { and, eq } from 'drizzle-orm';
import { type AllowanceShare, type ApiKey, limitsOf, type RateLimit } from '#contracts/console/api-keys';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { apiKey } from '#worker/db/schema/environments';
import { environmentChange } from '#worker/domains/publishing/workspace-change';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { asApiKey, ensureShareFits, getApiKeyRow, keyExists } from './store.ts';

export interface KeyLimitsChange {
  readonly rateLimit?: RateLimit | undefined;
  readonly allowanceShare?: AllowanceShare | undefined;
}

/** @throws {ApiError} not-found; invalid-request for a share of a secret key */
export async function updateApiKey(
  ctx: RequestContext,
  scope: MemberScope,
  keyId: string,
  { rateLimit, allowanceShare }: KeyLimitsChange,
): Promise<ApiKey> {
  const { db } = ctx;
  const { orgId } = scope;
  const row = await getApiKeyRow(db, scope, keyId);
  ensureShareFits(row.type, allowanceShare);
  const changed = {
    ...row,
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(allowanceShare === undefined ? {} : { allowanceShare }),
  };
  const change = environmentChange(ctx, scope, row.environmentId);
  const unmet = await commitIf(db, { exists: keyExists(orgId, keyId) }, [
    db
      .update(apiKey)
      .set({ rateLimit, allowanceShare })
      .where(and(eq(apiKey.id, keyId), eq(apiKey.orgId, orgId))),
    auditRow(ctx, scope, {
      action: 'api-key.limits-changed',
      targetId: keyId,
      detail: { environmentId: row.environmentId, type: row.type, ...limitsOf(changed) },
    }),
    ...change.statements,
  ]);
  if (unmet !== null) throw notFound('The API key');
  change.announce();
  return asApiKey(changed);
}
