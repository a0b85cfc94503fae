/** The description of the public API, as everybody gets it: it belongs to no organisation, and changes with a release. */
import { queryOptions } from '@tanstack/react-query';
import { openApiEndpoints } from '#contracts/openapi';
import { call } from '../../api/call.ts';

export const apiDescriptionQuery = queryOptions({
  queryKey: ['api-description'],
  queryFn: ({ signal }) => call(openApiEndpoints.read, {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
});
