/** Changes of JWT integrations, and what each makes stale. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInputOf } from '#contracts/endpoint';
import { type JwtIntegration, jwtIntegrationEndpoints } from '#contracts/integrations';
import { isNotFound } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { jwtIntegrationQuery } from './queries.ts';

const refresh = (client: QueryClient, orgId: string, deletedId?: string) =>
  client.invalidateQueries({
    queryKey: ['org', orgId, 'integrations', 'jwt'],
    // What is gone is not asked for once more while its page closes.
    predicate: ({ queryKey }) => deletedId === undefined || queryKey[4] !== deletedId,
  });

/** Answers the integration made. The dialog shows what was refused. */
export function useCreateJwtIntegration(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof jwtIntegrationEndpoints.create>) =>
      call(jwtIntegrationEndpoints.create, { params: { orgId }, body }),
    meta: { isErrorShown: true },
    onSuccess: (made) => {
      client.setQueryData(jwtIntegrationQuery(orgId, made.id).queryKey, made);
      void refresh(client, orgId);
    },
  });
}

/** The form shows what was refused. */
export function useUpdateJwtIntegration(orgId: string, integrationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof jwtIntegrationEndpoints.update>) =>
      call(jwtIntegrationEndpoints.update, { params: { orgId, integrationId }, body }),
    meta: { isErrorShown: true },
    onSuccess: (changed) => client.setQueryData(jwtIntegrationQuery(orgId, integrationId).queryKey, changed),
    onSettled: () => void refresh(client, orgId),
  });
}

/** What somebody else deleted meanwhile is deleted as well. */
export function useDeleteJwtIntegration(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: Pick<JwtIntegration, 'id'>) => {
      try {
        await call(jwtIntegrationEndpoints.remove, { params: { orgId, integrationId: id } });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
    onSettled: (_answer, error, { id }) => void refresh(client, orgId, error === null ? id : undefined),
  });
}
