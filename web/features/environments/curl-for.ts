/** A ready access check with a key, for a terminal. */

/** `origin` is where the API is served. The subject is made up: it answers for whoever is signed in. */
export function curlFor(origin: string, key: string): string {
  return [
    `curl ${origin}/api/v1/access-checks \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{ "userIdentifier": "ada@example.com" }'`,
  ].join('\n');
}
