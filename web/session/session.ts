/**
 * The session: who is signed in. Fetched at page start and after every call that may change it. Any response with the
 * error type `unauthenticated` ends it immediately. It is not in the query cache, because the pages before sign-in load without one.
 */
import { useSyncExternalStore } from 'react';
import { DAY_MS } from '#engine/durations';
import {
  type AuthOutcome,
  authClient,
  endsSession,
  onSessionChange,
  type SignedIn,
  type User,
} from '#web/api/auth-client.ts';
import { onSignedOut } from '#web/api/call.ts';
import { forgetAllDrafts, keepDrafts } from './kept-drafts.ts';
import { forgetFrame } from './kept-frame.ts';
import { forgetReturnUrl } from './return-url.ts';
import { rememberSignedIn } from './signed-in-hint.ts';

export type SessionState = 'loading' | 'authenticated' | 'unauthenticated';

export interface Session {
  readonly sessionState: SessionState;
  /** Null unless authenticated. */
  readonly user: User | null;
  readonly isSudoAccess: boolean;
  /** False while the session of the last visit applies, which may say less than the server's. */
  readonly isConfirmed: boolean;
}

let hasLeft = false;

/** True from a log-out or account deletion until /signin is on screen: the guards then go there with no page to return to. */
export const hasLeftDeliberately = (): boolean => hasLeft;

/** Called by /signin. From now on a guard names the page to return to again, for example after the Back button. */
export function arriveAtSignIn(): void {
  hasLeft = false;
}

/** Runs a call that ends the session on purpose. Other calls may fail as unauthenticated before its response arrives. */
export async function leaveDeliberately<T>(call: () => Promise<AuthOutcome<T>>): Promise<AuthOutcome<T>> {
  hasLeft = true;
  const outcome = await call();
  if (outcome.error !== null) hasLeft = false;
  return outcome;
}

/** Delay between log-out and the end of the local session, so that /signin is on screen before the guards react. */
export const LOG_OUT_DELAY_MS = 500;

let known: SignedIn | null | undefined;
/** The session of the last visit. */
let kept: SignedIn | undefined;
const watchers = new Set<() => void>();

/** Null if signed out, undefined while unknown. */
export const knownSession = (): SignedIn | null | undefined => known;

/** `listener` runs after every change. @returns ends it */
export function watchSession(listener: () => void): () => void {
  watchers.add(listener);
  return () => void watchers.delete(listener);
}

function setSession(next: SignedIn | null | undefined): void {
  known = next;
  for (const watcher of watchers) watcher();
}

export function useSession(): Session {
  const session = useSyncExternalStore(watchSession, knownSession);
  const user = session?.user ?? null;
  return {
    sessionState: session === undefined ? 'loading' : session === null ? 'unauthenticated' : 'authenticated',
    user,
    isSudoAccess: user?.sudo === true,
    isConfirmed: session !== undefined && session !== kept,
  };
}

let reportSessionEnd: () => void = () => {};

/** `listener` runs when a session has ended: what was read for its user must go. */
export function onSessionEnd(listener: () => void): void {
  reportSessionEnd = listener;
}

let tabs: BroadcastChannel | null = null;
let ending: ReturnType<typeof setTimeout> | undefined;

/** Whether the session ends within `LOG_OUT_DELAY_MS`. */
export const isEnding = (): boolean => ending !== undefined;

/**
 * Fetches the session and subscribes to the calls that change it. Called once at start-up.
 * @param last the session of the last visit, which applies until the server has answered
 * @param channel connects the browser's other tabs: they share the session cookie, so each tab broadcasts the user id that it found
 * @param page where people's input is heard, which prolongs the session
 * @returns settles with the server's first answer
 */
export async function startSession(
  last?: SignedIn,
  channel: BroadcastChannel | null = null,
  page: EventTarget | null = null,
): Promise<void> {
  tabs = channel;
  kept = last;
  setSession(kept);
  for (const type of ['pointerdown', 'keydown'])
    page?.addEventListener(type, prolongByUse, { capture: true });
  onSessionChange((path) => {
    if (path === '/update-user') void fetchSession();
    else if (endsSession(path)) {
      forgetAllDrafts();
      forgetReturnUrl();
      tabs?.postMessage(null);
      ending = setTimeout(() => endSession(), LOG_OUT_DELAY_MS);
    } else {
      hasLeft = false;
      forgetUser();
      setSession(undefined);
      void fetchSession();
    }
  });
  onSignedOut(() => endSession());
  tabs?.addEventListener('message', ({ data: id }) => {
    if (userId() === undefined) heard = id;
    else if (id !== userId()) void fetchCurrent();
  });
  await fetchSession();
}

/** Null if signed out, undefined while unknown. */
function userId(): string | null | undefined {
  return known === undefined ? undefined : (known?.user.id ?? null);
}

let fetches = 0;
/** Epoch milliseconds. */
let fetchedAt = 0;
/** The id that another tab found during the current fetch, which may have been answered before. */
let heard: string | null | undefined;

/** An error, or a response without a user, means signed out. The newest fetch decides, and broadcasts the result. */
async function fetchSession(): Promise<void> {
  fetches += 1;
  fetchedAt = Date.now();
  const number = fetches;
  const { data, error } = await authClient.getSession();
  if (number !== fetches) return;
  const found = error === null && data?.user ? data : null;
  const isOvertaken = heard !== undefined && heard !== (found?.user.id ?? null);
  heard = undefined;
  if (isOvertaken) return fetchSession();
  const id = userId();
  if (found === null || (typeof id === 'string' && id !== found.user.id)) endSession(found);
  else {
    rememberSignedIn(true);
    setSession(found);
  }
  tabs?.postMessage(userId());
}

/**
 * Only fetching the session prolongs it, and the server does so at most once a day. A page may stay open for longer than a session
 * lasts: its use counts, while polling and live connections do not.
 */
function prolongByUse(): void {
  const isDue = typeof userId() === 'string' && Date.now() - fetchedAt >= DAY_MS;
  if (isDue) void fetchCurrent();
}

/** Fetches the current session, which may be another one than this tab knows. After an error, the next call settles the state. */
async function fetchCurrent(): Promise<void> {
  fetchedAt = Date.now();
  const { data, error } = await authClient.getSession();
  if (error !== null) return;
  const id = userId();
  if (!data?.user) endSession();
  else if (id === null) {
    hasLeft = false;
    setSession(data);
  } else if (data.user.id !== id) {
    // A different user signed in. A reload drops the previous user's data from memory, and unsaved input must not prevent it.
    endSession(data);
    window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true });
    window.location.reload();
  }
}

/** Ends the local session. @param next the session of somebody else, if one is known */
export function endSession(next: SignedIn | null = null): void {
  const id = userId();
  if (!hasLeft && typeof id === 'string') keepDrafts(id);
  rememberSignedIn(next !== null);
  forgetUser();
  setSession(next);
}

/** Forgets everything that was read for the signed-in user, even if it is not known yet who that is. */
function forgetUser(): void {
  clearTimeout(ending);
  ending = undefined;
  reportSessionEnd();
  forgetFrame();
}
