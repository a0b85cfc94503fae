/**
 * The accepted signature algorithms, and the key type of each. A token's algorithm must match its key's type, so that
 * no key can be used for another algorithm, in particular no public key as an HMAC secret.
 */
import type { PublicJwk } from '#contracts/internal/snapshot';

const RSA: ReadonlySet<string> = new Set(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']);
const ES256: ReadonlySet<string> = new Set(['ES256']);
const ES384: ReadonlySet<string> = new Set(['ES384']);
const EDDSA: ReadonlySet<string> = new Set(['EdDSA']);
const NONE: ReadonlySet<string> = new Set();

/** By the curve of EC and OKP keys. */
const BY_CURVE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['EC P-256', ES256],
  ['EC P-384', ES384],
  ['OKP Ed25519', EDDSA],
]);

const ALLOWED: ReadonlySet<string> = new Set([...RSA, ...ES256, ...ES384, ...EDDSA]);

export function isAllowedAlgorithm(algorithm: string): boolean {
  return ALLOWED.has(algorithm);
}

/** Empty if the key type is not supported. */
export function algorithmsOf({ kty, crv }: Pick<PublicJwk, 'kty' | 'crv'>): ReadonlySet<string> {
  return kty === 'RSA' ? RSA : (BY_CURVE.get(`${kty} ${crv}`) ?? NONE);
}

export function fitsAlgorithm(key: PublicJwk, algorithm: string): boolean {
  return algorithmsOf(key).has(algorithm) && (key.alg === undefined || key.alg === algorithm);
}
