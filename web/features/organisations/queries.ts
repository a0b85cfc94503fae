/** What the shell reads: the user's organisations and invitations, and the selected organisation's summary. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { currentUserEndpoints, organisationEndpoints } from '#contracts/organisations';
import { call } from '../../api/call.ts';

/** Only for whoever is signed in. */
export const ownOrganisationsQuery = queryOptions({
  queryKey: ['user', 'orgs'],
  queryFn: ({ signal }) => call(currentUserEndpoints.organisations, {}, signal),
});

/** Only for whoever is signed in. */
export const invitationsQuery = queryOptions({
  queryKey: ['user', 'invitations'],
  queryFn: ({ signal }) => call(currentUserEndpoints.invitations, {}, signal),
});

/** Waits until an organisation is selected. */
export const organisationSummaryQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: ['org', orgId, 'summary'],
    queryFn:
      orgId === null
        ? skipToken
        : ({ signal }) => call(organisationEndpoints.summary, { params: { orgId } }, signal),
  });

/** The settings of an organisation. */
export const organisationQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'organisation'],
    queryFn: ({ signal }) => call(organisationEndpoints.get, { params: { orgId } }, signal),
  });
