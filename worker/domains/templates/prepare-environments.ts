/** The environments that a template is deployed to, each with a secret key. */
import { and, asc, eq, ne } from 'drizzle-orm';
import type { ApiKey } from '#contracts/console/api-keys';
import { API_KEY_RANDOM_BYTES } from '#engine/identity/api-key';
import type { Db } from '#worker/db/database';
import { liveEnvironment } from '#worker/db/live-environments';
import { apiKey, environment } from '#worker/db/schema/environments';
import { createApiKey } from '#worker/domains/api-keys/create-api-key';
import { revealApiKey } from '#worker/domains/api-keys/reveal-api-key';
import { createEnvironment } from '#worker/domains/environments/create-environment';
import type { MemberScope, RequestContext, Scope } from '#worker/http/request-context';

export interface TemplateEnvironment {
  readonly id: string;
  readonly name: string;
  readonly type: 'live' | 'test';
  readonly artifactId: string | null;
}

const WANTED = [
  { name: 'Production', type: 'live' },
  { name: 'Test', type: 'test' },
] as const;

const KEY_NAME = 'Quick start';

/** The oldest of each type. */
export async function findEnvironments(db: Db, { orgId }: Scope): Promise<TemplateEnvironment[]> {
  const { id, name, type, artifactId, createdAt } = environment;
  const rows = await db
    .select({ id, name, type, artifactId })
    .from(environment)
    .where(and(liveEnvironment(orgId), ne(type, 'preview')))
    .orderBy(asc(createdAt), asc(id));
  return WANTED.flatMap((wanted) => {
    const found = rows.find((row) => row.type === wanted.type);
    return found === undefined ? [] : [{ ...found, type: wanted.type }];
  });
}

/** @throws {ApiError} conflict for a name that exists, and when there are too many environments */
export async function prepareEnvironments(
  ctx: RequestContext,
  scope: MemberScope,
): Promise<TemplateEnvironment[]> {
  const found = await findEnvironments(ctx.db, scope);
  const all: TemplateEnvironment[] = [];
  for (const wanted of WANTED) {
    const existing = found.find(({ type }) => type === wanted.type);
    const { id, name, artifactId } = existing ?? (await createEnvironment(ctx, scope, wanted));
    all.push({ id, name, artifactId, type: wanted.type });
  }
  return all;
}

/** Several templates share a key. @throws {ApiError} conflict when another call has just created it, and when there are too many */
export async function ensureKey(
  ctx: RequestContext,
  scope: MemberScope,
  environmentId: string,
): Promise<ApiKey & { value: string }> {
  const [own] = await ctx.db
    .select({ id: apiKey.id })
    .from(apiKey)
    .where(
      and(
        eq(apiKey.orgId, scope.orgId),
        eq(apiKey.environmentId, environmentId),
        eq(apiKey.type, 'secret'),
        eq(apiKey.name, KEY_NAME),
      ),
    )
    .orderBy(asc(apiKey.createdAt), asc(apiKey.id))
    .limit(1);
  if (own !== undefined) return revealApiKey(ctx, scope, own.id);
  const random = crypto.getRandomValues(new Uint8Array(API_KEY_RANDOM_BYTES));
  return createApiKey(ctx, scope, {
    environmentId,
    type: 'secret',
    name: KEY_NAME,
    random,
    isOnlyOfName: true,
  });
}
