/** Integrations over HTTP. */
import { jwtIntegrationEndpoints } from '#contracts/integrations';
import { stripeIntegrationEndpoints } from '#contracts/stripe';
import { type Route, route } from '#worker/http/route';
import { createJwtIntegration } from './jwt/create-jwt-integration.ts';
import { deleteJwtIntegration } from './jwt/delete-jwt-integration.ts';
import { getJwtIntegration, listJwtIntegrations } from './jwt/jwt-integration-store.ts';
import { updateJwtIntegration } from './jwt/update-jwt-integration.ts';
import { addStripeWebhook } from './stripe/add-webhook.ts';
import { createStripeIntegration } from './stripe/create-integration.ts';
import { deleteStripeIntegration } from './stripe/delete-integration.ts';
import { getStripeIntegration, listStripeIntegrations } from './stripe/integration-store.ts';
import { listStripeCustomers } from './stripe/list-customers.ts';
import { listAvailableProducts, listStripeProducts } from './stripe/list-products.ts';
import { startSync } from './stripe/start-sync.ts';
import { updateStripeIntegration } from './stripe/update-integration.ts';

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

  route(stripeIntegrationEndpoints.availableProducts, ({ ctx, scope }) => listAvailableProducts(ctx, scope)),
  route(stripeIntegrationEndpoints.list, ({ ctx, scope }) => listStripeIntegrations(ctx, scope)),
  route(stripeIntegrationEndpoints.create, ({ ctx, scope, caller, body }) =>
    createStripeIntegration(ctx, scope, caller.userId, body),
  ),
  route(stripeIntegrationEndpoints.get, ({ ctx, scope, params }) =>
    getStripeIntegration(ctx, scope, params.integrationId),
  ),
  route(stripeIntegrationEndpoints.update, ({ ctx, scope, caller, params, body }) =>
    updateStripeIntegration(ctx, scope, caller.userId, params.integrationId, body),
  ),
  route(stripeIntegrationEndpoints.remove, ({ ctx, scope, caller, params }) =>
    deleteStripeIntegration(ctx, scope, caller.userId, params.integrationId),
  ),
  route(stripeIntegrationEndpoints.addWebhook, ({ ctx, scope, caller, params, body }) =>
    addStripeWebhook(ctx, scope, caller.userId, params.integrationId, body),
  ),
  route(stripeIntegrationEndpoints.startSync, ({ ctx, scope, caller, params, body }) =>
    startSync(ctx, scope, caller.userId, params.integrationId, body.type),
  ),
  route(stripeIntegrationEndpoints.listCustomers, ({ ctx, scope, params, query }) =>
    listStripeCustomers(ctx, scope, params.integrationId, query),
  ),
  route(stripeIntegrationEndpoints.listProducts, ({ ctx, scope, params, query }) =>
    listStripeProducts(ctx, scope, params.integrationId, query),
  ),
];
