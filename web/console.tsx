/** The console after sign-in: its router and its toasts. */
import { useComputedColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useLayoutEffect, useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { Toaster } from 'sonner';
import { config } from 'zod';
import { createRouter, prefetchOnIntent } from './router.tsx';

// zod must not compile schemas with eval: the content security policy forbids it and would report the attempt.
config({ jitless: true });

/** Its router lives as long as the console is on screen: before sign-in, `SiteHistory` follows the address. */
export function Console() {
  const client = useQueryClient();
  const [router, setRouter] = useState<ReturnType<typeof createRouter> | null>(null);
  useLayoutEffect(() => {
    const created = createRouter();
    setRouter(created);
    return () => created.dispose();
  }, []);
  useEffect(() => prefetchOnIntent(client), [client]);
  return router && <RouterProvider router={router} />;
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
