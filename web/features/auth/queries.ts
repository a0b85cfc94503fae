/** What the authentication pages read before anybody is signed in. */
import { queryOptions } from '@tanstack/react-query';
import { frontendEndpoints } from '#contracts/organisations';
import { call } from '../../api/call.ts';

export const frontendConfigQuery = queryOptions({
  queryKey: ['frontend-config'],
  queryFn: ({ signal }) => call(frontendEndpoints.config, {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
});
