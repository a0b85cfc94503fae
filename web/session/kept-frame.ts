/**
 * Who was signed in and their organisations, kept in this browser for the next start: the frame is painted from it at once, while the
 * server is asked. Forgotten on log-out, when the session ends, and when somebody else is signed in.
 */
import type { SignedIn } from '#web/api/auth-client.ts';
import { wasSignedIn } from './signed-in-hint.ts';

const KEY = 'frame';

/** Paths of signed-in pages. Sign-in and its redirects must not act on a session that is not confirmed. */
const FRAMED = /^\/(?:$|o\/|account$|quickstart|api-docs$)/;

/** Absent results are null. */
export type KeptFrame = readonly [session: SignedIn, organisations: unknown, invitations: unknown];

/** @returns null if nothing is kept, or the page at `pathname` has no frame */
export function readFrame(pathname: string): KeptFrame | null {
  if (!wasSignedIn() || !FRAMED.test(pathname)) return null;
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return isFrame(kept) ? kept : null;
  } catch {
    return null; // Storage is blocked or edited: the frame waits for the server.
  }
}

const isFrame = (kept: unknown): kept is KeptFrame =>
  Array.isArray(kept) && kept.length === 3 && typeof kept[0]?.user?.id === 'string';

export function writeFrame(frame: KeptFrame): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(frame));
  } catch {
    // Storage is blocked or full.
  }
}

export function forgetFrame(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked: nothing was kept.
  }
}
