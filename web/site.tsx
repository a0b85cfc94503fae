/** Decides between the pages before sign-in and the console, which are loaded apart. */
import { Component, lazy, type ReactNode, Suspense, useState } from 'react';
import { signInPageOf } from '#web/paths.ts';
import { FailedPage } from '#web/routes/failed-page.tsx';
import { FullPageSpinner } from '#web/ui/full-page-spinner.tsx';
import { SiteHistory, useSiteLocation } from '#web/ui/site-history.tsx';

const loadConsole = () => import('./console.tsx');
const Console = lazy(async () => ({ default: (await loadConsole()).Console }));
const Toasts = lazy(async () => ({ default: (await loadConsole()).Toasts }));
const SignInPages = lazy(async () => ({ default: (await import('./sign-in-pages.tsx')).SignInPages }));

/** Sign-in usually ends on a page with the console's layout. Failures are reported when the page is opened. */
const preloadConsole = () =>
  void Promise.all([loadConsole(), import('#web/routes/dashboard.tsx')]).catch(() => undefined);

export function Site() {
  return (
    <FailureBoundary>
      <SiteHistory>
        <Shown />
      </SiteHistory>
    </FailureBoundary>
  );
}

function Shown() {
  const isBeforeSignIn = signInPageOf(useSiteLocation().pathname) !== null;
  // Toasts outlive the console: the way to sign-in may be the answer to a failure.
  const [hasToasts, setHasToasts] = useState(!isBeforeSignIn);
  if (!isBeforeSignIn && !hasToasts) setHasToasts(true);
  return (
    <>
      <Suspense fallback={<FullPageSpinner />}>
        {isBeforeSignIn ? <SignInPages onTyping={preloadConsole} /> : <Console />}
      </Suspense>
      <Suspense>{hasToasts && <Toasts />}</Suspense>
    </>
  );
}

/** For code that could not be loaded. The console's routes have boundaries of their own. */
class FailureBoundary extends Component<{ children: ReactNode }, { failure: { error: unknown } | null }> {
  override state = { failure: null as { error: unknown } | null };

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  override render() {
    const { failure } = this.state;
    return failure === null ? this.props.children : <FailedPage error={failure.error} />;
  }
}
