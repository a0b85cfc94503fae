/** Whether platform staff may change things in the organisation, and an open request for it. */
import { queryOptions } from '@tanstack/react-query';
import { supportAccessEndpoints } from '#contracts/console/support-access';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const supportAccessQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.supportAccess(orgId),
    queryFn: ({ signal }) => call(supportAccessEndpoints.get, { params: { orgId } }, signal),
  });
