/**
 * Navigation of the pages before sign-in, which load without React Router. History entries have React Router's format, so that the
 * console reads the state that such a page passes on, and the other way round.
 */
import {
  type ComponentPropsWithRef,
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';

export interface SiteLocation {
  readonly pathname: string;
  /** With its question mark. Empty if there is none. */
  readonly search: string;
  /** Passed by the previous page. */
  readonly state: unknown;
}

interface HistoryEntry {
  readonly usr: unknown;
  readonly key: string;
  /** Position in the history. */
  readonly idx: number;
}

const entryNow = (): Partial<HistoryEntry> => (window.history.state ?? {}) as Partial<HistoryEntry>;

function locationNow(): SiteLocation {
  const { pathname, search } = window.location;
  return { pathname, search, state: entryNow().usr ?? null };
}

const listeners = new Set<() => void>();

/** Call after a change of the address that `SiteHistory` has not made, to show the page that belongs to it. */
export function showAddressedPage(): void {
  for (const listener of listeners) listener();
}

export interface SiteTarget {
  readonly state?: object;
  /** Replaces the current entry of the history. */
  readonly replace?: boolean;
}

/** @param to path and query of a page of this site */
export function navigateSite(to: string, { state, replace = false }: SiteTarget = {}): void {
  const { idx = 0 } = entryNow();
  const entry: HistoryEntry = {
    usr: state ?? null,
    key: Math.random().toString(36).slice(2, 10),
    idx: replace ? idx : idx + 1,
  };
  if (replace) window.history.replaceState(entry, '', to);
  else window.history.pushState(entry, '', to);
  window.scrollTo(0, 0);
  showAddressedPage();
}

const LocationContext = createContext<SiteLocation | null>(null);

/** Provides the location. The current page stays on screen until the code of the next one has loaded. */
export function SiteHistory({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(locationNow);
  useLayoutEffect(() => {
    const follow = () => startTransition(() => setLocation(locationNow()));
    listeners.add(follow);
    return () => void listeners.delete(follow);
  }, []);
  return <LocationContext value={location}>{children}</LocationContext>;
}

export function useSiteLocation(): SiteLocation {
  const location = useContext(LocationContext);
  if (location === null) throw new Error('useSiteLocation needs SiteHistory');
  return location;
}

export function useSiteQuery(): URLSearchParams {
  return new URLSearchParams(useSiteLocation().search);
}

/** Follows the Back and Forward buttons. Not for the console, whose router does and may ask first. */
export function useHistoryButtons(): void {
  useEffect(() => {
    window.addEventListener('popstate', showAddressedPage);
    return () => window.removeEventListener('popstate', showAddressedPage);
  }, []);
}

/** Replaces the current page. */
export function SiteRedirect({ to }: { to: string }) {
  useEffect(() => navigateSite(to, { replace: true }), [to]);
  return null;
}

export interface SiteLinkProps extends ComponentPropsWithRef<'a'> {
  /** Path and query. */
  readonly to: string;
  /** For the next page. */
  readonly state?: object;
}

export function SiteLink({ to, state, onClick, ...props }: SiteLinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    navigateSite(to, state && { state });
  };
  return <a {...props} href={to} onClick={follow} />;
}
