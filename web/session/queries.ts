/** Queries about the signed-in user's organisations and the people in the selected one. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { currentUserEndpoints, organisationEndpoints } from '#contracts/console/organisations';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

const MEMBER_STALE_MS = 300_000;

/** Requires a signed-in user. */
export const ownOrganisationsQuery = queryOptions({
  queryKey: queryKeys.ownOrganisations,
  queryFn: ({ signal }) => call(currentUserEndpoints.organisations, {}, signal),
});

/** Requires a signed-in user. */
export const invitationsQuery = queryOptions({
  queryKey: queryKeys.invitations,
  queryFn: ({ signal }) => call(currentUserEndpoints.invitations, {}, signal),
});

/** Name, plan and the user's permissions. Idle until an organisation is selected. */
export const organisationSummaryQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: queryKeys.organisationSummary(orgId),
    queryFn:
      orgId === null
        ? skipToken
        : ({ signal }) => call(organisationEndpoints.summary, { params: { orgId } }, signal),
  });

/** A current or former member of the organisation. Names rarely change, so the result stays fresh for five minutes. */
export const memberQuery = (orgId: string, userId: string) =>
  queryOptions({
    queryKey: queryKeys.member(orgId, userId),
    queryFn: ({ signal }) => call(organisationEndpoints.getUser, { params: { orgId, userId } }, signal),
    staleTime: MEMBER_STALE_MS,
  });
