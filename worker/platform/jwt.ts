/**
 * Signed tokens and the public keys that verify them, by way of jose: only what needs cryptography. What a token must
 * say, and which key may be used, is decided by domains/identity.
 */
import { compactVerify, exportJWK, exportSPKI, importJWK, importSPKI, importX509, type JWK } from 'jose';
import type { PublicJwk } from '#contracts/internal/snapshot';
import { sha256Hex } from '#runtime/hash';

/**
 * Whether this key made the token's signature with this algorithm; false on any error. jose remembers
 * the imported key by the object that it was given.
 */
export async function isSignedBy(token: string, key: PublicJwk, algorithm: string): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms: [algorithm] });
    return true;
  } catch {
    return false;
  }
}

export interface ImportedKey {
  /** The canonical form of what was given: public parts only, neither kid nor alg. */
  readonly jwk: PublicJwk;
  /** Size of an RSA key; null for other keys. */
  readonly modulusBits: number | null;
  /** SHA-256 of the key's SPKI form, hexadecimal: what `openssl pkey -pubin -outform der | sha256sum` prints. */
  readonly fingerprint: string;
}

/** One algorithm for each kind of key that can be imported, with the object identifier in its DER form. */
const KINDS = [
  ['RS256', '\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01'],
  ['ES256', '\x2a\x86\x48\xce\x3d\x03\x01\x07'],
  ['ES384', '\x2b\x81\x04\x00\x22'],
  ['EdDSA', '\x2b\x65\x70'],
] as const;

/**
 * @param base64 of the DER form, of a key (SPKI) or of a certificate (X.509)
 * @returns null when it contains no key of a supported kind
 */
export async function importDer(
  label: 'PUBLIC KEY' | 'CERTIFICATE',
  base64: string,
): Promise<ImportedKey | null> {
  let der: string;
  try {
    der = atob(base64);
  } catch {
    return null;
  }
  const pem = `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----`;
  const read = label === 'CERTIFICATE' ? importX509 : importSPKI;
  // Trying a key as what it is not makes workerd write to its log.
  for (const [kind] of KINDS.filter(([, identifier]) => der.includes(identifier))) {
    const imported = await exported(() => read(pem, kind, { extractable: true }));
    if (imported !== null) return imported;
  }
  return null;
}

/**
 * @param jwk its public parts are taken, anything else in it is left out
 * @returns null when it contains no key of a supported kind
 */
export async function importJwk(jwk: Readonly<Record<string, unknown>>): Promise<ImportedKey | null> {
  const { kty, n, e, crv, x, y } = jwk;
  if (kty === 'RSA') return exported(() => importJWK({ kty, n, e } as JWK, 'RS256', { extractable: true }));
  if (kty === 'OKP') return exported(() => importJWK({ kty, crv, x } as JWK, 'EdDSA', { extractable: true }));
  if (kty !== 'EC') return null;
  const kind = crv === 'P-384' ? 'ES384' : 'ES256';
  return exported(() => importJWK({ kty, crv, x, y } as JWK, kind, { extractable: true }));
}

async function exported(importKey: () => Promise<CryptoKey | Uint8Array>): Promise<ImportedKey | null> {
  try {
    const key = await importKey();
    if (key instanceof Uint8Array || key.type !== 'public') return null;
    const jwk = (await exportJWK(key)) as PublicJwk;
    const { modulusLength } = key.algorithm as { modulusLength?: number };
    return { jwk, modulusBits: modulusLength ?? null, fingerprint: await fingerprintOf(key) };
  } catch {
    return null;
  }
}

async function fingerprintOf(key: CryptoKey): Promise<string> {
  const base64 = (await exportSPKI(key)).replaceAll(/-----[^-]+-----|\s/g, '');
  return sha256Hex(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}
