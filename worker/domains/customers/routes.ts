/** Customers over HTTP. */
import { customerEndpoints } from '#contracts/customers';
import { type Route, route } from '#worker/http/route';
import { correctMeter } from './correct-meter.ts';
import { getCustomer, listCustomers } from './customer-store.ts';
import { grantPlan } from './grant-plan.ts';
import { overrideProperty } from './override-property.ts';
import { readCustomerIdentifier as customerOf } from './read-customer-identifier.ts';
import { readStanding } from './read-standing.ts';
import { removeOverride } from './remove-override.ts';
import { searchCustomerEvents } from './search-customer-events.ts';
import { withdrawPlan } from './withdraw-plan.ts';

export const customerRoutes: readonly Route[] = [
  route(customerEndpoints.list, ({ ctx, scope, query }) => listCustomers(ctx.db, scope, query, ctx.now)),
  route(customerEndpoints.get, async ({ ctx, scope, params }) =>
    getCustomer(ctx.db, scope, customerOf(params.identifier)),
  ),
  route(customerEndpoints.getStanding, async ({ ctx, scope, params }) =>
    readStanding(ctx, scope, customerOf(params.identifier), params.environmentId),
  ),
  route(customerEndpoints.searchEvents, async ({ ctx, scope, params, query }) =>
    searchCustomerEvents(ctx, scope, customerOf(params.identifier), query.environmentId),
  ),
  route(customerEndpoints.grantPlan, async ({ ctx, scope, caller, params, body }) =>
    grantPlan(ctx, scope, caller.userId, customerOf(params.identifier), body),
  ),
  route(customerEndpoints.withdrawPlan, async ({ ctx, scope, caller, params }) =>
    withdrawPlan(ctx, scope, caller.userId, customerOf(params.identifier), params.grantId),
  ),
  route(customerEndpoints.overrideProperty, async ({ ctx, scope, caller, params, body }) =>
    overrideProperty(ctx, scope, caller.userId, customerOf(params.identifier), body),
  ),
  route(customerEndpoints.removeOverride, async ({ ctx, scope, caller, params }) =>
    removeOverride(ctx, scope, caller.userId, customerOf(params.identifier), params.overrideId),
  ),
  route(customerEndpoints.correctMeter, async ({ ctx, scope, caller, params, body }) =>
    correctMeter(ctx, scope, caller.userId, customerOf(params.identifier), body),
  ),
];
