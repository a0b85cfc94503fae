/** Entry point: theme, query cache, session, and the page of the address. */
import { MantineProvider, useComputedColorScheme } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '#web/api/query-client.ts';
import { startFrame } from '#web/session/start-frame.ts';
import { createColourSchemeManager, markRoot } from '#web/theme/colour-scheme.ts';
import '#web/theme/global.css';
import { cssVariablesResolver, theme } from '#web/theme/theme.ts';
import { Site } from './site.tsx';

const queryClient = createQueryClient();
startFrame(queryClient, window.location.pathname, (...page) => {
  // Without these, the page starts its queries itself.
  void import('#web/routes/first-queries.ts')
    .then(({ startPage }) => startPage(...page))
    .catch(() => undefined);
});
const colourSchemeManager = createColourSchemeManager();

/** Keeps the root element's class in sync with the theme. */
function RootTheme() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useLayoutEffect(() => markRoot(scheme), [scheme]);
  return null;
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
        <Site />
        <RootTheme />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
