/**
 * Every path at which the console has a page, in the notation of its router (web/router.tsx). The Worker answers all others
 * with 404. tests/web/console-paths.test.ts compares this list with the router.
 */
export const CONSOLE_PATHS: readonly string[] = [
  '/',
  '/signin',
  '/signup',
  '/forgot-password',
  '/reset-password',
  '/email-verification',
  '/awaiting-admission',
  '/verify-email',
  '/new-attempts',
  '/email-verified',
  '/post-signin',
  '/payment-success',
  '/payment-failure',
  '/quickstart',
  '/account',
  '/api-docs',
  '/under-construction',
  '/create-organisation',
  '/sudo-orgs',
  '/sudo-users',
  '/sudo-users/:userId',
  '/sudo-queues',
  '/o/:orgId',
  '/o/:orgId/payment-failure',
  '/o/:orgId/payment-canceled',
  '/o/:orgId/integrations',
  '/o/:orgId/integrations/stripe/connect',
  '/o/:orgId/integrations/stripe/:integrationId/:tabId?',
  '/o/:orgId/integrations/jwt/:integrationId',
  '/o/:orgId/features',
  '/o/:orgId/features/:featureId',
  '/o/:orgId/plans',
  '/o/:orgId/plans/compare',
  '/o/:orgId/plans/:planId/:tabId?',
  '/o/:orgId/plans/:planId/edit-features',
  '/o/:orgId/customers',
  '/o/:orgId/customers/:identifier',
  '/o/:orgId/workflows',
  '/o/:orgId/workflows/:workflowId/:tabId?',
  '/o/:orgId/environments',
  '/o/:orgId/environments/:tabId',
  '/o/:orgId/environments/environments/:environmentId/:tabId?',
  '/o/:orgId/observe/:tabId?',
  '/o/:orgId/team',
  '/o/:orgId/billing',
  '/o/:orgId/settings',
];

const patterns = CONSOLE_PATHS.map(
  (path) => new RegExp(`^${path.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/\/:\w+/g, '/[^/]+')}/*$`, 'i'),
);

/** Whether the console has a page at this path. Ids are not looked up: their pages say what does not exist. */
export function isConsolePath(pathname: string): boolean {
  return patterns.some((pattern) => pattern.test(pathname));
}
