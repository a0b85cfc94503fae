/** Whether a page still waits for a query before it decides on its layout. */
import type { UseQueryResult } from '@tanstack/react-query';

/** Loaded, or failed once: the page does not wait for further attempts. */
export function isSettled({
  isPending,
  failureCount,
}: Pick<UseQueryResult, 'isPending' | 'failureCount'>): boolean {
  return !isPending || failureCount > 0;
}
