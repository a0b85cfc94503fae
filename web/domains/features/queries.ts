/** Queries of features, which include their properties. */
import { featureEndpoints } from '#contracts/console/features';
import { endpointQuery } from '#web/api/endpoint-query.ts';

export const featuresQuery = (orgId: string | null) => endpointQuery(featureEndpoints.list, { orgId });

export const featureQuery = (orgId: string, featureId: string) =>
  endpointQuery(featureEndpoints.get, { orgId, featureId });
