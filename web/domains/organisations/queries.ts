/** Queries of the organisation settings page. */
import { organisationEndpoints } from '#contracts/console/organisations';
import { endpointQuery } from '#web/api/endpoint-query.ts';

/** The organisation's settings. */
export const organisationQuery = (orgId: string) => endpointQuery(organisationEndpoints.get, { orgId });
