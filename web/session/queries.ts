/** Queries about the signed-in user's organisations and the people in the selected one. */
import { currentUserEndpoints, organisationEndpoints } from '#contracts/console/organisations';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

const MEMBER_STALE_MS = 300_000;

/** Requires a signed-in user. */
export const ownOrganisationsQuery = callQuery(
  queryKeys.ownOrganisations,
  currentUserEndpoints.organisations,
  {},
);

/** Requires a signed-in user. */
export const invitationsQuery = callQuery(queryKeys.invitations, currentUserEndpoints.invitations, {});

/** Name, plan and the user's permissions. Idle until an organisation is selected. */
export const organisationSummaryQuery = (orgId: string | null) =>
  callQuery(
    queryKeys.organisationSummary(orgId),
    organisationEndpoints.summary,
    orgId === null ? null : { params: { orgId } },
  );

/** A current or former member of the organisation. Names rarely change, so the result stays fresh for five minutes. */
export const memberQuery = (orgId: string, userId: string) =>
  callQuery(
    queryKeys.member(orgId, userId),
    organisationEndpoints.getUser,
    { params: { orgId, userId } },
    { staleTime: MEMBER_STALE_MS },
  );
