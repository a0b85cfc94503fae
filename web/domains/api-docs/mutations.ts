/** Sends the preview environment's test check. It changes nothing, so it invalidates nothing. */
import { useMutation } from '@tanstack/react-query';
import { testAccessEndpoints } from '#contracts/console/test-access';
import type { AccessCheckRequest } from '#contracts/public/access';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { call } from '#web/api/call.ts';

export const useTestCheck = (orgId: string) =>
  useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: { request: AccessCheckRequest; apiKeyType: ApiKeyType }) =>
      call(testAccessEndpoints.test, { params: { orgId }, body }),
  });
