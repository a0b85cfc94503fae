/**
 * The invitation that somebody accepted on the page before sign-in. The console accepts it once they are signed in, so nobody accepts twice.
 * Stored, because the way there can lead through a mailbox or another provider.
 */
const KEY = 'accepted-invitation';
const KEPT_MS = 60 * 60 * 1000;

export function rememberAcceptedInvitation(id: string, now = Date.now()): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ id, until: now + KEPT_MS }));
  } catch {
    // Storage is blocked. The console then asks for the answer.
  }
}

/** Whether the invitation was accepted within the last hour. It is forgotten, so it is accepted once. */
export function takeAcceptedInvitation(invitationId: string, now = Date.now()): boolean {
  try {
    const { id, until } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as { id?: unknown; until?: unknown };
    if (id !== invitationId) return false;
    localStorage.removeItem(KEY);
    return typeof until === 'number' && now < until;
  } catch {
    return false;
  }
}
