/**
 * Who was signed in and their organisations, kept in this browser for the next start: the frame is painted from it at once, while the
 * server is asked. Forgotten on log-out, when the session ends, and when somebody else is signed in.
 */
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '#web/api/query-keys.ts';

const KEY = 'frame';

const keptKeys: readonly (readonly unknown[])[] = [
  queryKeys.session,
  queryKeys.ownOrganisations,
  queryKeys.invitations,
];

/** Puts the kept results into the cache, as stale ones: `dataUpdatedAt` is 0 until the server has answered. */
export function restoreFrame(client: QueryClient): void {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    if (!Array.isArray(kept) || kept.length !== keptKeys.length) return;
    for (const [at, key] of keptKeys.entries()) {
      // Absent results are stored as null.
      if (kept[at] !== null) client.setQueryData(key, kept[at], { updatedAt: 0 });
    }
  } catch {
    // Storage is blocked or edited: the frame waits for the server.
  }
}

/** Keeps the results from now on, whenever the server confirms one, as long as somebody is signed in. */
export function keepFrame(client: QueryClient): void {
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.state.status !== 'success') return;
    if (!keptKeys.some(([scope, name]) => scope === query.queryKey[0] && name === query.queryKey[1])) return;
    const [session, organisations, invitations] = keptKeys.map((key) => client.getQueryData(key) ?? null);
    if (session === null) return forgetFrame();
    // A pending invitation is shown above the page: an old one must not appear and vanish.
    const isQuiet = Array.isArray(invitations) && invitations.length === 0;
    try {
      localStorage.setItem(KEY, JSON.stringify([session, organisations, isQuiet ? invitations : null]));
    } catch {
      // Storage is blocked or full.
    }
  });
}

export function forgetFrame(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked: nothing was kept.
  }
}
