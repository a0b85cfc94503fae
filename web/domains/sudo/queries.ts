/** Queries of the sudo pages, for platform staff. They span all organisations. */
import { sudoEndpoints } from '#contracts/console/sudo';
import { call } from '#web/api/call.ts';
import { callQuery, pagesQuery } from '#web/api/call-query.ts';
import { keepFound } from '#web/api/keep-found.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const sudoOrganisationsQuery = (search: string) =>
  callQuery(
    queryKeys.sudoOrganisationSearch(search),
    sudoEndpoints.searchOrganisations,
    { query: { search } },
    { placeholderData: (previous) => keepFound(previous, (found) => found.length === 0) },
  );

export const sudoUsersQuery = (search: string) =>
  callQuery(
    queryKeys.sudoUserSearch(search),
    sudoEndpoints.searchUsers,
    { query: { search } },
    { placeholderData: (previous) => keepFound(previous, (found) => found.length === 0) },
  );

export const sudoUserQuery = (userId: string) =>
  callQuery(queryKeys.sudoUser(userId), sudoEndpoints.getUser, { params: { userId } });

export const sudoOrganisationQuery = (orgId: string) =>
  callQuery(queryKeys.sudoOrganisation(orgId), sudoEndpoints.getOrganisation, { params: { orgId } });

export const deadLettersQuery = pagesQuery(queryKeys.deadLetters, (cursor, signal) =>
  call(sudoEndpoints.listDeadLetters, { query: cursor }, signal),
);
