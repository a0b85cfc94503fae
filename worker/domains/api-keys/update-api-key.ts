/** Changes a key's name and limits, and publishes limits to every replica. */
import { and, eq } from 'drizzle-orm';
import { type AllowanceShare, type ApiKey, limitsOf, type RateLimit } from '#contracts/console/api-keys';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { apiKey } from '#worker/db/schema/environments';
import { environmentChange } from '#worker/domains/publishing/workspace-change';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { asApiKey, ensureShareFits, getApiKeyRow, keyExists } from './store.ts';

export interface KeyChange {
  /** Null removes the name. */
  readonly name?: string | null | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly allowanceShare?: AllowanceShare | undefined;
}

/** @throws {ApiError} not-found; invalid-request for a share of a secret key */
export async function updateApiKey(
  ctx: RequestContext,
  scope: MemberScope,
  keyId: string,
  { name, rateLimit, allowanceShare }: KeyChange,
): Promise<ApiKey> {
  const { db } = ctx;
  const { orgId } = scope;
  const row = await getApiKeyRow(db, scope, keyId);
  ensureShareFits(row.type, allowanceShare);
  const changed = {
    ...row,
    ...(name === undefined ? {} : { name }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(allowanceShare === undefined ? {} : { allowanceShare }),
  };
  /** Replicas know no names. */
  const hasLimits = rateLimit !== undefined || allowanceShare !== undefined;
  const change = environmentChange(ctx, scope, row.environmentId);
  const unmet = await commitIf(db, { exists: keyExists(orgId, keyId) }, [
    db
      .update(apiKey)
      .set({ name, rateLimit, allowanceShare })
      .where(and(eq(apiKey.id, keyId), eq(apiKey.orgId, orgId))),
    auditRow(ctx, scope, {
      action: hasLimits ? 'api-key.limits-changed' : 'api-key.renamed',
      targetId: keyId,
      detail: { environmentId: row.environmentId, type: row.type, name: changed.name, ...limitsOf(changed) },
    }),
    ...(hasLimits ? change.statements : []),
  ]);
  if (unmet !== null) throw notFound('The API key');
  if (hasLimits) change.announce();
  return asApiKey(changed);
}
