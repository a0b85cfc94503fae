/** Creates, reveals, limits and revokes API keys. */
import { useMutation } from '@tanstack/react-query';
import { type ApiKey, apiKeyEndpoints } from '#contracts/console/api-keys';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { call } from '#web/api/call.ts';
import { useChange, useFormChange } from '#web/api/use-change.ts';

/**
 * Resolves to the full key. `gcTime: 0` drops it from memory once it is no longer on screen.
 * @param isErrorShown a form shows the error
 */
export const useCreateKey = (orgId: string, environmentId: string, isErrorShown = false) =>
  useChange(
    apiKeyEndpoints.create,
    (key: Omit<BodyInputOf<typeof apiKeyEndpoints.create>, 'environmentId'>) => ({
      params: { orgId },
      body: { environmentId, ...key },
    }),
    { isErrorShown, gcTime: 0 },
  );

/** Resolves to the full key, which is not kept. The server writes the reveal to the audit log. */
export const useRevealKey = (orgId: string) =>
  useMutation({
    mutationFn: (keyId: string) => call(apiKeyEndpoints.reveal, { params: { orgId, keyId } }),
    gcTime: 0,
  });

export const useRevokeKey = (orgId: string) =>
  useChange(apiKeyEndpoints.remove, (keyId: string) => ({ params: { orgId, keyId } }));

/** Changes name and limits. The dialog shows the error. */
export const useChangeKey = (orgId: string, { id: keyId }: ApiKey) =>
  useFormChange(apiKeyEndpoints.update, { orgId, keyId });
