/** Whether platform staff may change things in the organisation, and an open request for it. */
import { supportAccessEndpoints } from '#contracts/console/support-access';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const supportAccessQuery = (orgId: string) =>
  callQuery(queryKeys.supportAccess(orgId), supportAccessEndpoints.get, { params: { orgId } });
