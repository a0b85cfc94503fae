/** Changes of features and their properties. Each makes stale whatever shows features or compares with the workspace. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInputOf } from '#contracts/endpoint';
import { type Feature, featureEndpoints } from '#contracts/features';
import { call } from '../../api/call.ts';
import { featureQuery } from './queries.ts';

/** Answers once what shows features is fresh again; the rest follows by itself. */
function refresh(client: QueryClient, orgId: string, deletedId?: string): Promise<void> {
  for (const resource of ['artifacts', 'deployments', 'environments', 'plans']) {
    void client.invalidateQueries({ queryKey: ['org', orgId, resource] });
  }
  return client.invalidateQueries({
    queryKey: ['org', orgId, 'features'],
    // What is gone is not asked for once more while its page closes.
    predicate: ({ queryKey }) => deletedId === undefined || queryKey[3] !== deletedId,
  });
}

/** Answers the feature made. */
export function useCreateFeature(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof featureEndpoints.create>) =>
      call(featureEndpoints.create, { params: { orgId }, body }),
    onSuccess: (feature) => {
      client.setQueryData(featureQuery(orgId, feature.id).queryKey, feature);
      void refresh(client, orgId);
    },
  });
}

/** The form shows what was refused. */
export function useUpdateFeature(orgId: string, featureId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof featureEndpoints.update>) =>
      call(featureEndpoints.update, { params: { orgId, featureId }, body }),
    meta: { isErrorShown: true },
    onSuccess: (feature) => client.setQueryData(featureQuery(orgId, featureId).queryKey, feature),
    onSettled: () => void refresh(client, orgId),
  });
}

export function useDeleteFeature(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<Feature, 'id'>) =>
      call(featureEndpoints.remove, { params: { orgId, featureId: id } }),
    onSettled: (_answer, error, { id }) => void refresh(client, orgId, error === null ? id : undefined),
  });
}

interface PropertyChange<Body> {
  readonly propertyId: string;
  readonly body: Body;
}

/** The dialog shows what was refused. */
export function useCreateProperty(orgId: string, featureId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof featureEndpoints.createProperty>) =>
      call(featureEndpoints.createProperty, { params: { orgId, featureId }, body }),
    meta: { isErrorShown: true },
    onSettled: () => refresh(client, orgId),
  });
}

/** The dialog shows what was refused. */
export function useUpdateProperty(orgId: string, featureId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ propertyId, body }: PropertyChange<BodyInputOf<typeof featureEndpoints.updateProperty>>) =>
      call(featureEndpoints.updateProperty, { params: { orgId, featureId, propertyId }, body }),
    meta: { isErrorShown: true },
    onSettled: () => refresh(client, orgId),
  });
}

/** The dialog shows what was refused. */
export function useUpdateSystemProperty(orgId: string, featureId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({
      propertyId,
      body,
    }: PropertyChange<BodyInputOf<typeof featureEndpoints.updateSystemProperty>>) =>
      call(featureEndpoints.updateSystemProperty, { params: { orgId, featureId, propertyId }, body }),
    meta: { isErrorShown: true },
    onSettled: () => refresh(client, orgId),
  });
}

export function useDeleteProperty(orgId: string, featureId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (propertyId: string) =>
      call(featureEndpoints.removeProperty, { params: { orgId, featureId, propertyId } }),
    onSettled: () => refresh(client, orgId),
  });
}
