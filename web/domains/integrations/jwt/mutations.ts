/** Mutations of JWT integrations, with the queries that each invalidates. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type JwtIntegration, jwtIntegrationEndpoints } from '#contracts/console/integrations';
import { ignoreNotFound } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { formCall } from '#web/api/form-call.ts';
import { invalidateResources } from '#web/api/query-keys.ts';
import { jwtIntegrationQuery, jwtIntegrationsQuery } from './queries.ts';

const refresh = (client: QueryClient, orgId: string, deletedId?: string) =>
  invalidateResources(client, orgId, ['jwt-integrations'], deletedId);

/** Returns the created integration. The dialog shows the error. */
export function useCreateJwtIntegration(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(jwtIntegrationEndpoints.create, { orgId }),
    onSuccess: (made) => {
      client.setQueryData(jwtIntegrationQuery(orgId, made.id).queryKey, made);
      client.setQueryData(jwtIntegrationsQuery(orgId).queryKey, (before) => before && [...before, made]);
      void refresh(client, orgId);
    },
  });
}

/** The form shows the error. */
export function useUpdateJwtIntegration(orgId: string, integrationId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(jwtIntegrationEndpoints.update, { orgId, integrationId }),
    onSuccess: (changed) => client.setQueryData(jwtIntegrationQuery(orgId, integrationId).queryKey, changed),
    onSettled: () => void refresh(client, orgId),
  });
}

/** Succeeds if somebody else has already deleted the integration. */
export function useDeleteJwtIntegration(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<JwtIntegration, 'id'>) =>
      call(jwtIntegrationEndpoints.remove, { params: { orgId, integrationId: id } }).catch(ignoreNotFound),
    onSettled: (_answer, error, { id }) => void refresh(client, orgId, error === null ? id : undefined),
  });
}
