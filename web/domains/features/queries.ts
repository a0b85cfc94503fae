/** Queries of features, which include their properties. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { eventMetricsEndpoints } from '#contracts/console/event-metrics';
import { featureEndpoints } from '#contracts/console/features';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Disabled until an organisation is selected. */
export const featuresQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: queryKeys.features(orgId),
    queryFn:
      orgId === null ? skipToken : ({ signal }) => call(featureEndpoints.list, { params: { orgId } }, signal),
  });

export const featureQuery = (orgId: string, featureId: string) =>
  queryOptions({
    queryKey: queryKeys.feature(orgId, featureId),
    queryFn: ({ signal }) => call(featureEndpoints.get, { params: { orgId, featureId } }, signal),
  });

/** How many plans have each feature. */
export const featureSummariesQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.featureSummaries(orgId),
    queryFn: ({ signal }) => call(featureEndpoints.listSummaries, { params: { orgId } }, signal),
  });

/** Calls of the last day by the feature that they name. */
export const featureCallsQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.featureCalls(orgId),
    queryFn: ({ signal }) => call(eventMetricsEndpoints.readFeatureCalls, { params: { orgId } }, signal),
  });
