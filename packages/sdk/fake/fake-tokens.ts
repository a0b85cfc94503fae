/** Tokens of the fake server's own issuer: signed by no secret, and read as the server reads claims. */
import type { JwtIssuer } from '#contracts/internal/snapshot';
import { checkClaims, type Verdict } from '#engine/identity/check-claims';

const MAX_TOKEN = 8192;
/** What the issuer's tokens are read by. */
const ISSUER: JwtIssuer = {
  id: 'jwt_fake',
  claimKey: 'email',
  claimIndex: 'email',
  audience: null,
  issuer: null,
  acceptsUnverifiedEmails: false,
  keys: [],
};
/** `{"alg":"fake"}`. Written out, because jsdom has no TextEncoder. */
const HEADER = 'eyJhbGciOiJmYWtlIn0';

export function signToken(claims: Readonly<Record<string, unknown>>): string {
  const payload = encode(claims);
  return `${HEADER}.${payload}.${signatureOf(payload)}`;
}

export function verifyToken(token: string, now: number): Verdict {
  if (token.length > MAX_TOKEN) return 'jwt-too-large';
  const [header, payload = '', signature, ...more] = token.split('.');
  const claims = decode(payload);
  if (more.length > 0 || signature === undefined || claims === null) return 'jwt-malformed';
  if (header !== HEADER) return 'jwt-algorithm-not-allowed';
  return signature === signatureOf(payload) ? checkClaims(claims, ISSUER, now) : 'jwt-signature-invalid';
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

const signatureOf = (payload: string) => encode({ fnv: hashOf(payload) });

/** FNV-1a: it tells one text from another, and protects nothing. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
