/** Queries of the sudo pages, for platform staff. They span all organisations. */
import { sudoEndpoints } from '#contracts/console/sudo';
import { endpointQuery, pagesQuery } from '#web/api/endpoint-query.ts';
import { keepFound } from '#web/api/keep-found.ts';

const keep = <Item>(previous: Item[] | undefined) => keepFound(previous, (found) => found.length === 0);

export const sudoOrganisationsQuery = (search: string) =>
  endpointQuery(sudoEndpoints.searchOrganisations, {}, { query: { search }, placeholderData: keep });

export const sudoUsersQuery = (search: string) =>
  endpointQuery(sudoEndpoints.searchUsers, {}, { query: { search }, placeholderData: keep });

export const deadLettersQuery = pagesQuery(sudoEndpoints.listDeadLetters, {}, {});
