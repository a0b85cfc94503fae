/** Reads the email that prefills an authentication page, from router state or from a link. */

/** The router state's `email`, or null. */
export function emailOfState(state: unknown): string | null {
  const email = typeof state === 'object' && state !== null && 'email' in state ? state.email : null;
  return typeof email === 'string' && email !== '' ? email : null;
}

/** Decodes a base64 query parameter. Null if it is not valid base64. */
export function emailOfQuery(encoded: string | null): string | null {
  if (encoded === null) return null;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
