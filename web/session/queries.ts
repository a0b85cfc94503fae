/** Queries about the signed-in user's organisations and the people in the selected one. */
import { currentUserEndpoints, organisationEndpoints } from '#contracts/console/organisations';
import { endpointQuery } from '#web/api/endpoint-query.ts';

const MEMBER_STALE_MS = 300_000;

/** Requires a signed-in user. */
export const ownOrganisationsQuery = endpointQuery(currentUserEndpoints.organisations, {});

/** Requires a signed-in user. */
export const invitationsQuery = endpointQuery(currentUserEndpoints.invitations, {});

/** Name, plan and the user's permissions. */
export const organisationSummaryQuery = (orgId: string | null) =>
  endpointQuery(organisationEndpoints.summary, { orgId });

/** A current or former member of the organisation. Names rarely change, so the result stays fresh for five minutes. */
export const memberQuery = (orgId: string, userId: string) =>
  endpointQuery(organisationEndpoints.getUser, { orgId, userId }, { staleTime: MEMBER_STALE_MS });
