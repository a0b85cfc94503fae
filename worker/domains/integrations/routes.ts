/** HTTP routes of the JWT and Stripe integrations. */
import { jwtIntegrationEndpoints } from '#contracts/console/integrations';
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { topUpEndpoints } from '#contracts/console/top-ups';
import { type Route, route } from '#worker/http/route';
import { createJwtIntegration } from './jwt/create-jwt-integration.ts';
import { deleteJwtIntegration } from './jwt/delete-jwt-integration.ts';
import { getJwtIntegration, listJwtIntegrations } from './jwt/jwt-integration-store.ts';
import { updateJwtIntegration } from './jwt/update-jwt-integration.ts';
import { addStripeWebhook } from './stripe/connect/add-webhook.ts';
import { createStripeIntegration } from './stripe/connect/create-integration.ts';
import { deleteStripeIntegration } from './stripe/connect/delete-integration.ts';
import { updateStripeIntegration } from './stripe/connect/update-integration.ts';
import { getStripeIntegration, listStripeIntegrations } from './stripe/integration/read-integrations.ts';
import { listStripeCustomers } from './stripe/lists/list-customers.ts';
import { listStripePrices } from './stripe/lists/list-prices.ts';
import { listAvailableProducts, listStripeProducts } from './stripe/lists/list-products.ts';
import { startSync } from './stripe/sync/start-sync.ts';
import { listTopUps, removeTopUp, setTopUp } from './stripe/top-ups/top-up-store.ts';

export const integrationRoutes: readonly Route[] = [
  route(jwtIntegrationEndpoints.list, ({ ctx, scope }) => listJwtIntegrations(ctx.db, scope)),
  route(jwtIntegrationEndpoints.create, ({ ctx, scope, body }) => createJwtIntegration(ctx, scope, body)),
  route(jwtIntegrationEndpoints.get, ({ ctx, scope, params }) =>
    getJwtIntegration(ctx.db, scope, params.integrationId),
  ),
  route(jwtIntegrationEndpoints.update, ({ ctx, scope, params, body }) =>
    updateJwtIntegration(ctx, scope, params.integrationId, body),
  ),
  route(jwtIntegrationEndpoints.remove, ({ ctx, scope, params }) =>
    deleteJwtIntegration(ctx, scope, params.integrationId),
  ),

  route(stripeIntegrationEndpoints.availableProducts, ({ ctx, scope }) => listAvailableProducts(ctx, scope)),
  route(stripeIntegrationEndpoints.list, ({ ctx, scope }) => listStripeIntegrations(ctx, scope)),
  route(stripeIntegrationEndpoints.create, ({ ctx, scope, body }) =>
    createStripeIntegration(ctx, scope, body),
  ),
  route(stripeIntegrationEndpoints.get, ({ ctx, scope, params }) =>
    getStripeIntegration(ctx, scope, params.integrationId),
  ),
  route(stripeIntegrationEndpoints.update, ({ ctx, scope, params, body }) =>
    updateStripeIntegration(ctx, scope, params.integrationId, body),
  ),
  route(stripeIntegrationEndpoints.remove, ({ ctx, scope, params }) =>
    deleteStripeIntegration(ctx, scope, params.integrationId),
  ),
  route(stripeIntegrationEndpoints.addWebhook, ({ ctx, scope, params, body }) =>
    addStripeWebhook(ctx, scope, params.integrationId, body),
  ),
  route(stripeIntegrationEndpoints.startSync, ({ ctx, scope, params, body }) =>
    startSync(ctx, scope, params.integrationId, body.type),
  ),
  route(stripeIntegrationEndpoints.listCustomers, ({ ctx, scope, params, query }) =>
    listStripeCustomers(ctx, scope, params.integrationId, query),
  ),
  route(stripeIntegrationEndpoints.listProducts, ({ ctx, scope, params, query }) =>
    listStripeProducts(ctx, scope, params.integrationId, query),
  ),
  route(stripeIntegrationEndpoints.listPrices, ({ ctx, scope, params }) =>
    listStripePrices(ctx, scope, params.integrationId, params.productId, 'recurring'),
  ),
  route(topUpEndpoints.listPrices, ({ ctx, scope, params }) =>
    listStripePrices(ctx, scope, params.integrationId, params.productId, 'one_time'),
  ),
  route(topUpEndpoints.list, ({ ctx, scope, params }) => listTopUps(ctx, scope, params.integrationId)),
  route(topUpEndpoints.set, ({ ctx, scope, params, body }) =>
    setTopUp(ctx, scope, params.integrationId, params.priceId, body),
  ),
  route(topUpEndpoints.remove, ({ ctx, scope, params }) =>
    removeTopUp(ctx, scope, params.integrationId, params.priceId),
  ),
];
