// Token issuers that stand in for an identity provider, and forged tokens.
import { base64url, CompactSign, exportJWK, exportSPKI, generateKeyPair, type JWK } from 'jose';

export type Claims = Readonly<Record<string, unknown>>;

export interface Signer {
  readonly algorithm: string;
  readonly pem: string;
  readonly jwk: JWK;
  readonly privateJwk: JWK;
  /** Text is signed unchanged. */
  sign(claims: Claims | string, header?: Claims): Promise<string>;
}

export async function newSigner(algorithm = 'ES256'): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return {
    algorithm,
    pem: await exportSPKI(publicKey),
    jwk: await exportJWK(publicKey),
    privateJwk: await exportJWK(privateKey),
    sign: (claims, header = {}) =>
      new CompactSign(new TextEncoder().encode(typeof claims === 'string' ? claims : JSON.stringify(claims)))
        .setProtectedHeader({ alg: algorithm, ...header })
        .sign(privateKey),
  };
}

/** Seconds from the Unix epoch, so many from now. */
export function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

/** A token's segment. */
export function segment(value: unknown): string {
  return base64url.encode(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Signed with this text as a shared secret, as an attacker does who hopes that a public key is taken for one. */
export async function signedWithSecret(secret: string, claims: Claims, header: Claims = {}): Promise<string> {
  const input = `${segment({ alg: 'HS256', ...header })}.${segment(claims)}`;
  const octets = new TextEncoder();
  const key = await crypto.subtle.importKey(
    'raw',
    octets.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const signature = await crypto.subtle.sign('HMAC', key, octets.encode(input));
  return `${input}.${base64url.encode(new Uint8Array(signature))}`;
}
