/** Components in files of their own that can be loaded before they are rendered. */
import { type ComponentType, lazy, useEffect, useEffectEvent, useMemo, useState } from 'react';

export interface CodeApart<Props> {
  /** Loads the code. @throws what the import throws; `LoadedApart` then tries again and reports it */
  readonly load: () => Promise<void>;
  readonly isLoaded: () => boolean;
  /** The component if its code has loaded, otherwise one that suspends until then. */
  readonly component: () => ComponentType<Props>;
}

export function codeApart<Props extends object>(load: () => Promise<ComponentType<Props>>): CodeApart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const start = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Lazy = lazy(start) as ComponentType<Props>;
  return {
    load: async () => void (await start()),
    isLoaded: () => loaded !== undefined,
    component: () => loaded ?? Lazy,
  };
}

export interface LoadedApartProps<Props> {
  readonly code: CodeApart<Props>;
  readonly props: Props;
}

/**
 * Renders a component that is loaded apart: at once if its code has loaded. `lazy` suspends even then, and React renders what it has
 * rendered so far again.
 */
export function LoadedApart<Props extends object>({ code, props }: LoadedApartProps<Props>) {
  // Kept: another component would lose its state when the code has loaded.
  const Shown = useMemo(() => code.component(), [code]);
  return <Shown {...props} />;
}

/**
 * Loads code that the page can do without, once it is needed. After a failure it is loaded again when it is needed again.
 *
 * @param onFailure ends the need
 * @returns whether it can be rendered
 */
export function useOptionalCode<Props>(
  code: CodeApart<Props>,
  isNeeded: boolean,
  onFailure: () => void,
): boolean {
  const [isLoaded, setLoaded] = useState(code.isLoaded);
  const fail = useEffectEvent(onFailure);
  const isWaiting = isNeeded && !isLoaded;
  useEffect(() => {
    if (!isWaiting) return;
    let isAwaited = true;
    // Chromium never asks again for a module that it could not load: without a connection it is not asked.
    const loading = navigator.onLine ? code.load() : Promise.reject(new Error('No connection'));
    loading.then(
      () => isAwaited && setLoaded(true),
      () => isAwaited && fail(),
    );
    return () => {
      isAwaited = false;
    };
  }, [code, isWaiting]);
  return isLoaded;
}
