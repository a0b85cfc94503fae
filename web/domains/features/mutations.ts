/** Mutations of features and their properties. Each invalidates the workspace. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Feature, type FeatureProperty, featureEndpoints } from '#contracts/console/features';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { call } from '#web/api/call.ts';
import { formCall } from '#web/api/form-call.ts';
import { invalidateResources, invalidateWorkspace } from '#web/api/query-keys.ts';
import { useChange } from '#web/api/use-change.ts';
import { featureQuery } from './queries.ts';

/** Resolves when the features are refetched. Everything else refetches in the background. */
function refresh(client: QueryClient, orgId: string, deletedId?: string): Promise<void> {
  void invalidateWorkspace(client, orgId);
  void invalidateResources(client, orgId, ['plans']);
  return invalidateResources(client, orgId, ['features'], deletedId);
}

/** Returns the created feature. */
export function useCreateFeature(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(featureEndpoints.create, { orgId }),
    onSuccess: (feature) => {
      client.setQueryData(featureQuery(orgId, feature.id).queryKey, feature);
      void refresh(client, orgId);
    },
  });
}

/** The form shows the error. */
export function useUpdateFeature(orgId: string, featureId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(featureEndpoints.update, { orgId, featureId }),
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

/** The dialog shows the error. */
export const useCreateProperty = (orgId: string, featureId: string) =>
  useChange(
    (client) => refresh(client, orgId),
    formCall(featureEndpoints.createProperty, { orgId, featureId }),
  );

/** The dialog shows the error. */
export const useUpdateProperty = (orgId: string, featureId: string) =>
  useChange((client) => refresh(client, orgId), {
    mutationFn: ({ propertyId, body }: PropertyChange<BodyInputOf<typeof featureEndpoints.updateProperty>>) =>
      call(featureEndpoints.updateProperty, { params: { orgId, featureId, propertyId }, body }),
    meta: { isErrorShown: true },
  });

/** The dialog shows the error. */
export const useUpdateSystemProperty = (orgId: string, featureId: string) =>
  useChange((client) => refresh(client, orgId), {
    mutationFn: ({
      propertyId,
      body,
    }: PropertyChange<BodyInputOf<typeof featureEndpoints.updateSystemProperty>>) =>
      call(featureEndpoints.updateSystemProperty, { params: { orgId, featureId, propertyId }, body }),
    meta: { isErrorShown: true },
  });

export const useDeleteProperty = (orgId: string, featureId: string) =>
  useChange((client) => refresh(client, orgId), {
    mutationFn: ({ id: propertyId }: Pick<FeatureProperty, 'id'>) =>
      call(featureEndpoints.removeProperty, { params: { orgId, featureId, propertyId } }),
  });
