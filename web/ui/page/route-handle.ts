/** What the router knows of the page at the current address. */
import { useMatches } from 'react-router';

export interface RouteHandle {
  readonly title?: string | undefined;
  readonly subtitle?: string | undefined;
  /** A forced state of the sidebar. */
  readonly sidebar?: 'hidden' | 'collapsed' | undefined;
}

export function useRouteHandle(): RouteHandle {
  return (useMatches().at(-1)?.handle ?? {}) as RouteHandle;
}
