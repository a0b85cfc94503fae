/** The parameters of the URL, for pages that keep several independent choices there. */
import { useCallback, useContext } from 'react';
import {
  type DataRouter,
  UNSAFE_DataRouterContext as DataRouterContext,
  useLocation,
  useSearchParams,
} from 'react-router';

/** New values by parameter; null and '' remove the parameter. Parameters that are not mentioned stay. */
export type ParamChanges = Readonly<Record<string, string | null>>;

export interface ParamOptions {
  /** In place instead of a step of the history. */
  readonly replace?: boolean;
  /** The history entry's state, from the router's own. Without it the entry has none. */
  readonly state?: (current: unknown) => unknown;
}

/**
 * @returns the parameters; a function that changes some of them in one step; and one that reads them from the router itself, since the
 *   location that is rendered may be older. While the router is leaving the page the first changes nothing and returns false, since a
 *   change would cancel that navigation, and the second returns undefined.
 */
export function useAddressParams(): [
  params: URLSearchParams,
  change: (changes: ParamChanges, options?: ParamOptions) => boolean,
  readNow: () => URLSearchParams | undefined,
] {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const router = useContext(DataRouterContext)?.router;
  const change = useCallback(
    (changes: ParamChanges, options: ParamOptions = {}) =>
      router !== undefined && changeParams(router, pathname, changes, options),
    [router, pathname],
  );
  const readNow = useCallback(() => {
    const location = router?.state.location;
    return location?.pathname === pathname ? new URLSearchParams(location.search) : undefined;
  }, [router, pathname]);
  return [params, change, readNow];
}

/**
 * Changes parameters in the router's own location. The location that a component has rendered may be older: on a busy page two
 * choices in quick succession would each start from it, and the second would undo the first.
 *
 * @param pathname the page that makes the change; once the router is elsewhere or on its way, nothing changes
 */
export function changeParams(
  router: Pick<DataRouter, 'state' | 'navigate'>,
  pathname: string,
  changes: ParamChanges,
  { replace = false, state }: ParamOptions = {},
): boolean {
  const { location, navigation } = router.state;
  if (navigation.state !== 'idle' || location.pathname !== pathname) return false;
  const params = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') params.delete(name);
    else params.set(name, value);
  }
  void router.navigate(
    { pathname, search: params.toString(), hash: location.hash },
    { replace, preventScrollReset: true, state: state?.(location.state) },
  );
  return true;
}
