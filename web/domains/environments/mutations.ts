/** Deletes environments. */
import { environmentEndpoints } from '#contracts/console/environments';
import { useChange } from '#web/api/use-change.ts';

export const useDeleteEnvironment = (orgId: string) =>
  useChange(environmentEndpoints.remove, (environmentId: string) => ({ params: { orgId, environmentId } }));
