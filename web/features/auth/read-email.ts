/** The address that an authentication page is opened with: from the page before, or from a link. */

/** `email` of a router state, if that is what it has. */
export function emailOfState(state: unknown): string | null {
  const email = typeof state === 'object' && state !== null && 'email' in state ? state.email : null;
  return typeof email === 'string' && email !== '' ? email : null;
}

/** The base64 text of a query parameter, or null where it is none. */
export function emailOfQuery(encoded: string | null): string | null {
  if (encoded === null) return null;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
