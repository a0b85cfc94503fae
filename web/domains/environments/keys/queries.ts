/** Queries of an environment's API keys. */
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { endpointQuery } from '#web/api/endpoint-query.ts';

export const apiKeysQuery = (orgId: string, environmentId: string) =>
  endpointQuery(apiKeyEndpoints.list, { orgId, environmentId });
