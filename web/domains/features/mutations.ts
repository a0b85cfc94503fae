/** Mutations of features and their properties. */
import { featureEndpoints } from '#contracts/console/features';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { useChange, useFormChange } from '#web/api/use-change.ts';
import { featureQuery } from './queries.ts';

interface Item {
  readonly id: string;
}

/** Returns the created feature. */
export const useCreateFeature = (orgId: string) =>
  useFormChange(featureEndpoints.create, { orgId }, { keptAs: ({ id }) => featureQuery(orgId, id) });

export const useUpdateFeature = (orgId: string, featureId: string) =>
  useFormChange(
    featureEndpoints.update,
    { orgId, featureId },
    { keptAs: () => featureQuery(orgId, featureId) },
  );

export const useDeleteFeature = (orgId: string) =>
  useChange(featureEndpoints.remove, ({ id: featureId }: Item) => ({ params: { orgId, featureId } }));

interface PropertyChange<Body> {
  readonly propertyId: string;
  readonly body: Body;
}

/** The dialog shows the error. */
export const useUpdateProperty = (orgId: string, featureId: string) =>
  useChange(
    featureEndpoints.updateProperty,
    ({ propertyId, body }: PropertyChange<BodyInputOf<typeof featureEndpoints.updateProperty>>) => ({
      params: { orgId, featureId, propertyId },
      body,
    }),
    { isErrorShown: true },
  );

/** The dialog shows the error. */
export const useUpdateSystemProperty = (orgId: string, featureId: string) =>
  useChange(
    featureEndpoints.updateSystemProperty,
    ({ propertyId, body }: PropertyChange<BodyInputOf<typeof featureEndpoints.updateSystemProperty>>) => ({
      params: { orgId, featureId, propertyId },
      body,
    }),
    { isErrorShown: true },
  );

export const useDeleteProperty = (orgId: string, featureId: string) =>
  useChange(featureEndpoints.removeProperty, ({ id: propertyId }: Item) => ({
    params: { orgId, featureId, propertyId },
  }));
