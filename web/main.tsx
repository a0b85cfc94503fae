/** Entry point: theme, session, and the page of the address. */
import '@mantine/core/styles.layer.css';
import { MantineProvider, useComputedColorScheme } from '@mantine/core';
import { StrictMode, startTransition, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { readFrame } from '#web/session/kept-frame.ts';
import { startSession } from '#web/session/session.ts';
import { createColourSchemeManager, markRoot } from '#web/theme/colour-scheme.ts';
import '#web/theme/global.css';
import { cssVariablesResolver, theme } from '#web/theme/theme.ts';
import { keepFocus } from '#web/ui/keyboard/keep-focus.ts';
import { withholdComposingKeys } from '#web/ui/keyboard/keys.ts';
import { announcePages } from '#web/ui/page/announce-pages.ts';
import { loadSite, Site } from './site.tsx';

withholdComposingKeys(window);
keepFocus(document);
announcePages(document);
const { pathname } = window.location;
void startSession(readFrame(pathname)?.[0], new BroadcastChannel('session'), window);
const colourSchemeManager = createColourSchemeManager();

/** Keeps the root element's class in sync with the theme. */
function RootTheme() {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useLayoutEffect(() => markRoot(scheme), [scheme]);
  return null;
}

function render(): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  const site = (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        colorSchemeManager={colourSchemeManager}
        defaultColorScheme="auto"
      >
        <Site />
        <RootTheme />
      </MantineProvider>
    </StrictMode>
  );
  // In slices, between which a slow computer answers.
  startTransition(() => createRoot(root).render(site));
}

// A spinner, the frame and the page one after the other would cost a slow computer twice what the whole page costs. What could not be
// loaded is loaded again by the render, which reports the failure.
void loadSite(pathname).then(render, render);
