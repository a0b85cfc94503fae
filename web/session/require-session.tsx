/**
 * Guards the signed-in pages: a spinner while it is not known who is signed in, /signin with the way back for whoever
 * is not.
 */
import { Navigate, Outlet, useLocation } from 'react-router';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';
import { signInPath } from './return-url.ts';
import { useSession } from './session.ts';

export function RequireSession() {
  const { sessionState } = useSession();
  const { pathname, search } = useLocation();
  if (sessionState === 'authenticated') return <Outlet />;
  if (sessionState === 'unauthenticated') return <Navigate to={signInPath(pathname + search)} replace />;
  return <FullPageSpinner />;
}
