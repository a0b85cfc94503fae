/** Creates, edits and deletes environments. Each refreshes the environments and what they run. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { environmentEndpoints } from '#contracts/console/environments';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { call } from '#web/api/call.ts';
import { invalidateResources } from '#web/api/query-keys.ts';

export function useCreateEnvironment(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof environmentEndpoints.create>) =>
      call(environmentEndpoints.create, { params: { orgId }, body }),
    meta: { isErrorShown: true },
    onSuccess: () => invalidateResources(client, orgId, ['environments', 'deployments']),
  });
}

export function useUpdateEnvironment(orgId: string, environmentId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof environmentEndpoints.update>) =>
      call(environmentEndpoints.update, { params: { orgId, environmentId }, body }),
    meta: { isErrorShown: true },
    onSuccess: () => invalidateResources(client, orgId, ['environments', 'deployments']),
  });
}

export function useDeleteEnvironment(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (environmentId: string) =>
      call(environmentEndpoints.remove, { params: { orgId, environmentId } }),
    onSuccess: (_answer, environmentId) =>
      invalidateResources(client, orgId, ['environments', 'deployments'], environmentId),
  });
}
