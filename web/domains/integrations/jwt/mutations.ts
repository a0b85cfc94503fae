/** Mutations of JWT integrations. */
import { jwtIntegrationEndpoints } from '#contracts/console/integrations';
import { ignoreNotFound } from '#web/api/api-error.ts';
import { useChange, useFormChange } from '#web/api/use-change.ts';
import { jwtIntegrationQuery, jwtIntegrationsQuery } from './queries.ts';

/** Returns the created integration. The dialog shows the error. */
export const useCreateJwtIntegration = (orgId: string) =>
  useFormChange(
    jwtIntegrationEndpoints.create,
    { orgId },
    {
      keptAs: ({ id }) => jwtIntegrationQuery(orgId, id),
      onSuccess: (made, _body, client) =>
        client.setQueryData(jwtIntegrationsQuery(orgId).queryKey, (before) => before && [...before, made]),
    },
  );

export const useUpdateJwtIntegration = (orgId: string, integrationId: string) =>
  useFormChange(
    jwtIntegrationEndpoints.update,
    { orgId, integrationId },
    { keptAs: () => jwtIntegrationQuery(orgId, integrationId) },
  );

/** Succeeds if somebody else has already deleted the integration. */
export const useDeleteJwtIntegration = (orgId: string) =>
  useChange(
    jwtIntegrationEndpoints.remove,
    ({ id: integrationId }: { readonly id: string }) => ({ params: { orgId, integrationId } }),
    { recover: ignoreNotFound },
  );
