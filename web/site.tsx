/** Decides between the pages before sign-in and the console, which is loaded apart. */
import { Component, type ReactNode, Suspense, useState } from 'react';
import { signInPageAt } from '#web/paths.ts';
import { FailedPage } from '#web/routes/failed-page.tsx';
import { FullPageSpinner } from '#web/ui/loading/full-page-spinner.tsx';
import { codeApart, LoadedApart, useOptionalCode } from '#web/ui/loading/loaded-apart.tsx';
import { SiteHistory, useSiteLocation } from '#web/ui/page/site-history.tsx';
import { SignInPages } from './sign-in-pages.tsx';

const loadConsole = () => import('./console.tsx');
const consoleCode = codeApart(async () => (await loadConsole()).Console);
const toastsCode = codeApart(async () => (await import('#web/shell/toaster.tsx')).Toasts);

const TOASTS_RETRY_MS = 5000;

/** Loads what the page at `pathname` needs, so that its first render is whole. */
export async function loadSite(pathname: string): Promise<void> {
  if (signInPageAt(pathname) !== null) return;
  const { openPage } = await loadConsole();
  await Promise.all([consoleCode.load(), openPage()]);
}

/** Sign-in usually ends on the dashboard. Failures are reported when the page is opened. */
const preloadConsole = () =>
  void Promise.all([
    consoleCode.load(),
    toastsCode.load(),
    import('#web/routes/dashboard/dashboard.tsx'),
  ]).catch(() => undefined);

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
  const isBeforeSignIn = signInPageAt(useSiteLocation().pathname) !== null;
  // Toasts outlive the console: the way to sign-in may be the answer to a failure.
  const [hasToasts, setHasToasts] = useState(!isBeforeSignIn);
  if (!isBeforeSignIn && !hasToasts) setHasToasts(true);
  return (
    <>
      <Suspense fallback={<FullPageSpinner />}>
        {isBeforeSignIn ? (
          <SignInPages onTyping={preloadConsole} />
        ) : (
          <LoadedApart code={consoleCode} props={{}} />
        )}
      </Suspense>
      <LateToasts isNeeded={hasToasts} />
    </>
  );
}

/** The page goes on without toasts that could not be loaded, and loads them again: `toast.ts` keeps what is to be shown. */
function LateToasts({ isNeeded }: { isNeeded: boolean }) {
  const [isPausing, setPausing] = useState(false);
  const areLoaded = useOptionalCode(toastsCode, isNeeded && !isPausing, () => {
    setPausing(true);
    setTimeout(() => setPausing(false), TOASTS_RETRY_MS);
  });
  return areLoaded && isNeeded && <LoadedApart code={toastsCode} props={{}} />;
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
