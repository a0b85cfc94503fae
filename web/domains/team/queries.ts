/** Query of an organisation's team. */
import { organisationEndpoints } from '#contracts/console/organisations';
import { endpointQuery } from '#web/api/endpoint-query.ts';

/** Members in the order they joined, then the newest invitation per email that is not a member's. */
export const teamQuery = (orgId: string) => endpointQuery(organisationEndpoints.teamSummary, { orgId });
