/** Queries of the organisation settings page. */
import { organisationEndpoints } from '#contracts/console/organisations';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** The organisation's settings. */
export const organisationQuery = (orgId: string) =>
  callQuery(queryKeys.organisation(orgId), organisationEndpoints.get, { params: { orgId } });
