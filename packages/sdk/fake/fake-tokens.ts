/** Tokens of the fake server's own issuer: signed by no secret, and read by the API's rules for claims. */
import { readIdentifier } from '#contracts/public/identifiers';
import type { WarningCode } from '#contracts/public/warnings';

const LEEWAY_MS = 30_000;
const DAY_MS = 24 * 3_600_000;
/** `{"alg":"fake"}`. Written out, because jsdom has no TextEncoder. */
const HEADER = 'eyJhbGciOiJmYWtlIn0';

export type Verdict = { readonly identifier: string; readonly expiresAt: number } | WarningCode;

export function signToken(claims: Readonly<Record<string, unknown>>): string {
  const payload = encode(claims);
  return `${HEADER}.${payload}.${signatureOf(payload)}`;
}

export function verifyToken(token: string, now: number): Verdict {
  if (token.length > 8192) return 'jwt-too-large';
  const [header, payload = '', signature, ...more] = token.split('.');
  const claims = decode(payload);
  if (more.length > 0 || signature === undefined || claims === null) return 'jwt-malformed';
  if (header !== HEADER) return 'jwt-algorithm-not-allowed';
  if (signature !== signatureOf(payload)) return 'jwt-signature-invalid';
  const { exp, nbf, email, email_verified: isVerified } = claims;
  if (typeof exp !== 'number') return 'jwt-expiry-missing';
  const expiresAt = Math.floor(exp * 1000);
  if (now >= expiresAt + LEEWAY_MS) return 'jwt-expired';
  if (expiresAt > now + DAY_MS + LEEWAY_MS) return 'jwt-lifetime-too-long';
  if (typeof nbf === 'number' && nbf * 1000 > now + LEEWAY_MS) return 'jwt-not-yet-valid';
  if (email === undefined || email === '') return 'jwt-claim-missing';
  const read = readIdentifier(String(email));
  if (!read.ok || read.kind !== 'email') return 'jwt-claim-invalid';
  return isVerified === false ? 'jwt-email-unverified' : { identifier: read.canonical, expiresAt };
}

function encode(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa(String.fromCharCode(...bytes))
    .replace(/=+$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

function decode(segment: string): Record<string, unknown> | null {
  try {
    const bytes = atob(segment.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
  } catch {
    return null;
  }
}

/** FNV-1a: it tells one payload from another, and protects nothing. */
function signatureOf(payload: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < payload.length; at++) hash = Math.imul(hash ^ payload.charCodeAt(at), 0x01000193);
  return encode({ fnv: hash >>> 0 });
}
