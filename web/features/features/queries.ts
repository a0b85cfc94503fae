/** What is read of features. Their properties come with them. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { featureEndpoints } from '#contracts/features';
import { call } from '../../api/call.ts';
import { type Thing, whereInForce } from '../../api/where-in-force.ts';

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

/** The environments that run a version with the feature or property in it. Waits while there is none to ask for. */
export const inForceQuery = (orgId: string, thing: Thing | null) =>
  queryOptions({
    queryKey: ['org', orgId, 'deployments', 'in-force', thing],
    queryFn: thing === null ? skipToken : ({ signal }) => whereInForce(orgId, thing, signal),
    staleTime: 0,
    gcTime: 0,
  });
