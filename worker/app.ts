/**
 * Composition root of the console's API: middleware in order, one line per domain, closed by default. The public API
 * (/api/v1) does not pass here: domains/access answers it on a path of its own.
 */
import { Hono } from 'hono';
import { stripeWebhookPath } from '#contracts/console/stripe';
import { log } from '#runtime/log';
import { accessRoutes } from './domains/access/routes.ts';
import { activityRoutes } from './domains/activity/routes.ts';
import { apiKeyRoutes } from './domains/api-keys/routes.ts';
import { artifactRoutes } from './domains/artifacts/routes.ts';
import { handleAuth } from './domains/auth/handle-auth.ts';
import { authRoutes } from './domains/auth/routes.ts';
import { billingRoutes } from './domains/billing/routes.ts';
import { customerRoutes } from './domains/customers/routes.ts';
import { environmentRoutes } from './domains/environments/routes.ts';
import { eventRoutes } from './domains/events/routes.ts';
import { featureRoutes } from './domains/features/routes.ts';
import { impactRoutes } from './domains/impact/routes.ts';
import { integrationRoutes } from './domains/integrations/routes.ts';
import { receiveStripeEvent } from './domains/integrations/stripe/events/receive-event.ts';
import { organisationDeletionRoutes } from './domains/organisation-deletion/routes.ts';
import { organisationRoutes } from './domains/organisations/routes.ts';
import { planRoutes } from './domains/plans/routes.ts';
import { requireCaller, requireStaff } from './domains/sessions/require-caller.ts';
import { requireMembership } from './domains/sessions/require-membership.ts';
import { sudoRoutes } from './domains/sudo/routes.ts';
import { supportAccessRoutes } from './domains/support-access/routes.ts';
import { templateRoutes } from './domains/templates/routes.ts';
import { usageRoutes } from './domains/usage/routes.ts';
import { watchSessionRoutes } from './domains/watch-sessions/routes.ts';
import { webhookRoutes } from './domains/webhooks/routes.ts';
import { workflowRoutes } from './domains/workflows/routes.ts';
import { notFound } from './http/api-error.ts';
import { requestContext } from './http/make-request-context.ts';
import { type AppEnv, type Guards, mount } from './http/mount.ts';
import { errorResponse } from './http/respond.ts';
import { ensureSameOrigin } from './http/same-origin.ts';
import { securityHeaders } from './http/security-headers.ts';

const guards: Guards = {
  user: requireCaller,
  member: requireMembership,
  sudo: requireStaff,
};

export type App = Hono<AppEnv>;

export function createApp(): App {
  const app: App = new Hono();

  app.use(securityHeaders);
  app.use(requestContext);
  app.post(stripeWebhookPath, receiveStripeEvent); // before the rules for browsers: Stripe signs what it sends
  app.use('/api/*', ensureSameOrigin);

  mount(app, organisationRoutes, guards); // before Better Auth: it answers /api/auth/organization/create
  mount(app, authRoutes, guards);
  app.all('/api/auth/*', (c) => handleAuth(c.get('ctx')));
  mount(app, organisationDeletionRoutes, guards);
  mount(app, supportAccessRoutes, guards);
  mount(app, featureRoutes, guards);
  mount(app, planRoutes, guards);
  mount(app, workflowRoutes, guards);
  mount(app, webhookRoutes, guards);
  mount(app, environmentRoutes, guards);
  mount(app, apiKeyRoutes, guards);
  mount(app, artifactRoutes, guards);
  mount(app, impactRoutes, guards);
  mount(app, templateRoutes, guards);
  mount(app, integrationRoutes, guards);
  mount(app, activityRoutes, guards);
  mount(app, customerRoutes, guards);
  mount(app, accessRoutes, guards);
  mount(app, usageRoutes, guards);
  mount(app, billingRoutes, guards);
  mount(app, eventRoutes, guards);
  mount(app, watchSessionRoutes, guards);
  mount(app, sudoRoutes, guards);

  app.notFound(() => {
    throw notFound('The requested resource');
  });
  app.onError((error, c) => errorResponse(error, c.get('ctx')?.requestId ?? 'unknown', log));
  return app;
}
