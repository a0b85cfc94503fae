/**
 * TanStack Query set-up: results stay fresh for 5 seconds, failed reads are retried except for 404s, and a failed mutation
 * shows a toast unless its screen shows the error.
 */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { currentUserEndpoints } from '#contracts/console/organisations';
import { isNotFound, shouldRetry } from './api-error.ts';
import { endpointKey } from './endpoint-query.ts';
import { toastError } from './error-notice.ts';

/** Default stale time. */
export const FRESH_MS = 5000;

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The screen shows the error itself, so no toast appears. */
      readonly isErrorShown?: boolean;
      /** Replaces the generic toast title. */
      readonly errorTitle?: string;
    };
  }
}

export function createQueryClient(): QueryClient {
  // The server answers a former member as if the organisation did not exist. The list of organisations tells the two apart.
  const checkMembership = (error: Error) => {
    if (!isNotFound(error)) return;
    void client.invalidateQueries(
      { queryKey: endpointKey(currentUserEndpoints.organisations, {}) },
      { cancelRefetch: false },
    );
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        if (queryKey[0] === 'org') checkMembership(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        checkMembership(error);
        if (mutation.meta?.isErrorShown) return;
        toastError(error, mutation.meta?.errorTitle);
      },
    }),
    defaultOptions: {
      // Calls run and fail even if the browser reports that it is offline. Paused queries would show nothing, and paused
      // mutations would run at an unexpected time later.
      queries: {
        staleTime: FRESH_MS,
        retry: shouldRetry,
        // A page's queries start before it mounts: it does not ask again for what was just not found.
        retryOnMount: ({ state: { error, errorUpdatedAt } }) =>
          !isNotFound(error) || Date.now() - errorUpdatedAt > FRESH_MS,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
