/**
 * Reads the session token from Better Auth's signed cookie, without Better Auth: the guards run on every console call
 * and need no more than this and one query. A forged or damaged cookie is no cookie.
 */
import type { Settings } from '#worker/env';

const encoder = new TextEncoder();
const keys = new WeakMap<Settings, Promise<CryptoKey>>();

/** Secure cookies carry the prefix, as Better Auth decides by the base URL. */
export function sessionCookieName(settings: Settings): string {
  return `${settings.baseUrl.startsWith('https:') ? '__Secure-' : ''}better-auth.session_token`;
}

/** @returns null where there is no cookie, or its signature is not ours */
export async function readSessionToken(request: Request, settings: Settings): Promise<string | null> {
  const cookie = findCookie(request.headers.get('cookie'), sessionCookieName(settings));
  if (cookie === null) return null;
  const separator = cookie.lastIndexOf('.');
  if (separator < 1) return null;
  const token = cookie.slice(0, separator);
  const signature = decodeBase64(cookie.slice(separator + 1));
  if (signature === null) return null;
  const isOurs = await crypto.subtle.verify('HMAC', await keyOf(settings), signature, encoder.encode(token));
  return isOurs ? token : null;
}

function keyOf(settings: Settings): Promise<CryptoKey> {
  let key = keys.get(settings);
  if (key === undefined) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    key = crypto.subtle.importKey('raw', encoder.encode(settings.authSecret), algorithm, false, ['verify']);
    keys.set(settings, key);
  }
  return key;
}

function findCookie(header: string | null, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key = '', ...value] = pair.split('=');
    if (key.trim() !== name) continue;
    try {
      return decodeURIComponent(value.join('=').trim());
    } catch {
      return null;
    }
  }
  return null;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return null;
  }
}
