/**
 * Parses a token in compact serialisation (RFC 7515 section 3.1). The parser is strict: every token has one spelling. Of the
 * header, only the algorithm and the key id are used. Claims are untrusted until the signature is verified.
 */
import type { Refusal } from '#engine/identity/describe-refusal';
import { type ClaimSet, own } from '#engine/identity/read-claim';

/** The maximum size of a token. */
export const MAX_TOKEN_BYTES = 8192;

export interface ReadToken {
  readonly algorithm: string;
  readonly keyId: string | null;
  readonly claims: ClaimSet;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function readToken(token: string): ReadToken | Extract<Refusal, 'jwt-too-large' | 'jwt-malformed'> {
  if (token.length > MAX_TOKEN_BYTES) return 'jwt-too-large';
  const segments = token.split('.', 4);
  const [head = '', body = '', signature = ''] = segments;
  if (segments.length !== 3 || !isBase64url(signature)) return 'jwt-malformed';
  const header = readJsonObject(head);
  const claims = readJsonObject(body);
  if (header === null || claims === null) return 'jwt-malformed';
  const algorithm = own(header, 'alg');
  const keyId = own(header, 'kid');
  if (typeof algorithm !== 'string' || (keyId !== undefined && typeof keyId !== 'string'))
    return 'jwt-malformed';
  // Critical extensions must not be ignored (RFC 7515 section 4.1.11), and none is supported.
  if (own(header, 'crit') !== undefined) return 'jwt-malformed';
  return { algorithm, keyId: keyId ?? null, claims };
}

function readJsonObject(segment: string): ClaimSet | null {
  if (!isBase64url(segment)) return null;
  try {
    const bytes = Uint8Array.from(atob(segment.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ClaimSet) : null;
  } catch {
    return null;
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Canonical base64url: no padding, and no stray bits in the last character. */
function isBase64url(text: string): boolean {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return false;
  const rest = text.length % 4;
  if (rest === 0) return true;
  const last = ALPHABET.indexOf(text.charAt(text.length - 1));
  return rest === 2 ? last % 16 === 0 : rest === 3 && last % 4 === 0;
}
