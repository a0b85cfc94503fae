// Pages for `npm run screenshots`. Placeholders such as `:orgId` and `:featureId` become the demo organisation and its first
// feature; `:behaviourId` becomes the first workflow with a feature, `:planId` a plan with linked products, `:userId` the demo user.
import type { Page } from '@playwright/test';
import { teamSubscriber, trialCustomer } from '../demo/demo-customers.ts';
import { observabilityShots } from './observability-shots.ts';
import { workflowShots } from './workflow-shots.ts';

export interface ScreenshotRoute {
  name: string;
  path: string;
  /** Taken without a session. */
  isPublic?: true;
  /** Taken as platform staff. */
  isForStaff?: true;
  /** Only what the window shows, for what is fixed to it. Others are taken in full. */
  isOneScreen?: true;
  /** What a visitor does before the screenshot is taken. */
  act?: (page: Page) => Promise<void>;
}

export const screenshotRoutes: readonly ScreenshotRoute[] = [
  { name: 'signin', path: '/signin', isPublic: true },
  { name: 'signup', path: '/signup', isPublic: true },
  { name: 'forgot-password', path: '/forgot-password', isPublic: true },
  { name: 'reset-password', path: '/reset-password?token=none', isPublic: true },
  { name: 'email-verification', path: '/email-verification', isPublic: true },
  { name: 'awaiting-admission', path: '/awaiting-admission', isPublic: true },
  { name: 'dashboard', path: '/o/:orgId/' },
  { name: 'quickstart', path: '/quickstart' },
  { name: 'quickstart-api', path: '/quickstart?step=api' },
  { name: 'account', path: '/account' },
  { name: 'api-docs', path: '/api-docs' },
  { name: 'create-organisation', path: '/create-organisation' },
  { name: 'integrations', path: '/o/:orgId/integrations' },
  { name: 'connect-stripe', path: '/o/:orgId/integrations/stripe/connect' },
  { name: 'stripe-connect', path: '/o/:orgId/integrations/stripe/:stripeId/connect' },
  { name: 'stripe-manage', path: '/o/:orgId/integrations/stripe/:stripeId/manage' },
  { name: 'stripe-customers', path: '/o/:orgId/integrations/stripe/:stripeId/customers' },
  { name: 'stripe-products', path: '/o/:orgId/integrations/stripe/:stripeId/products' },
  { name: 'jwt', path: '/o/:orgId/integrations/jwt/:jwtId' },
  { name: 'features', path: '/o/:orgId/features' },
  { name: 'feature', path: '/o/:orgId/features/:featureId' },
  { name: 'plans', path: '/o/:orgId/plans' },
  { name: 'plans-compare', path: '/o/:orgId/plans/compare' },
  { name: 'plan-manage', path: '/o/:orgId/plans/:planId/manage' },
  { name: 'plan-feature', path: '/o/:orgId/plans/:planId/feature' },
  { name: 'plan-edit-features', path: '/o/:orgId/plans/:planId/edit-features' },
  { name: 'customers', path: '/o/:orgId/customers' },
  { name: 'customers-near-limit', path: '/o/:orgId/customers?filter=near-limit' },
  { name: 'customers-search', path: '/o/:orgId/customers?query=nadia' },
  { name: 'customer', path: '/o/:orgId/customers/ada@example.com' },
  {
    name: 'customer-subscribed',
    path: `/o/:orgId/customers/${teamSubscriber.email}?environment=:testEnvironmentId`,
  },
  { name: 'customer-manual', path: `/o/:orgId/customers/${trialCustomer.email}` },
  ...workflowShots,
  ...observabilityShots,
  { name: 'versions', path: '/o/:orgId/environments/versions' },
  { name: 'changes', path: '/o/:orgId/environments/changes' },
  { name: 'environments', path: '/o/:orgId/environments/environments' },
  { name: 'environment-manage', path: '/o/:orgId/environments/environments/:environmentId/manage' },
  { name: 'environment-keys', path: '/o/:orgId/environments/environments/:environmentId/keys' },
  { name: 'team', path: '/o/:orgId/team' },
  { name: 'settings', path: '/o/:orgId/settings' },
  { name: 'billing', path: '/o/:orgId/billing' },
  { name: 'payment-failure', path: '/o/:orgId/payment-failure', isPublic: true },
  { name: 'payment-canceled', path: '/o/:orgId/payment-canceled' },
  { name: 'sudo-organisations', path: '/sudo-orgs', isForStaff: true },
  { name: 'sudo-users', path: '/sudo-users', isForStaff: true },
  { name: 'sudo-user', path: '/sudo-users/:userId', isForStaff: true },
  { name: 'sudo-queues', path: '/sudo-queues', isForStaff: true },
  { name: 'sudo-settings', path: '/o/:orgId/settings', isForStaff: true },
  { name: 'not-found', path: '/no-such-page' },
];
