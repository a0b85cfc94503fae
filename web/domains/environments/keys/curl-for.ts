/** Builds an example access check as a curl command. */
import type { ApiKeyType } from '#contracts/public/api-key-type';

/**
 * `origin` is the API's base URL. The example for a secret key names a sample user. Public keys may not name a user, so
 * their example checks an anonymous visitor.
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
