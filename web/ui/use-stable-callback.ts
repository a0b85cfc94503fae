/** The same function in every render, so that rows which depend on it alone are not rendered again. It calls the latest `callback`. */
import { useCallback, useLayoutEffect, useRef } from 'react';

/** For events: not to be called while rendering. */
export function useStableCallback<Args extends readonly unknown[]>(
  callback: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
