/** What platform staff read. Beyond organisations, so the keys begin with the area. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { sudoEndpoints } from '#contracts/sudo';
import { call } from '../../api/call.ts';

export const sudoOrganisationsQuery = (search: string) =>
  queryOptions({
    queryKey: ['sudo', 'organisations', 'search', search],
    queryFn: ({ signal }) => call(sudoEndpoints.searchOrganisations, { query: { search } }, signal),
    placeholderData: (previous) => previous,
  });

export const sudoUsersQuery = (search: string) =>
  queryOptions({
    queryKey: ['sudo', 'users', 'search', search],
    queryFn: ({ signal }) => call(sudoEndpoints.searchUsers, { query: { search } }, signal),
    placeholderData: (previous) => previous,
  });

export const sudoUserQuery = (userId: string) =>
  queryOptions({
    queryKey: ['sudo', 'users', 'one', userId],
    queryFn: ({ signal }) => call(sudoEndpoints.getUser, { params: { userId } }, signal),
  });

export const sudoOrganisationQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['sudo', 'organisations', 'one', orgId],
    queryFn: ({ signal }) => call(sudoEndpoints.getOrganisation, { params: { orgId } }, signal),
  });

export const deadLettersQuery = infiniteQueryOptions({
  queryKey: ['sudo', 'dead-letters'],
  queryFn: ({ signal, pageParam }) =>
    call(sudoEndpoints.listDeadLetters, { query: pageParam === null ? {} : { cursor: pageParam } }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});
