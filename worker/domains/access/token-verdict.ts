/** The verdict on a request's userJwt: remembered where it was verified before, else reached now. */
import type { NamedSubject } from '#worker/domains/identity/check-claims';
import { type Verdict, verifyToken } from '#worker/domains/identity/verify-token';
import { isSignedBy } from '#worker/platform/jwt';
import type { LoadedEnvironment } from './snapshot-cache.ts';

/** Waits for nothing. */
export function findVerdict(loaded: LoadedEnvironment, token: string, now: number): NamedSubject | undefined {
  return loaded.knownTokens.find(token, now);
}

/** Never throws: a token that cannot be verified is a verdict as well. */
export async function reachVerdict(loaded: LoadedEnvironment, token: string, now: number): Promise<Verdict> {
  const verdict = await verifyToken(loaded.snapshot.jwtIssuers ?? [], token, now, { isSignedBy });
  if (typeof verdict !== 'string') loaded.knownTokens.remember(token, verdict);
  return verdict;
}
