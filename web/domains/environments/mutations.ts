/** Creates, edits and deletes environments. Each refreshes the environments and what they run. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { environmentEndpoints } from '#contracts/console/environments';
import { call } from '#web/api/call.ts';
import { formCall } from '#web/api/form-call.ts';
import { invalidateResources } from '#web/api/query-keys.ts';

export function useCreateEnvironment(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(environmentEndpoints.create, { orgId }),
    onSuccess: () => invalidateResources(client, orgId, ['environments', 'deployments']),
  });
}

export function useUpdateEnvironment(orgId: string, environmentId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(environmentEndpoints.update, { orgId, environmentId }),
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
