/** Starts the console: theme, cache, session, routes, toasts. */
import { MantineProvider, useComputedColorScheme } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type CSSProperties, StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { Toaster } from 'sonner';
import { config } from 'zod';
import { createQueryClient } from './api/query-client.ts';
import { createRouter } from './router.tsx';
import { startSession } from './session/session.ts';
import { createColourSchemeManager, markRoot } from './theme/colour-scheme.ts';
import './theme/global.css';
import { cssVariablesResolver, theme } from './theme/theme.ts';

// Schemas are read, not compiled to code: the page's policy allows no eval, and even the attempt would be reported.
config({ jitless: true });

const queryClient = createQueryClient();
startSession(queryClient, new BroadcastChannel('session'));
const router = createRouter();
const colourSchemeManager = createColourSchemeManager();

/** Sonner's own custom properties, in the console's colours; its sizes and times stay as they are. */
const toastColours = {
  '--normal-bg': 'var(--raised)',
  '--normal-border': 'var(--line-strong)',
  '--normal-text': 'var(--text)',
  '--border-radius': '8px',
} as CSSProperties;

/** Keeps the root's class in step with the theme, and shows the toasts in it. */
function ThemedToaster() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useLayoutEffect(() => markRoot(scheme), [scheme]);
  return <Toaster theme={scheme} className="toasts" style={toastColours} />;
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
