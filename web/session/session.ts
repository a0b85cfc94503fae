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

/** Starts to watch the calls that change the session, and fetches it for the first time. Called once. */
export function startSession(client: QueryClient): void {
  onSessionChange((path) => {
    if (path === '/update-user') void client.invalidateQueries(sessionQuery);
    else if (path === '/sign-out' || path === '/delete-user')
      setTimeout(() => endSession(client), LOG_OUT_DELAY_MS);
    else void client.resetQueries(sessionQuery);
  });
  onSignedOut(() => endSession(client));
  void client.prefetchQuery(sessionQuery);
}

/** Nobody is signed in any more: what was read for them is forgotten. */
export function endSession(client: QueryClient): void {
  client.setQueryData(sessionQuery.queryKey, null);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === 'user' || queryKey[0] === 'org' });
}
