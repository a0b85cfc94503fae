/** Cookies that the previous secret signed, signed again for Better Auth, which checks cookies with one secret. */
import { parseSigned, serializeSigned } from 'hono/utils/cookie';
import type { Settings } from '#worker/settings';

const PROMISED = { secure: true, path: '/' } as const;

export async function renewSignatures(
  request: Request,
  { authSecret, previousAuthSecret }: Pick<Settings, 'authSecret' | 'previousAuthSecret'>,
): Promise<Request> {
  const cookies = request.headers.get('cookie');
  if (cookies === null || previousAuthSecret === null) return request;
  const signed = Object.entries(await parseSigned(cookies, previousAuthSecret));
  const renewed = new Map<string, string>();
  for (const [name, value] of signed) {
    if (!value) continue;
    // A name with a prefix is not written without what the prefix promises.
    const [pair = ''] = (await serializeSigned(name, value, authSecret, PROMISED)).split(';');
    renewed.set(name, pair);
  }
  if (renewed.size === 0) return request;
  const header = cookies
    .split(';')
    .map((cookie) => renewed.get(cookie.split('=')[0]?.trim() ?? '') ?? cookie.trim())
    .join('; ');
  const headers = new Headers(request.headers);
  headers.set('cookie', header);
  return new Request(request, { headers });
}
