/** Guards the pages of platform staff: for everybody else the spinner never ends and nothing is shown. */
import { Outlet } from 'react-router';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';
import { useSession } from './session.ts';

export function RequireSudo() {
  const { isSudoAccess } = useSession();
  return isSudoAccess ? <Outlet /> : <FullPageSpinner />;
}
