/** Query of an organisation's team. */
import { queryOptions } from '@tanstack/react-query';
import { organisationEndpoints } from '#contracts/console/organisations';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Members in the order they joined, then the newest invitation per email that is not a member's. */
export const teamQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.team(orgId),
    queryFn: ({ signal }) => call(organisationEndpoints.teamSummary, { params: { orgId } }, signal),
  });
