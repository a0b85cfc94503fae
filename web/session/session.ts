/**
 * Who is signed in: the one place that knows. Fetched when the page starts and again after every call that may have
 * changed it; any answer that says nobody is signed in ends it at once.
 */
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { authClient, onSessionChange, type SignedIn, type User } from '../api/auth-client.ts';
import { onSignedOut } from '../api/call.ts';

export type SessionState = 'unknown' | 'loading' | 'authenticated' | 'unauthenticated';

export interface Session {
  readonly sessionState: SessionState;
  /** Null unless authenticated. */
  readonly user: User | null;
  readonly isSudoAccess: boolean;
}

/** After log-out the session counts as ended this much later, when /signin already shows (specification, section 4). */
export const LOG_OUT_DELAY_MS = 500;

/** An error, or no user in the answer, is nobody signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<SignedIn | null> => {
    const { data, error } = await authClient.getSession();
    return error === null && data?.user ? data : null;
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
 * Starts to watch the calls that change the session, and fetches it for the first time. Called once. `tabs` leads to the
 * other tabs of this browser: they share its cookie, so each tells the others who it found signed in.
 */
export function startSession(client: QueryClient, tabs: BroadcastChannel | null = null): void {
  const tellOtherTabs = () => tabs?.postMessage(userIdOf(client));
  let ending: ReturnType<typeof setTimeout> | undefined;
  onSessionChange((path) => {
    if (path === '/update-user') void client.invalidateQueries(sessionQuery);
    else if (path === '/sign-out' || path === '/delete-user') {
      tabs?.postMessage(null);
      ending = setTimeout(() => endSession(client), LOG_OUT_DELAY_MS);
    } else {
      // Whoever signs in while the last session is still ending is not signed out by that.
      if (ending !== undefined) {
        clearTimeout(ending);
        ending = undefined;
        endSession(client);
      }
      void client.resetQueries(sessionQuery).then(tellOtherTabs);
    }
  });
  onSignedOut(() => endSession(client));
  tabs?.addEventListener('message', ({ data: userId }) => {
    const known = userIdOf(client);
    if (known !== undefined && userId !== known) void followOtherTab(client);
  });
  void client.prefetchQuery(sessionQuery).then(tellOtherTabs);
}

/** Null: nobody is signed in; undefined: not known yet. */
function userIdOf(client: QueryClient): string | null | undefined {
  const session = client.getQueryData(sessionQuery.queryKey);
  return session === undefined ? undefined : (session?.user.id ?? null);
}

/** Asks who is signed in by now. Where that cannot be learnt the next call will tell. */
async function followOtherTab(client: QueryClient): Promise<void> {
  const { data, error } = await authClient.getSession();
  if (error !== null) return;
  const known = userIdOf(client);
  if (!data?.user) endSession(client);
  else if (known === null) client.setQueryData(sessionQuery.queryKey, data);
  // Somebody else: nothing of the one before stays in memory.
  else if (data.user.id !== known) window.location.reload();
}

/** Nobody is signed in any more: what was read for them is forgotten. */
export function endSession(client: QueryClient): void {
  client.setQueryData(sessionQuery.queryKey, null);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === 'user' || queryKey[0] === 'org' });
}
