/** Queries of an environment's API keys and of when they were last used. */
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const apiKeysQuery = (orgId: string, environmentId: string) =>
  callQuery(queryKeys.apiKeys(orgId, environmentId), apiKeyEndpoints.list, {
    params: { orgId, environmentId },
  });

/** Up to an hour late. A key that is not listed has no recorded use. */
export const apiKeyUsesQuery = (orgId: string, environmentId: string) =>
  callQuery(queryKeys.apiKeyUses(orgId, environmentId), apiKeyEndpoints.uses, {
    params: { orgId, environmentId },
  });
