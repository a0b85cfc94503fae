/** Integrations over HTTP. */
import { jwtIntegrationEndpoints } from '#contracts/integrations';
import { type Route, route } from '#worker/http/route';
import { createJwtIntegration } from './jwt/create-jwt-integration.ts';
import { deleteJwtIntegration } from './jwt/delete-jwt-integration.ts';
import { getJwtIntegration, listJwtIntegrations } from './jwt/jwt-integration-store.ts';
import { updateJwtIntegration } from './jwt/update-jwt-integration.ts';

export const integrationRoutes: readonly Route[] = [
  route(jwtIntegrationEndpoints.list, ({ ctx, scope }) => listJwtIntegrations(ctx.db, scope)),
  route(jwtIntegrationEndpoints.create, ({ ctx, scope, caller, body }) =>
    createJwtIntegration(ctx, scope, caller.userId, body),
  ),
  route(jwtIntegrationEndpoints.get, ({ ctx, scope, params }) =>
    getJwtIntegration(ctx.db, scope, params.integrationId),
  ),
  route(jwtIntegrationEndpoints.update, ({ ctx, scope, caller, params, body }) =>
    updateJwtIntegration(ctx, scope, caller.userId, params.integrationId, body),
  ),
  route(jwtIntegrationEndpoints.remove, ({ ctx, scope, caller, params }) =>
    deleteJwtIntegration(ctx, scope, caller.userId, params.integrationId),
  ),
];
