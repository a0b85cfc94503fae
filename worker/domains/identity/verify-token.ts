/**
 * Verifies a token with the organisation's JWT integrations and identifies its subject. Only their keys are used: key
 * references in the token (jku, jwk, x5u, x5c) are ignored. A token with a key id is tried with the keys of that id, or
 * with keys that have none. Any other token is tried with every key that fits its algorithm, one integration after the
 * other.
 */
import type { JwtIssuer, PublicJwk } from '#contracts/internal/snapshot';
import { checkClaims, type Verdict } from '#engine/identity/check-claims';
import { furtherRefusal, type Refusal } from '#engine/identity/describe-refusal';
import { fitsAlgorithm, isAllowedAlgorithm } from './fit-algorithm.ts';
import { readToken } from './read-token.ts';

/** The cryptography, as an effect. */
export interface Signatures {
  /** Never throws. */
  isSignedBy(token: string, key: PublicJwk, algorithm: string): Promise<boolean>;
}

/** @param now epoch milliseconds */
export async function verifyToken(
  issuers: readonly JwtIssuer[],
  token: string,
  now: number,
  signatures: Signatures,
): Promise<Verdict> {
  if (issuers.length === 0) return 'jwt-integration-missing';
  const read = readToken(token);
  if (typeof read === 'string') return read;
  const { algorithm, keyId, claims } = read;
  if (!isAllowedAlgorithm(algorithm)) return 'jwt-algorithm-not-allowed';
  const named = candidatesFor(issuers, keyId);
  if (named.length === 0) return 'jwt-key-unknown';
  const fitting = named.filter(({ key }) => fitsAlgorithm(key, algorithm));
  if (fitting.length === 0) return 'jwt-algorithm-not-allowed';

  let refusal: Refusal = 'jwt-signature-invalid';
  for (const { issuer, key } of fitting) {
    if (!(await signatures.isSignedBy(token, key, algorithm))) continue;
    const checked = checkClaims(claims, issuer, now);
    if (typeof checked !== 'string') return checked;
    refusal = furtherRefusal(refusal, checked);
  }
  return refusal;
}

interface Candidate {
  readonly issuer: JwtIssuer;
  readonly key: PublicJwk;
}

/** A key that was entered without an id may be the one that the token refers to. */
function candidatesFor(issuers: readonly JwtIssuer[], keyId: string | null): readonly Candidate[] {
  const all = issuers.flatMap((issuer) => issuer.keys.map((key) => ({ issuer, key })));
  if (keyId === null) return all;
  const named = all.filter(({ key }) => key.kid === keyId);
  return named.length > 0 ? named : all.filter(({ key }) => key.kid === undefined);
}
