/** What is read of features. Their properties come with them. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { featureEndpoints } from '#contracts/features';
import { call } from '../../api/call.ts';

/** Waits until an organisation is selected. */
export const featuresQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: ['org', orgId, 'features'],
    queryFn:
      orgId === null ? skipToken : ({ signal }) => call(featureEndpoints.list, { params: { orgId } }, signal),
  });

export const featureQuery = (orgId: string, featureId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'features', featureId],
    queryFn: ({ signal }) => call(featureEndpoints.get, { params: { orgId, featureId } }, signal),
  });
