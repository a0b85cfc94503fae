/** Public configuration, which the authentication pages read before sign-in. */
import { queryOptions } from '@tanstack/react-query';
import { frontendEndpoints } from '#contracts/console/frontend';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const frontendConfigQuery = queryOptions({
  queryKey: queryKeys.frontendConfig,
  queryFn: ({ signal }) => call(frontendEndpoints.config, {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
});
