/** What an access check answers for a customer that was loaded from the database, with the usage of every meter. Nothing is recorded. */
import type { AccessCheckAnswer } from '#contracts/public/access';
import { runAccessPipeline } from '#engine/access/access-pipeline';
import type { KnownCustomer } from '#engine/access/access-request';
import { renderCheck, textOf } from '#engine/access/render-check';
import type { PublicCall } from '../calls/public-call.ts';
import { readQuery } from '../calls/read-query.ts';
import { accessEffects } from '../effects/production-effects.ts';

/** @throws {ApiError} unavailable */
export async function checkKnownCustomer(
  { authenticated, env, place, requestId, query }: PublicCall,
  known: KnownCustomer,
): Promise<AccessCheckAnswer> {
  const now = Date.now();
  const result = await runAccessPipeline(accessEffects(env), {
    loaded: authenticated.loaded,
    keyType: 'secret',
    known,
    place,
    now,
    seed: requestId,
    isUsageShown: true,
  });
  const rendered = renderCheck(authenticated, result, { requestId, now, query: readQuery(query, false) });
  return JSON.parse(textOf(rendered)) as AccessCheckAnswer;
}
