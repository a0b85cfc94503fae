/** Creates, reveals, limits and revokes API keys. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKey, apiKeyEndpoints } from '#contracts/console/api-keys';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/**
 * Resolves to the full key. `gcTime: 0` drops it from memory once it is no longer on screen.
 * @param isErrorShown a form shows the error
 */
export function useCreateKey(orgId: string, environmentId: string, isErrorShown = false) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: Omit<BodyInputOf<typeof apiKeyEndpoints.create>, 'environmentId'>) =>
      call(apiKeyEndpoints.create, { params: { orgId }, body: { environmentId, ...key } }),
    meta: { isErrorShown },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.apiKeys(orgId, environmentId) }),
    gcTime: 0,
  });
}

/** Resolves to the full key, which is not kept. The server writes the reveal to the audit log. */
export function useRevealKey(orgId: string) {
  return useMutation({
    mutationFn: (keyId: string) => call(apiKeyEndpoints.reveal, { params: { orgId, keyId } }),
    gcTime: 0,
  });
}

export function useRevokeKey(orgId: string, environmentId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (keyId: string) => call(apiKeyEndpoints.remove, { params: { orgId, keyId } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.apiKeys(orgId, environmentId) }),
  });
}

/** Changes name and limits. The dialog shows the error. */
export function useChangeKey(orgId: string, { id: keyId, environmentId }: ApiKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof apiKeyEndpoints.update>) =>
      call(apiKeyEndpoints.update, { params: { orgId, keyId }, body }),
    meta: { isErrorShown: true },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.apiKeys(orgId, environmentId) }),
  });
}
