/**
 * The cache of everything read from the server: fresh for 5 seconds, reads retried unless the thing does not exist, and
 * every failed change told in a toast.
 */
import { MutationCache, QueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { isNotFound } from './api-error.ts';
import { errorNotice } from './error-notice.ts';

/** How long what was read counts as fresh (specification, section 9). */
export const FRESH_MS = 5000;
const MAX_RETRIES = 3;

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The screen that made the change says itself what went wrong. */
      readonly isErrorShown?: boolean;
      /** A title in place of the generic one. */
      readonly errorTitle?: string;
    };
  }
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (mutation.meta?.isErrorShown) return;
        const { title, description } = errorNotice(error);
        toast.error(mutation.meta?.errorTitle ?? title, { description });
      },
    }),
    defaultOptions: {
      // Also where the browser says that it is offline, each call is made and fails: what waited for a network would show
      // nothing, and a change would be made whenever one comes back.
      queries: {
        staleTime: FRESH_MS,
        retry: shouldRetry,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

export function shouldRetry(failureCount: number, error: Error): boolean {
  if (isNotFound(error)) return false;
  return failureCount < MAX_RETRIES;
}
