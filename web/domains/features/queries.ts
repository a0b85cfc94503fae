/** Queries of features, which include their properties. */
import { eventMetricsEndpoints } from '#contracts/console/event-metrics';
import { featureEndpoints } from '#contracts/console/features';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Disabled until an organisation is selected. */
export const featuresQuery = (orgId: string | null) =>
  callQuery(queryKeys.features(orgId), featureEndpoints.list, orgId === null ? null : { params: { orgId } });

export const featureQuery = (orgId: string, featureId: string) =>
  callQuery(queryKeys.feature(orgId, featureId), featureEndpoints.get, { params: { orgId, featureId } });

/** How many plans have each feature. */
export const featureSummariesQuery = (orgId: string) =>
  callQuery(queryKeys.featureSummaries(orgId), featureEndpoints.listSummaries, { params: { orgId } });

/** Calls of the last day by the feature that they name. */
export const featureCallsQuery = (orgId: string) =>
  callQuery(queryKeys.featureCalls(orgId), eventMetricsEndpoints.readFeatureCalls, { params: { orgId } });
