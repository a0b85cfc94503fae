/**
 * The page to return to after sign-in. /signin and /signup have it in the URL. It is stored while the user is away at a
 * provider or in the mailbox, from where the way back leads through /post-signin.
 */
import { ownPageOf } from '#contracts/console/own-page';
import { paths } from '#web/paths.ts';

const KEY = 'return-url';
const KEPT_MS = 60 * 60 * 1000;

/** The sign-in page's path, which returns to `path` (including its query) afterwards. */
export function signInPath(path: string): string {
  return `/signin${returnSearch(path)}`;
}

/** The query of an authentication page that keeps the page to return to. Empty if there is none. */
export function returnSearch(path: string | null): string {
  return path === null ? '' : `?${new URLSearchParams({ returnUrl: path })}`;
}

/** The page to open after sign-in. Without one to return to, /post-signin decides between the quick start and /. */
export function pageAfterSignIn(returnUrl: string | null): string {
  return returnUrl === null || isDefault(returnUrl) ? paths.postSignIn : returnUrl;
}

/** /post-signin would wait for itself. */
const isDefault = (path: string) => path === paths.home || path.startsWith(paths.postSignIn);

/** @param path null or /: one stored before stays, because the way to sign-in may have lost it */
export function rememberReturnUrl(path: string | null, now = Date.now()): void {
  if (path === null || isDefault(path)) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ path, until: now + KEPT_MS }));
  } catch {
    // Storage is blocked. Sign-in then ends on the default page.
  }
}

/** After a log-out, and a sign-in that opened another page: a later sign-in must not open the stored one. */
export function forgetReturnUrl(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}

/** The stored page, which is forgotten. Null if there is none, or only one from an hour ago or longer. */
export function takeReturnUrl(now = Date.now()): string | null {
  try {
    const stored = localStorage.getItem(KEY);
    forgetReturnUrl();
    const { path, until } = JSON.parse(stored ?? '{}') as { path?: unknown; until?: unknown };
    return typeof path === 'string' && typeof until === 'number' && now < until ? ownPageOf(path) : null;
  } catch {
    return null;
  }
}
