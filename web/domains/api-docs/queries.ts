/** The public API's description. It belongs to no organisation, and changes only with a release. */
import { queryOptions } from '@tanstack/react-query';
import { openApiEndpoints } from '#contracts/public/openapi';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const apiDescriptionQuery = queryOptions({
  queryKey: queryKeys.apiDescription,
  queryFn: ({ signal }) => call(openApiEndpoints.read, {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
});
