/** Customers over HTTP. */
import { customerEndpoints } from '#contracts/console/customers';
import { identifierSchema } from '#contracts/public/subjects';
import { readIdentifierSegment } from '#engine/identity/identifier-segment';
import { readIdentifier } from '#engine/identity/read-identifier';
import { invalidField } from '#worker/http/api-error';
import { type Route, route } from '#worker/http/route';
import { correctMeter } from './correct-meter.ts';
import { getCustomer } from './customer-store.ts';
import { grantPlan } from './grant-plan.ts';
import { linkEmail } from './link-email.ts';
import { listChanges } from './list-changes.ts';
import { listCustomers } from './list-customers.ts';
import { overrideProperty } from './override-property.ts';
import { readCustomerEntitlements } from './read-customer-entitlements.ts';
import { removeOverride } from './remove-override.ts';
import { revokePlan } from './revoke-plan.ts';
import { searchCustomerEvents } from './search-customer-events.ts';
import { testCheck } from './test-check.ts';

export const customerRoutes: readonly Route[] = [
  route(customerEndpoints.list, ({ ctx, scope, query }) => listCustomers(ctx.db, scope, query, ctx.now)),
  route(customerEndpoints.listChanges, async ({ ctx, scope, params, query }) =>
    listChanges(ctx.db, scope, customerOf(params.identifier), query.cursor),
  ),
  route(customerEndpoints.get, async ({ ctx, scope, params }) =>
    getCustomer(ctx.db, scope, customerOf(params.identifier)),
  ),
  route(customerEndpoints.getEntitlements, async ({ ctx, scope, params }) =>
    readCustomerEntitlements(ctx, scope, customerOf(params.identifier), params.environmentId),
  ),
  route(customerEndpoints.searchEvents, async ({ ctx, scope, params, query }) =>
    searchCustomerEvents(ctx, scope, customerOf(params.identifier), query.environmentId),
  ),
  route(customerEndpoints.grantPlan, async ({ ctx, scope, params, body }) =>
    grantPlan(ctx, scope, customerOf(params.identifier), body),
  ),
  route(customerEndpoints.revokePlan, async ({ ctx, scope, params }) =>
    revokePlan(ctx, scope, customerOf(params.identifier), params.grantId),
  ),
  route(customerEndpoints.overrideProperty, async ({ ctx, scope, params, body }) =>
    overrideProperty(ctx, scope, customerOf(params.identifier), body),
  ),
  route(customerEndpoints.removeOverride, async ({ ctx, scope, params }) =>
    removeOverride(ctx, scope, customerOf(params.identifier), params.overrideId),
  ),
  route(customerEndpoints.linkEmail, async ({ ctx, scope, params, body }) =>
    linkEmail(ctx, scope, customerOf(params.identifier), body),
  ),
  route(customerEndpoints.correctMeter, async ({ ctx, scope, params, body }) =>
    correctMeter(ctx, scope, customerOf(params.identifier), body),
  ),
  route(customerEndpoints.testCheck, async ({ ctx, scope, params, body }) =>
    testCheck(ctx, scope, customerOf(params.identifier), params.environmentId, body),
  ),
];

/**
 * The customer of a path. Any valid identifier is a customer, so an unknown one is an empty customer and not a 404.
 * @returns canonical
 * @throws {ApiError} invalid-request naming identifier
 */
function customerOf(segment: string): string {
  const text = readIdentifierSegment(segment);
  const checked = identifierSchema.safeParse(text);
  if (!checked.success) throw invalidField('identifier', checked.error.issues[0]?.message ?? 'Invalid input');
  const read = readIdentifier(text);
  if (!read.ok) throw invalidField('identifier', 'Must be at most 200 characters');
  return read.canonical;
}
