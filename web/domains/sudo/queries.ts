/** Queries of the sudo pages, for platform staff. They span all organisations. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { sudoEndpoints } from '#contracts/console/sudo';
import { call } from '#web/api/call.ts';
import { keepFound } from '#web/api/keep-found.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const sudoOrganisationsQuery = (search: string) =>
  queryOptions({
    queryKey: queryKeys.sudoOrganisationSearch(search),
    queryFn: ({ signal }) => call(sudoEndpoints.searchOrganisations, { query: { search } }, signal),
    placeholderData: (previous) => keepFound(previous, (found) => found.length === 0),
  });

export const sudoUsersQuery = (search: string) =>
  queryOptions({
    queryKey: queryKeys.sudoUserSearch(search),
    queryFn: ({ signal }) => call(sudoEndpoints.searchUsers, { query: { search } }, signal),
    placeholderData: (previous) => keepFound(previous, (found) => found.length === 0),
  });

export const sudoUserQuery = (userId: string) =>
  queryOptions({
    queryKey: queryKeys.sudoUser(userId),
    queryFn: ({ signal }) => call(sudoEndpoints.getUser, { params: { userId } }, signal),
  });

export const sudoOrganisationQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.sudoOrganisation(orgId),
    queryFn: ({ signal }) => call(sudoEndpoints.getOrganisation, { params: { orgId } }, signal),
  });

export const deadLettersQuery = infiniteQueryOptions({
  queryKey: queryKeys.deadLetters,
  queryFn: ({ signal, pageParam }) =>
    call(sudoEndpoints.listDeadLetters, { query: pageParam === null ? {} : { cursor: pageParam } }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});
