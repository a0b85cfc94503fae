/**
 * Whether this browser was signed in when it was last asked. The cookie is not readable; this tells at start-up whether calls that
 * need a session are worth starting before the session is known. It decides nothing else.
 */
const KEY = 'was-signed-in';

export function rememberSignedIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked: calls then wait for the session.
  }
}

export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
