/**
 * D1 stores sessions under the SHA-256 of their token, so that a copy of the database signs nobody in. The token has 32 random
 * characters and needs no salt. Rows of earlier releases have the token itself; they are found too, and hashed when the session
 * is extended.
 */
import { sha256Hex } from '#runtime/hash';

const PREFIX = 'sha256:';

export async function hashSessionToken(token: string): Promise<string> {
  return PREFIX + (await sha256Hex(token));
}

/** The values under which the token's session may be stored. A stored hash is no token itself. */
export async function storedFormsOf(token: string): Promise<string[]> {
  const hash = await hashSessionToken(token);
  return token.startsWith(PREFIX) ? [hash] : [hash, token];
}
