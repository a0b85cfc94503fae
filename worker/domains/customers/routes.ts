/** Customers over HTTP. */
import { customerBalanceEndpoints } from '#contracts/console/customer-balances';
import { customerMemberEndpoints } from '#contracts/console/customer-members';
import { customerEndpoints } from '#contracts/console/customers';
import { IDENTIFIER_PROBLEMS, readIdentifier, readStoredIdentifier } from '#contracts/public/identifiers';
import { readIdentifierSegment } from '#engine/identity/identifier-segment';
import { nameSubjects, searchEvents } from '#worker/domains/events/search-events';
import { invalidField } from '#worker/http/api-error';
import { type Route, route } from '#worker/http/route';
import { changeByPerson, giveByPerson, listBalances, takeBackByPerson } from './balances/console-balances.ts';
import { correctMeter } from './entries/correct-meter.ts';
import { getCustomer } from './entries/customer-store.ts';
import { deletionOfEntity } from './entries/delete-entity.ts';
import { grantPlan } from './entries/grant-plan.ts';
import { overrideProperty } from './entries/override-property.ts';
import { removeOverride } from './entries/remove-override.ts';
import { resolveAlias } from './entries/resolve-alias.ts';
import { revokePlan } from './entries/revoke-plan.ts';
import { listCustomers } from './list/list-customers.ts';
import { joining, say, separating } from './names/join-customer.ts';
import { linkEmail } from './names/link-email.ts';
import { moveCustomer } from './names/move-customer.ts';
import { nameCustomers } from './names/name-customers.ts';
import { listChanges } from './page/list-changes.ts';
import { listMembers } from './page/list-members.ts';
import { readCustomerEntitlements } from './page/read-customer-entitlements.ts';
import { readSourceUsage } from './page/read-source-usage.ts';
import { testCheck } from './page/test-check.ts';

const SHOWN_EVENTS = 20;

export const customerRoutes: readonly Route[] = [
  route(customerEndpoints.list, ({ ctx, scope, query }) => listCustomers(ctx, scope, query)),
  route(customerEndpoints.listNames, async ({ ctx, scope, query }) => ({
    names: await nameCustomers(ctx.db, scope, query.identifiers),
  })),
  route(customerEndpoints.listChanges, async ({ ctx, scope, params, query }) =>
    listChanges(ctx, scope, customerOf(params.identifier), query.cursor),
  ),
  route(customerEndpoints.get, async ({ ctx, scope, params }) =>
    getCustomer(ctx, scope, customerOf(params.identifier)),
  ),
  route(customerEndpoints.getEntitlements, async ({ ctx, scope, params }) =>
    readCustomerEntitlements(ctx, scope, customerOf(params.identifier), params.environmentId),
  ),
  route(customerEndpoints.searchEvents, async ({ ctx, scope, params, query }) => {
    const subject = customerOf(params.identifier);
    const criteria = await nameSubjects(ctx, scope, { environment: query.environmentId, subject });
    const { events } = await searchEvents(ctx, scope, criteria, SHOWN_EVENTS);
    return { events: events.slice(0, SHOWN_EVENTS) };
  }),
  route(customerEndpoints.grantPlan, async ({ ctx, scope, params, body }) =>
    grantPlan(ctx, scope, callableCustomerOf(params.identifier), body),
  ),
  route(customerEndpoints.revokePlan, async ({ ctx, scope, params }) =>
    revokePlan(ctx, scope, customerOf(params.identifier), params.grantId),
  ),
  route(customerEndpoints.overrideProperty, async ({ ctx, scope, params, body }) =>
    overrideProperty(ctx, scope, callableCustomerOf(params.identifier), body),
  ),
  route(customerEndpoints.removeOverride, async ({ ctx, scope, params }) =>
    removeOverride(ctx, scope, customerOf(params.identifier), params.overrideId),
  ),
  route(customerEndpoints.linkEmail, async ({ ctx, scope, params, body }) =>
    linkEmail(ctx, scope, callableCustomerOf(params.identifier), body),
  ),
  route(customerEndpoints.join, async ({ ctx, scope, params, body: { environmentId, ...source } }) => {
    const identifier = callableCustomerOf(params.identifier);
    const saying = await joining(ctx, scope.orgId, environmentId, identifier, source);
    await say(ctx, scope, environmentId, identifier, saying);
    return getCustomer(ctx, scope, identifier);
  }),
  route(customerEndpoints.readSourceUsage, ({ ctx, scope, params }) => {
    const { identifier, environmentId, customerId } = params;
    return readSourceUsage(ctx, scope, callableCustomerOf(identifier), environmentId, customerId);
  }),
  route(customerEndpoints.separate, async ({ ctx, scope, params }) => {
    const { environmentId, integrationId, customerId } = params;
    const identifier = callableCustomerOf(params.identifier);
    const source = { integrationId, customerId };
    const saying = await separating(ctx, scope.orgId, environmentId, identifier, source);
    await say(ctx, scope, environmentId, identifier, saying);
  }),
  route(customerEndpoints.move, async ({ ctx, scope, params, body }) =>
    moveCustomer(ctx, scope, customerOf(params.identifier), body),
  ),
  route(customerMemberEndpoints.list, ({ ctx, scope, params: { identifier, environmentId } }) =>
    listMembers(ctx, scope, customerOf(identifier), environmentId),
  ),
  route(customerMemberEndpoints.remove, async ({ ctx, scope, params }) => {
    const { environmentId, entityId } = params;
    const resolved = await resolveAlias(ctx.db, scope, environmentId, customerOf(params.identifier));
    const entity = readIdentifierSegment(entityId);
    const remove = await deletionOfEntity(ctx, scope, resolved, { environmentId, entity });
    await remove?.(scope);
  }),
  route(customerBalanceEndpoints.list, async ({ ctx, scope, params, query }) => {
    const { identifier, environmentId } = params;
    const withClosed = query.closed === '1';
    return { balances: await listBalances(ctx, scope, customerOf(identifier), environmentId, withClosed) };
  }),
  route(customerBalanceEndpoints.give, async ({ ctx, scope, params, body }) => {
    const { id } = await giveByPerson(ctx, scope, callableCustomerOf(params.identifier), body);
    return { id };
  }),
  route(customerBalanceEndpoints.change, async ({ ctx, scope, params: { identifier, balanceId }, body }) =>
    changeByPerson(ctx, scope, customerOf(identifier), balanceId, body),
  ),
  route(customerBalanceEndpoints.takeBack, async ({ ctx, scope, params: { identifier, balanceId }, body }) =>
    takeBackByPerson(ctx, scope, customerOf(identifier), balanceId, body),
  ),
  route(customerEndpoints.correctMeter, async ({ ctx, scope, params, body }) =>
    correctMeter(ctx, scope, customerOf(params.identifier), body),
  ),
  route(customerEndpoints.testCheck, async ({ ctx, scope, params, body }) =>
    testCheck(ctx, scope, callableCustomerOf(params.identifier), params.environmentId, body),
  ),
];

/**
 * The customer of a path. Any valid identifier is a customer, so an unknown one is an empty customer and not a 404.
 * @returns canonical, or as stored: a customer whose name calls cannot send can be read, and its entries can end
 * @throws {ApiError} invalid-request naming identifier
 */
function customerOf(segment: string): string {
  const text = readIdentifierSegment(segment);
  return readStoredIdentifier(text) ?? callableOf(text);
}

/** The customer of a path, for changes that only calls can make use of. @returns canonical @throws as customerOf */
function callableCustomerOf(segment: string): string {
  return callableOf(readIdentifierSegment(segment));
}

function callableOf(text: string): string {
  const read = readIdentifier(text);
  if (!read.ok) throw invalidField('identifier', IDENTIFIER_PROBLEMS[read.reason]);
  return read.canonical;
}
