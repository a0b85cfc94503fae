/** The console after sign-in: its query cache and its router. */
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import { RouterProvider } from 'react-router/dom';
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
