/** Decisions about a page's layout that stay once they are made. */
import { useState } from 'react';

/**
 * True from the first render with `isTrue` on, until `key` changes. A part of a page that appears repeats failed queries, which are
 * pending then. Without the latch that would hide the part again, in an endless loop of requests.
 */
export function useLatch(isTrue: boolean, key: string | null = null): boolean {
  const [latched, setLatched] = useState<{ key: string | null } | null>(null);
  const isLatched = latched !== null && latched.key === key;
  if (isTrue && !isLatched) setLatched({ key });
  return isTrue || isLatched;
}
