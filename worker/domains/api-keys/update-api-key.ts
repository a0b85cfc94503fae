/** Changes a key's name and limits, and publishes limits to every replica. */
import { and, eq } from 'drizzle-orm';
import { type AllowanceShare, type ApiKey, limitsOf, type RateLimit } from '#contracts/console/api-keys';
import { recordEdit } from '#worker/db/field-changes';
import { apiKey } from '#worker/db/schema/environments';
import { environmentsOf } from '#worker/domains/publishing/publications';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
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
  await change(ctx, scope, {
    when: { exists: keyExists(scope, keyId) },
    write: [
      db
        .update(apiKey)
        .set({ name, rateLimit, allowanceShare })
        .where(and(eq(apiKey.id, keyId), eq(apiKey.orgId, scope.orgId))),
    ],
    audit: {
      action: hasLimits ? 'api-key.limits-changed' : 'api-key.renamed',
      targetId: keyId,
      detail: {
        environmentId: row.environmentId,
        type: row.type,
        name: changed.name,
        ...limitsOf(changed),
        ...recordEdit(row, { name, rateLimit, allowanceShare }),
      },
    },
    publish: hasLimits ? [environmentsOf(scope, row.environmentId)] : [],
  });
  return asApiKey(changed);
}
