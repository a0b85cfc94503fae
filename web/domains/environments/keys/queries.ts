/** Query of an environment's API keys. */
import { queryOptions } from '@tanstack/react-query';
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const apiKeysQuery = (orgId: string, environmentId: string) =>
  queryOptions({
    queryKey: queryKeys.apiKeys(orgId, environmentId),
    queryFn: ({ signal }) => call(apiKeyEndpoints.list, { params: { orgId, environmentId } }, signal),
  });
