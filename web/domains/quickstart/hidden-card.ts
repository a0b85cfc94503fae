/**
 * Whether the quick start's card is hidden on the dashboard, per organisation and browser. For organisations that have finished the
 * quick start: 'finished' is final on the server, so it cannot become 'dismissed'.
 */

const keyOf = (orgId: string) => `quickstart-hidden:${orgId}`;

export function isCardHidden(orgId: string): boolean {
  try {
    return localStorage.getItem(keyOf(orgId)) !== null;
  } catch {
    return false; // Storage is blocked.
  }
}

export function hideCard(orgId: string): void {
  try {
    localStorage.setItem(keyOf(orgId), '1');
  } catch {
    // Storage is blocked or full: the card is back on the next visit.
  }
}
