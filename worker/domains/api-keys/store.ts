/** Reads API keys. Only reveal-api-key.ts returns a key's value. */
import { and, asc, eq, sql } from 'drizzle-orm';
import { type AllowanceShare, type ApiKey, limitsOf, MAX_KEYS_PER_TYPE } from '#contracts/console/api-keys';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { Db } from '#worker/db/database';
import { liveEnvironment } from '#worker/db/live-environments';
import { apiKey, environment } from '#worker/db/schema/environments';
import { invalidField, notFound } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';

export type ApiKeyRow = typeof apiKey.$inferSelect;

export interface ApiKeyList {
  readonly keys: ApiKey[];
  /** How many more of the type may be created. */
  readonly publicRemaining: number;
  readonly secretRemaining: number;
}

/** @throws {ApiError} not-found where there is no such environment */
export async function listApiKeys(db: Db, { orgId }: Scope, environmentId: string): Promise<ApiKeyList> {
  const [environments, rows] = await db.batch([
    db.select({ id: environment.id }).from(environment).where(liveEnvironment(orgId, environmentId)),
    db
      .select()
      .from(apiKey)
      .where(and(eq(apiKey.environmentId, environmentId), eq(apiKey.orgId, orgId)))
      .orderBy(asc(apiKey.createdAt), asc(apiKey.id)),
  ]);
  if (environments.length === 0) throw notFound('The environment');
  const remaining = (type: ApiKeyType) =>
    Math.max(0, MAX_KEYS_PER_TYPE - rows.filter((row) => row.type === type).length);
  return {
    keys: rows.map(asApiKey),
    publicRemaining: remaining('public'),
    secretRemaining: remaining('secret'),
  };
}

/** @throws {ApiError} not-found */
export async function getApiKeyRow(db: Db, { orgId }: Scope, keyId: string): Promise<ApiKeyRow> {
  const [row] = await db
    .select()
    .from(apiKey)
    .where(and(eq(apiKey.id, keyId), eq(apiKey.orgId, orgId)));
  if (row === undefined) throw notFound('The API key');
  return row;
}

/** Condition of `change`, with its error. */
export function keyExists({ orgId }: Scope, keyId: string) {
  const isIt = and(eq(apiKey.id, keyId), eq(apiKey.orgId, orgId));
  return [sql`EXISTS (SELECT 1 FROM ${apiKey} WHERE ${isIt})`, () => notFound('The API key')] as const;
}

/** Binds an encrypted value to its row, so that it cannot be decrypted elsewhere. */
export function sealContext(row: Pick<ApiKeyRow, 'orgId' | 'id'>): readonly string[] {
  return [row.orgId, 'api-key', row.id];
}

export function asApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    environmentId: row.environmentId,
    maskedValue: row.maskedValue,
    ...limitsOf(row),
    managesCustomers: row.managesCustomers,
    createdAt: row.createdAt,
    createdByUserId: row.createdByUserId,
  };
}

/** @throws {ApiError} invalid-request naming managesCustomers: anyone can read a public key */
export function ensureMayManage(type: ApiKeyType, managesCustomers: boolean): void {
  if (type === 'public' && managesCustomers)
    throw invalidField('managesCustomers', 'Only secret keys can manage customers');
}

/** @throws {ApiError} invalid-request naming allowanceShare: secret keys are refused last, at the whole allowance */
export function ensureShareFits(type: ApiKeyType, allowanceShare: AllowanceShare | undefined): void {
  if (type === 'secret' && allowanceShare !== undefined)
    throw invalidField('allowanceShare', 'Only public keys have a share of the allowance');
}
