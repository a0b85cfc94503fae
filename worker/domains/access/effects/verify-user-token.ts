/** Verifies a request's userJwt, with the snapshot's cache of verified tokens. */

import type { NamedSubject, Verdict } from '#engine/identity/check-claims';
import type { Queues } from '#runtime/send-message';
import { verifyToken } from '#worker/domains/identity/verify-token';
import type { LoadedEnvironment } from '#worker/domains/snapshots/snapshot-cache';
import { isSignedBy } from '#worker/platform/jwt';
import { askForKeys } from './ask-for-keys.ts';

/** Synchronous, for the warm path. */
export function getCachedVerdict(
  loaded: LoadedEnvironment,
  token: string,
  now: number,
): NamedSubject | undefined {
  return loaded.verifiedTokens.get(token, now);
}

/** Never throws: a refusal is a verdict too. */
export async function verifyUserToken(
  env: Queues,
  loaded: LoadedEnvironment,
  token: string,
  now: number,
): Promise<Verdict> {
  const { jwtIssuers = [] } = loaded.snapshot;
  const verdict = await verifyToken(jwtIssuers, token, now, { isSignedBy });
  if (typeof verdict !== 'string') loaded.verifiedTokens.set(token, verdict);
  else askForKeys(env, jwtIssuers, token, now);
  return verdict;
}
