/** The console's own way to an access check; the public one is handle-public-api.ts. */
import { testAccessEndpoints } from '#contracts/console/test-access';
import { type Route, route } from '#worker/http/route';
import { testAccess } from './test-access.ts';

export const accessRoutes: readonly Route[] = [
  route(testAccessEndpoints.test, ({ ctx, scope, body }) =>
    testAccess(ctx, scope, body.request, body.apiKeyType),
  ),
];
