/** Support access: owners grant and end it, platform staff ask for it. sessions/require-membership.ts enforces it. */
import { supportAccessEndpoints } from '#contracts/console/support-access';
import { type Route, route } from '#worker/http/route';
import { changeStaffReading, endSupportAccess, grantSupportAccess } from './grant-support-access.ts';
import { requestSupportAccess } from './request-support-access.ts';
import { getSupportAccess } from './store.ts';

export const supportAccessRoutes: readonly Route[] = [
  route(supportAccessEndpoints.get, ({ ctx, scope }) => getSupportAccess(ctx.db, scope, ctx.now)),
  route(supportAccessEndpoints.grant, ({ ctx, scope, body }) => grantSupportAccess(ctx, scope, body.hours)),
  route(supportAccessEndpoints.changeReading, ({ ctx, scope, body }) =>
    changeStaffReading(ctx, scope, body.needsConsent),
  ),
  route(supportAccessEndpoints.end, ({ ctx, scope }) => endSupportAccess(ctx, scope)),
  route(supportAccessEndpoints.request, ({ ctx, caller, params, body }) =>
    requestSupportAccess(ctx, { orgId: params.orgId, actor: caller }, body.reason),
  ),
];
