/** Features and their properties over HTTP. */
import { featureEndpoints } from '#contracts/console/features';
import { type Route, route } from '#worker/http/route';
import { createFeature } from './create-feature.ts';
import { createProperty } from './create-property.ts';
import { deleteFeature } from './delete-feature.ts';
import { deleteProperty } from './delete-property.ts';
import { listFeatureSummaries } from './list-feature-summaries.ts';
import { getFeature, listFeatures } from './store.ts';
import { updateFeature } from './update-feature.ts';
import { updateProperty } from './update-property.ts';

export const featureRoutes: readonly Route[] = [
  route(featureEndpoints.list, ({ ctx, scope }) => listFeatures(ctx.db, scope)),
  route(featureEndpoints.listSummaries, ({ ctx, scope }) => listFeatureSummaries(ctx.db, scope)),
  route(featureEndpoints.create, ({ ctx, scope, body }) => createFeature(ctx, scope, body)),
  route(featureEndpoints.get, ({ ctx, scope, params }) => getFeature(ctx.db, scope, params.featureId)),
  route(featureEndpoints.update, ({ ctx, scope, params, body }) =>
    updateFeature(ctx, scope, params.featureId, body),
  ),
  route(featureEndpoints.remove, ({ ctx, scope, params }) => deleteFeature(ctx, scope, params.featureId)),
  route(featureEndpoints.createProperty, ({ ctx, scope, params, body }) =>
    createProperty(ctx, scope, params.featureId, body),
  ),
  route(featureEndpoints.updateProperty, ({ ctx, scope, params, body }) =>
    updateProperty(ctx, scope, { ...params, isSystem: false }, body),
  ),
  route(featureEndpoints.removeProperty, ({ ctx, scope, params }) =>
    deleteProperty(ctx, scope, params.featureId, params.propertyId),
  ),
  route(featureEndpoints.updateSystemProperty, ({ ctx, scope, params, body }) =>
    updateProperty(ctx, scope, { ...params, isSystem: true }, body),
  ),
];
