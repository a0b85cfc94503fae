/** Entry point of the console: theme, query cache, session, router, toasts. */
import { MantineProvider, useComputedColorScheme } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type CSSProperties, StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { Toaster } from 'sonner';
import { config } from 'zod';
import { createQueryClient } from '#web/api/query-client.ts';
import { startPage } from '#web/routes/first-queries.ts';
import { startFrame } from '#web/session/start-frame.ts';
import { createColourSchemeManager, markRoot } from '#web/theme/colour-scheme.ts';
import { createRouter, prefetchOnIntent } from './router.tsx';
import '#web/theme/global.css';
import { cssVariablesResolver, theme } from '#web/theme/theme.ts';

// zod must not compile schemas with eval: the content security policy forbids it and would report the attempt.
config({ jitless: true });

const queryClient = createQueryClient();
startFrame(queryClient, window.location.pathname, startPage);
const router = createRouter();
prefetchOnIntent(queryClient);
const colourSchemeManager = createColourSchemeManager();

/** Sonner's custom properties, in the console's colours. */
const toastColours = {
  '--normal-bg': 'var(--raised)',
  '--normal-border': 'var(--line-strong)',
  '--normal-text': 'var(--text)',
  '--border-radius': '8px',
} as CSSProperties;

/** Renders toasts in the current theme, and keeps the root element's class in sync with it. */
/** Higher than the row of buttons at the foot of a tall dialog or an editor, in pixels. */
const aboveButtons = { offset: { bottom: 88, right: 24 }, mobileOffset: { bottom: 88 } };

function ThemedToaster() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useLayoutEffect(() => markRoot(scheme), [scheme]);
  return <Toaster theme={scheme} {...aboveButtons} className="toasts" style={toastColours} />;
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colourSchemeManager}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <ThemedToaster />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
