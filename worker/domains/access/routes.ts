/** The console's own way to an access check; the public one is handle-public-api.ts. */
import { accessEndpoints } from '#contracts/access';
import { type Route, route } from '#worker/http/route';
import { testAccess } from './test-access.ts';

export const accessRoutes: readonly Route[] = [
  route(accessEndpoints.test, ({ ctx, scope, body }) =>
    testAccess(ctx, scope, body.request, body.apiKeyType),
  ),
];
