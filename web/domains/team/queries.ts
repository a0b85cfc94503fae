/** Query of an organisation's team. */
import { organisationEndpoints } from '#contracts/console/organisations';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Members in the order they joined, then the newest invitation per email that is not a member's. */
export const teamQuery = (orgId: string) =>
  callQuery(queryKeys.team(orgId), organisationEndpoints.teamSummary, { params: { orgId } });
