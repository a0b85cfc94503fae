/** The test check of the preview environment. It changes nothing, so nothing is read again after it. */
import { useMutation } from '@tanstack/react-query';
import { type AccessCheckRequest, accessEndpoints } from '#contracts/access';
import type { ApiKeyType } from '#contracts/api-keys';
import { call } from '../../api/call.ts';

export const useTestCheck = (orgId: string) =>
  useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: { request: AccessCheckRequest; apiKeyType: ApiKeyType }) =>
      call(accessEndpoints.test, { params: { orgId }, body }),
  });
