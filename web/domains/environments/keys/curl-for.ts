/** Builds an example access check as a curl command. */
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { keyVariable } from '#web/values/client-example.ts';

/**
 * `origin` is the API's base URL. The example for a secret key names a user. Public keys may not name one, so their
 * example checks an anonymous visitor. With a key, the first line sets the variable that the command reads.
 */
export function curlFor(origin: string, type: ApiKeyType, key?: string, user = 'ada@example.com'): string {
  const variable = keyVariable(type);
  const body = type === 'secret' ? `{ "userIdentifier": "${user}" }` : '{}';
  return [
    ...(key === undefined ? [] : [`export ${variable}=${key}`]),
    `curl ${origin}/api/v1/access-checks \\`,
    `  -H "Authorization: Bearer $${variable}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${body}'`,
  ].join('\n');
}
