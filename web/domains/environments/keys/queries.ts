/** Queries of an environment's API keys and of when they were last used. */
import { queryOptions } from '@tanstack/react-query';
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const apiKeysQuery = (orgId: string, environmentId: string) =>
  queryOptions({
    queryKey: queryKeys.apiKeys(orgId, environmentId),
    queryFn: ({ signal }) => call(apiKeyEndpoints.list, { params: { orgId, environmentId } }, signal),
  });

/** Up to an hour late. A key that is not listed has no recorded use. */
export const apiKeyUsesQuery = (orgId: string, environmentId: string) =>
  queryOptions({
    queryKey: queryKeys.apiKeyUses(orgId, environmentId),
    queryFn: ({ signal }) => call(apiKeyEndpoints.uses, { params: { orgId, environmentId } }, signal),
  });
