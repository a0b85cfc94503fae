/** What is read of an organisation's team. */
import { queryOptions } from '@tanstack/react-query';
import { organisationEndpoints } from '#contracts/organisations';
import { call } from '../../api/call.ts';

/** Members by when they joined, then the newest invitation of each address that is not a member's. */
export const teamQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'team-summary'],
    queryFn: ({ signal }) => call(organisationEndpoints.teamSummary, { params: { orgId } }, signal),
  });
