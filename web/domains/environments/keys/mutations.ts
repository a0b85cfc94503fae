/** Creates, reveals, limits and revokes API keys. */
import { type QueryClient, useMutation } from '@tanstack/react-query';
import { type ApiKey, apiKeyEndpoints } from '#contracts/console/api-keys';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { call } from '#web/api/call.ts';
import { formCall } from '#web/api/form-call.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useChange } from '#web/api/use-change.ts';

const refresh = (orgId: string, environmentId: string) => (client: QueryClient) =>
  client.invalidateQueries({ queryKey: queryKeys.apiKeys(orgId, environmentId) });

/**
 * Resolves to the full key. `gcTime: 0` drops it from memory once it is no longer on screen.
 * @param isErrorShown a form shows the error
 */
export function useCreateKey(orgId: string, environmentId: string, isErrorShown = false) {
  return useChange(refresh(orgId, environmentId), {
    mutationFn: (key: Omit<BodyInputOf<typeof apiKeyEndpoints.create>, 'environmentId'>) =>
      call(apiKeyEndpoints.create, { params: { orgId }, body: { environmentId, ...key } }),
    meta: { isErrorShown },
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

export const useRevokeKey = (orgId: string, environmentId: string) =>
  useChange(refresh(orgId, environmentId), {
    mutationFn: (keyId: string) => call(apiKeyEndpoints.remove, { params: { orgId, keyId } }),
  });

/** Changes name and limits. The dialog shows the error. */
export const useChangeKey = (orgId: string, { id: keyId, environmentId }: ApiKey) =>
  useChange(refresh(orgId, environmentId), formCall(apiKeyEndpoints.update, { orgId, keyId }));
