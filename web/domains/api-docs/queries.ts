/** The public API's description. It belongs to no organisation, and changes only with a release. */
import { queryOptions } from '@tanstack/react-query';
import { openApiEndpoints, resolveParts } from '#contracts/public/openapi';
import { call } from '#web/api/call.ts';

export const apiDescriptionQuery = queryOptions({
  queryKey: ['api-description'],
  queryFn: async ({ signal }) => resolveParts(await call(openApiEndpoints.read, {}, signal)),
  staleTime: Number.POSITIVE_INFINITY,
});
