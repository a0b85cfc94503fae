/** How many environments an organisation had at the last visit, kept in this browser: their skeleton has as many tiles. */

const keyOf = (orgId: string) => `environments ${orgId}`;

/** @returns undefined if nothing is kept */
export function readCount(orgId: string): number | undefined {
  try {
    const count = Number(localStorage.getItem(keyOf(orgId)));
    return Number.isInteger(count) && count > 0 ? count : undefined;
  } catch {
    return undefined; // Storage is blocked.
  }
}

export function keepCount(orgId: string, count: number): void {
  try {
    localStorage.setItem(keyOf(orgId), String(count));
  } catch {
    // Storage is blocked or full.
  }
}
