/**
 * The session: who is signed in. Fetched at page start and after every call that may change it. Any response with the
 * error type `unauthenticated` ends it immediately.
 */
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { authClient, onSessionChange, type SignedIn, type User } from '#web/api/auth-client.ts';
import { onSignedOut } from '#web/api/call.ts';
import { isPrivateKey, queryKeys } from '#web/api/query-keys.ts';
import { forgetFrame } from './frame-memory.ts';
import { forgetAllDrafts, keepDrafts } from './kept-drafts.ts';
import { rememberSignedIn } from './signed-in-hint.ts';

export type SessionState = 'unknown' | 'loading' | 'authenticated' | 'unauthenticated';

export interface Session {
  readonly sessionState: SessionState;
  /** Null unless authenticated. */
  readonly user: User | null;
  readonly isSudoAccess: boolean;
}

let hasLeft = false;

/** True from a log-out or account deletion until /signin is on screen: the guards then go there with no page to return to. */
export const hasLeftDeliberately = (): boolean => hasLeft;

/** Called by /signin. From now on a guard names the page to return to again, for example after the Back button. */
export function arriveAtSignIn(): void {
  hasLeft = false;
}

/** Runs a call that ends the session on purpose. Other calls may fail as unauthenticated before its response arrives. */
export async function leaveDeliberately<Result>(call: () => Promise<Result>): Promise<Result> {
  hasLeft = true;
  try {
    return await call();
  } catch (error) {
    hasLeft = false;
    throw error;
  }
}

/** Delay between log-out and the end of the local session, so that /signin is on screen before the guards react. */
export const LOG_OUT_DELAY_MS = 500;

/** An error, or a response without a user, means signed out. */
export const sessionQuery = queryOptions({
  queryKey: queryKeys.session,
  queryFn: async (): Promise<SignedIn | null> => {
    const { data, error } = await authClient.getSession();
    const found = error === null && data?.user ? data : null;
    rememberSignedIn(found !== null);
    return found;
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
});

export function useSession(): Session {
  const { data, status, fetchStatus } = useQuery(sessionQuery);
  const user = data?.user ?? null;
  return { sessionState: stateOf(status, fetchStatus, user), user, isSudoAccess: user?.sudo === true };
}

function stateOf(status: string, fetchStatus: string, user: User | null): SessionState {
  if (status === 'pending') return fetchStatus === 'idle' ? 'unknown' : 'loading';
  return user === null ? 'unauthenticated' : 'authenticated';
}

/**
 * Fetches the session and subscribes to the calls that change it. Called once at start-up. `tabs` connects the browser's
 * other tabs: they share the session cookie, so each tab broadcasts the user id that it found.
 */
export function startSession(client: QueryClient, tabs: BroadcastChannel | null = null): void {
  const notifyOtherTabs = () => tabs?.postMessage(userIdOf(client));
  let ending: ReturnType<typeof setTimeout> | undefined;
  onSessionChange((path) => {
    if (path === '/update-user') void client.invalidateQueries(sessionQuery);
    else if (path === '/sign-out' || path === '/delete-user') {
      forgetAllDrafts();
      tabs?.postMessage(null);
      ending = setTimeout(() => endSession(client), LOG_OUT_DELAY_MS);
    } else {
      hasLeft = false;
      // A sign-in during the log-out delay must not be ended by the pending timer.
      if (ending !== undefined) {
        clearTimeout(ending);
        ending = undefined;
        endSession(client);
      }
      void client.resetQueries(sessionQuery).then(notifyOtherTabs);
    }
  });
  onSignedOut(() => {
    const userId = userIdOf(client);
    if (!hasLeft && typeof userId === 'string') keepDrafts(userId);
    endSession(client);
  });
  tabs?.addEventListener('message', ({ data: userId }) => {
    const known = userIdOf(client);
    if (known !== undefined && userId !== known) void followOtherTab(client);
  });
  void confirmSession(client).then(notifyOtherTabs);
}

/** Fetches the session, although `restoreFrame` may have put the last known one into the cache. */
async function confirmSession(client: QueryClient): Promise<void> {
  const restored = userIdOf(client);
  await client.prefetchQuery({ ...sessionQuery, staleTime: 0 });
  const found = userIdOf(client);
  if (typeof restored !== 'string' || found === restored) return;
  endSession(client, client.getQueryData(sessionQuery.queryKey) ?? null);
}

/** Null if signed out, undefined while unknown. */
function userIdOf(client: QueryClient): string | null | undefined {
  const session = client.getQueryData(sessionQuery.queryKey);
  return session === undefined ? undefined : (session?.user.id ?? null);
}

/** Fetches the current session after another tab changed it. After an error, the next call settles the state. */
async function followOtherTab(client: QueryClient): Promise<void> {
  const { data, error } = await authClient.getSession();
  if (error !== null) return;
  const known = userIdOf(client);
  if (!data?.user) endSession(client);
  else if (known === null) {
    hasLeft = false;
    client.setQueryData(sessionQuery.queryKey, data);
  }
  // A different user signed in. A reload drops the previous user's data from memory.
  else if (data.user.id !== known) window.location.reload();
}

/** Ends the local session and removes all cached data of the user. @param next the session of somebody else, if one is known */
export function endSession(client: QueryClient, next: SignedIn | null = null): void {
  rememberSignedIn(next !== null);
  forgetFrame();
  client.setQueryData(sessionQuery.queryKey, next);
  client.removeQueries({ predicate: ({ queryKey }) => isPrivateKey(queryKey) });
}
