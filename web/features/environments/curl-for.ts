/** A ready access check with a key, for a terminal. */
import type { ApiKeyType } from '#contracts/api-keys';

/**
 * `origin` is where the API is served. A secret key asks about somebody made up, who is signed in; a public key, which
 * may not name anybody, about an anonymous visitor.
 */
export function curlFor(origin: string, type: ApiKeyType, key: string): string {
  const body = type === 'secret' ? '{ "userIdentifier": "ada@example.com" }' : '{}';
  return [
    `curl ${origin}/api/v1/access-checks \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${body}'`,
  ].join('\n');
}
