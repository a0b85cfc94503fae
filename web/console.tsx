/** The console after sign-in: its query cache, its router and its toasts. */
import { useComputedColorScheme } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useLayoutEffect, useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { Toaster } from 'sonner';
import { config } from 'zod';
import { createRouter, prefetchOnIntent } from './router.tsx';
import { startConsole } from './start-console.ts';

// zod must not compile schemas with eval: the content security policy forbids it and would report the attempt.
config({ jitless: true });

// For keys, slugs and figures: loaded late, it would change their widths.
void document.fonts.load('1em "JetBrains Mono Variable"').catch(() => undefined);

type Router = ReturnType<typeof createRouter>;

let opened: Router | undefined;

/** Creates the first router, and waits until it has the code of the page at the current address: its first render shows the page. */
export async function openPage(): Promise<void> {
  const router = createRouter();
  opened = router;
  if (router.state.initialized) return;
  await new Promise<void>((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}

/** Its router lives as long as the console is on screen: before sign-in, `SiteHistory` follows the address. */
export function Console() {
  const [client] = useState(startConsole);
  const [router, setRouter] = useState<Router | null>(null);
  useLayoutEffect(() => {
    const created = opened ?? createRouter();
    opened = undefined;
    setRouter(created);
    return () => created.dispose();
  }, []);
  useEffect(() => prefetchOnIntent(client), [client]);
  return (
    <QueryClientProvider client={client}>{router && <RouterProvider router={router} />}</QueryClientProvider>
  );
}

/** Sonner's custom properties, in the console's colours. */
const toastColours = {
  '--normal-bg': 'var(--raised)',
  '--normal-border': 'var(--line-strong)',
  '--normal-text': 'var(--text)',
  '--border-radius': '8px',
} as CSSProperties;

/** Higher than the row of buttons at the foot of a tall dialog or an editor, in pixels. */
const aboveButtons = { offset: { bottom: 88, right: 24 }, mobileOffset: { bottom: 88 } };

export function Toasts() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  return <Toaster theme={scheme} {...aboveButtons} className="toasts" style={toastColours} />;
}
