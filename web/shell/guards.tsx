/**
 * Route guards of the signed-in pages. Each renders the nested route once its condition is met, and a loading or error
 * state until then.
 */
import { Center, Loader } from '@mantine/core';
import { Navigate, Outlet, useLocation } from 'react-router';
import { paths } from '#web/paths.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { signInPath } from '#web/session/return-url.ts';
import { hasLeftDeliberately, useSession } from '#web/session/session.ts';
import { FullPageSpinner } from '#web/ui/loading/full-page-spinner.tsx';
import { useLatch } from '#web/ui/loading/use-latch.ts';
import { ErrorState } from '#web/ui/states/error-state.tsx';

/** Requires a signed-in user. Everyone else goes to /signin, which returns to this page. The page remounts for another user. */
export function RequireSession() {
  const { sessionState, user } = useSession();
  const { pathname, search, hash } = useLocation();
  const hasSessionEnded = useLatch(sessionState === 'authenticated');
  if (user !== null) return <Outlet key={user.id} />;
  if (sessionState === 'unauthenticated') {
    if (hasLeftDeliberately()) return <Navigate to={paths.signIn} replace />;
    return <Navigate to={signInPath(pathname + search + hash)} replace state={{ hasSessionEnded }} />;
  }
  return <FullPageSpinner />;
}

/** Requires membership of the organisation in the URL, or sudo access. The page remounts when the organisation changes. */
export function RequireOrganisation() {
  const { orgId, error, retry } = useOrganisation();
  if (orgId !== null) return <Outlet key={orgId} />;
  if (error !== null)
    return <ErrorState title="Your organisations could not be loaded" error={error} onRetry={retry} />;
  return (
    <Center h="60vh">
      <Loader size="sm" aria-label="Loading" />
    </Center>
  );
}

/** Requires platform staff. Everyone else sees an endless spinner, so the page's existence stays unconfirmed. */
export function RequireSudo() {
  const { isSudoAccess } = useSession();
  return isSudoAccess ? <Outlet /> : <FullPageSpinner />;
}
