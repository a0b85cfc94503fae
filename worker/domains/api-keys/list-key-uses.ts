/** When an environment's API keys were last used, from the organisation's event stream. */
import type { apiKeyEndpoints } from '#contracts/console/api-keys';
import type { AnswerOf } from '#contracts/public/endpoint';
import { readKeyUses } from '#worker/domains/events/reads';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { listApiKeys } from './store.ts';

/**
 * Existing keys only: the stream also knows revoked ones.
 * @throws {ApiError} not-found where there is no such environment
 */
export async function listKeyUses(
  ctx: Pick<RequestContext, 'db' | 'env'>,
  scope: Scope,
  environmentId: string,
): Promise<AnswerOf<typeof apiKeyEndpoints.uses>> {
  const { keys } = await listApiKeys(ctx.db, scope, environmentId);
  const known = new Set(keys.map(({ id }) => id));
  const uses = await readKeyUses(ctx, scope, environmentId);
  return { uses: uses.filter(({ keyId }) => known.has(keyId)) };
}
