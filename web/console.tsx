/** The console after sign-in: its query cache and its router. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { forgetFirstCalls } from '#web/api/first-calls.ts';
import { createQueryClient } from '#web/api/query-client.ts';
import { startFrame } from '#web/session/start-frame.ts';
import { createRouter, prefetchOnIntent, startWithCode } from './router.tsx';
import { startPage } from './start-page.ts';

// For keys, slugs and figures: loaded late, it would change their widths.
void document.fonts.load('1em "JetBrains Mono Variable"').catch(() => undefined);

type Router = ReturnType<typeof createRouter>;

let client: QueryClient | undefined;
let opened: Router | undefined;

/** @returns the query cache. The first call starts what the frame and the page at the current address ask */
function startConsole(): QueryClient {
  if (client !== undefined) return client;
  client = createQueryClient();
  startFrame(client, window.location.pathname, startPage);
  return client;
}

/**
 * How long the first render waits for what the page asks. With it the page is rendered once, otherwise skeletons first, which are
 * not visible earlier either.
 */
const ANSWERS_WITHIN_MS = 150;

/** Creates the first router, and waits for the code of the page at the current address, so that the first render shows the page. */
export async function openPage(): Promise<void> {
  const queries = startConsole();
  const router = createRouter();
  opened = router;
  if (!router.state.initialized) {
    await new Promise<void>((resolve) => {
      const stop = router.subscribe(({ initialized }) => {
        if (!initialized) return;
        stop();
        resolve();
      });
    });
  }
  await answers(queries);
  forgetFirstCalls();
}

/** Waits until no query is on its way. */
function answers(queries: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stopWatching();
      clearTimeout(patience);
      resolve();
    };
    const endIfAnswered = () => queries.isFetching() === 0 && end();
    const patience = setTimeout(end, ANSWERS_WITHIN_MS);
    const stopWatching = queries.getQueryCache().subscribe(endIfAnswered);
    endIfAnswered();
  });
}

/** Its router lives as long as the console is on screen: before sign-in, `SiteHistory` follows the address. */
export function Console() {
  const [queries] = useState(startConsole);
  // Set by an effect, it would be rendered synchronously, in one long task.
  const [router, setRouter] = useState<Router | null>(opened ?? null);
  useLayoutEffect(() => {
    const created = opened ?? createRouter();
    opened = undefined;
    setRouter(created);
    return () => created.dispose();
  }, []);
  useEffect(() => prefetchOnIntent(queries), [queries]);
  useEffect(() => router?.subscribe(startWithCode(queries)), [queries, router]);
  return (
    <QueryClientProvider client={queries}>{router && <RouterProvider router={router} />}</QueryClientProvider>
  );
}
