/** Reads the session token from Better Auth's signed cookie without loading Better Auth, so that a console call costs one query. */
import { parseSigned } from 'hono/utils/cookie';
import type { Settings } from '#worker/settings';

/** Better Auth adds the `__Secure-` prefix when its base URL is https. */
export function sessionCookieName(settings: Settings): string {
  return `${settings.baseUrl.startsWith('https:') ? '__Secure-' : ''}better-auth.session_token`;
}

/** @returns null without a cookie, and for one with an invalid signature */
export async function readSessionToken(request: Request, settings: Settings): Promise<string | null> {
  const cookies = request.headers.get('cookie');
  if (cookies === null) return null;
  const name = sessionCookieName(settings);
  const { authSecret, previousAuthSecret } = settings;
  const { [name]: token } = await parseSigned(cookies, authSecret, name);
  if (token || previousAuthSecret === null) return token || null;
  const { [name]: earlier } = await parseSigned(cookies, previousAuthSecret, name);
  return earlier || null;
}
