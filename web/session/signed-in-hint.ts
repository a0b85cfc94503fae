/**
 * Whether this browser has a session's cookie, which scripts cannot read. The server marks its page (worker/http/preload-console.ts); it tells
 * at start-up whether calls that need a session are worth starting before the session is known. It decides nothing else.
 */
let hasCookie = globalThis.document?.documentElement.dataset.firstCalls !== undefined;

export function rememberSignedIn(isSignedIn: boolean): void {
  hasCookie = isSignedIn;
}

export const wasSignedIn = (): boolean => hasCookie;
