/** Queries of the organisation settings page. */
import { queryOptions } from '@tanstack/react-query';
import { organisationEndpoints } from '#contracts/console/organisations';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** The organisation's settings. */
export const organisationQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.organisation(orgId),
    queryFn: ({ signal }) => call(organisationEndpoints.get, { params: { orgId } }, signal),
  });
