/** Creates an environment's API key. D1 keeps its hash and its encrypted value; replicas get the hash only. */
import { and, eq, sql } from 'drizzle-orm';
import {
  type AllowanceShare,
  type ApiKey,
  limitsOf,
  MAX_KEYS_PER_TYPE,
  type RateLimit,
} from '#contracts/console/api-keys';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { formatApiKey, isEnvironmentId, maskApiKey } from '#engine/identity/api-key';
import { homeLocation } from '#engine/regions/data-locations';
import { sha256Hex } from '#runtime/hash';
import { findDataLocations } from '#worker/db/data-locations';
import { environmentExists } from '#worker/db/live-environments';
import { apiKey } from '#worker/db/schema/environments';
import { environmentsOf } from '#worker/domains/publishing/publications';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { ApiError, duplicate, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { type ApiKeyRow, asApiKey, ensureMayManage, ensureShareFits, sealContext } from './store.ts';

export interface NewApiKey {
  readonly environmentId: string;
  readonly type: ApiKeyType;
  readonly name?: string | null | undefined;
  /** Absent: the defaults of the type. */
  readonly rateLimit?: RateLimit | undefined;
  readonly allowanceShare?: AllowanceShare | undefined;
  /** Off by default. */
  readonly managesCustomers?: boolean | undefined;
  /** Whether it is refused where the environment has a key of the type and name. Off by default. */
  readonly isOnlyOfName?: boolean | undefined;
  /** API_KEY_RANDOM_BYTES bytes from a cryptographic source. */
  readonly random: Uint8Array;
}

/**
 * The number of keys, and that one is the only one of its name, is checked in the transaction that adds it: calls at the same moment exceed neither.
 * @throws {ApiError} forbidden for platform staff; invalid-request for a share of a secret key or a public key that manages customers; not-found where there is no such environment; conflict when it has all the keys it may have
 */
export async function createApiKey(
  ctx: RequestContext,
  scope: MemberScope,
  {
    environmentId,
    type,
    name,
    rateLimit,
    allowanceShare,
    managesCustomers = false,
    isOnlyOfName = false,
    random,
  }: NewApiKey,
): Promise<ApiKey & { value: string }> {
  const { db } = ctx;
  const { orgId } = scope;
  ensureIsMember(scope, 'create keys');
  if (!isEnvironmentId(environmentId)) throw notFound('The environment');
  ensureShareFits(type, allowanceShare);
  ensureMayManage(type, managesCustomers);
  const home = homeLocation((await findDataLocations(db, orgId)) ?? []);
  if (home === null) throw notFound('The organisation');
  const value = formatApiKey({ type, environmentId, home, random });
  const id = ctx.newId('key');
  const [hash, sealedValue] = await Promise.all([
    sha256Hex(value),
    ctx.settings.encryption.encrypt(value, sealContext({ orgId, id })),
  ]);
  const row: ApiKeyRow = {
    id,
    orgId,
    environmentId,
    type,
    hash,
    sealedValue,
    name: name ?? null,
    maskedValue: maskApiKey(value),
    rateLimit: rateLimit ?? null,
    allowanceShare: allowanceShare ?? null,
    managesCustomers,
    createdAt: ctx.now,
    createdByUserId: scope.actor.userId,
  };

  const isCounted = and(eq(apiKey.environmentId, environmentId), eq(apiKey.type, type));
  const count = sql`(SELECT count(*) FROM ${apiKey} WHERE ${isCounted})`;
  const hasName = sql`EXISTS (SELECT 1 FROM ${apiKey} WHERE ${and(isCounted, eq(apiKey.name, name ?? ''))})`;
  const tooMany = `An environment can have at most ${MAX_KEYS_PER_TYPE} ${type} keys. Revoke one first.`;
  await change(ctx, scope, {
    when: {
      exists: [environmentExists(orgId, environmentId), () => notFound('The environment')],
      isFirst: [
        isOnlyOfName ? sql`NOT ${hasName}` : sql`TRUE`,
        () => duplicate('name', `The environment has a ${type} key named ${name}`),
      ],
      isBelowLimit: [sql`${count} < ${MAX_KEYS_PER_TYPE}`, () => new ApiError('conflict', tooMany)],
    },
    write: [db.insert(apiKey).values(row)],
    audit: {
      action: 'api-key.created',
      targetId: id,
      detail: {
        environmentId,
        type,
        name: row.name,
        masked: row.maskedValue,
        managesCustomers,
        ...limitsOf(row),
      },
    },
    publish: [environmentsOf(scope, environmentId)],
  });
  return { ...asApiKey(row), value };
}
