/** Guards the pages of an organisation: they are shown once the one in the address is known to be the user's. */
import { Center, Loader } from '@mantine/core';
import { Outlet } from 'react-router';
import { ErrorState } from '../ui/error-state.tsx';
import { useOrganisation } from './organisation.tsx';

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
