'use client';
/** Answers in React 18.3 and 19. A component renders again only when what it reads has changed. */
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useState,
  useSyncExternalStore,
} from 'react';
import {
  type BrowserAccess,
  type BrowserOptions,
  type BrowserState,
  type BrowserTessera,
  createBrowserTessera,
} from './browser.ts';
import type { Fallback, FeatureSlug, Gate as GatePath, Got, Meter, Path, ValueOf } from './index.ts';

const StoreContext = createContext<BrowserTessera | null>(null);

export type ProviderProps = { readonly children?: ReactNode } & (
  | { readonly client: BrowserTessera }
  | (BrowserOptions & { readonly client?: never })
);

/**
 * Either a client that you made, or what makes one. Another `bootstrap` or `user` makes another one before anything renders, so that a user
 * never sees what another one had.
 */
export function TesseraProvider({ children, ...props }: ProviderProps): ReactElement {
  const key = props.client ?? keyOf(props);
  const [held, setHeld] = useState(() => ({ key, store: storeOf(props) }));
  let { store } = held;
  if (held.key !== key) {
    store = storeOf(props);
    setHeld({ key, store });
  }
  return createElement(StoreContext.Provider, { value: store }, children);
}

function storeOf(
  props: { readonly client: BrowserTessera } | (BrowserOptions & { readonly client?: never }),
): BrowserTessera {
  return props.client ?? createBrowserTessera(props);
}

/** A bootstrap that is rendered again with the page is the same one: it has the same text. */
function keyOf({ bootstrap, user }: BrowserOptions): string {
  return `${user} ${JSON.stringify(bootstrap)}`;
}

function useStore(): BrowserTessera {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('There is no <TesseraProvider> above');
  return store;
}

function useSelected<Selected>(select: (state: BrowserState) => Selected): Selected {
  const store = useStore();
  const read = () => select(store.getState());
  return useSyncExternalStore(store.subscribe, read, read);
}

const useAt = (path: string) => useSelected(({ access }) => access?.get(path as never));

export function useCan(gate: GatePath, { fallback }: { readonly fallback: boolean }): boolean {
  return useSelected(({ access }) =>
    access?.get(gate as never) === undefined ? fallback : access.can(gate),
  );
}

export function useValue<P extends Path | FeatureSlug, F extends Fallback<ValueOf<P>>>(
  path: P,
  { fallback }: { readonly fallback: F },
): Got<P, F> {
  const value: unknown = useAt(path);
  return (typeof value === typeof fallback ? value : fallback) as Got<P, F>;
}

export function useMeter(path: Path<Meter>): Meter | null {
  const value: unknown = useAt(path);
  return typeof value === 'object' ? (value as Meter) : null;
}

/** `ready` on the server and in the first render where there is a bootstrap: nothing flickers, and both render the same. */
export function useAccess(): BrowserState & { refresh(): Promise<BrowserAccess> } {
  const { refresh } = useStore();
  return { ...useSelected((state) => state), refresh };
}

/** Suspends until there is an answer: put it under <Suspense>. Throws what went wrong if there is none. */
export function useAccessSuspended(): BrowserAccess {
  const store = useStore();
  const { access, error } = useSelected((state) => state);
  if (access !== null) return access;
  if (error !== null) throw error;
  throw store.load();
}

export function Gate(props: {
  readonly allow: GatePath;
  /** Where it is denied, or unknown after a failure. */
  readonly otherwise?: ReactNode;
  readonly loading?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  const { allow, otherwise = null, loading = null, children } = props;
  const shown = useSelected(({ status, access }) =>
    access === null && status === 'loading' ? 'loading' : access?.can(allow) === true ? 'allowed' : 'denied',
  );
  return shown === 'loading' ? loading : shown === 'allowed' ? children : otherwise;
}
