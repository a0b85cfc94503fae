// Stripe API routes of the emulator, with the permission that a restricted key needs.
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { retrieveAccount, showAccount } from '../resources/account.ts';
import { showCheckoutSession } from '../resources/checkout-session-record.ts';
import * as checkouts from '../resources/checkout-sessions.ts';
import * as customers from '../resources/customers.ts';
import * as events from '../resources/events.ts';
import { previewInvoice } from '../resources/invoice-preview.ts';
import { showInvoice } from '../resources/invoice-record.ts';
import * as invoices from '../resources/invoices.ts';
import { retrieving } from '../resources/list-page.ts';
import * as thinEvents from '../resources/meter-errors.ts';
import * as meters from '../resources/meters.ts';
import * as cards from '../resources/payment-methods.ts';
import * as portals from '../resources/portal-configurations.ts';
import { createPortalSession } from '../resources/portal-sessions.ts';
import { showPrice } from '../resources/price-record.ts';
import * as prices from '../resources/prices.ts';
import * as products from '../resources/products.ts';
import { showSchedule } from '../resources/schedule-record.ts';
import * as items from '../resources/subscription-items.ts';
import { showSubscription } from '../resources/subscription-record.ts';
import * as schedules from '../resources/subscription-schedules.ts';
import * as subscriptions from '../resources/subscriptions.ts';
import { showTestClock } from '../resources/test-clock-record.ts';
import * as clocks from '../resources/test-clocks.ts';
import * as endpoints from '../resources/webhook-endpoints.ts';
import type { Kind, Records } from '../store/records.ts';

type Method = 'GET' | 'POST' | 'DELETE';

export interface Route {
  method: Method;
  /** Path pattern with `:id`. */
  path: string;
  permission: string;
  /** @param id the path's `:id`; empty without one */
  handle: (context: Context, params: Params, id: string) => object;
}

const routes: readonly Route[] = [
  ...routesAt('/v1/account', 'rak_accounts_kyc_basic', [['GET', '', (context) => showAccount(context)]]),
  ...routesAt('/v1/accounts', 'rak_accounts_kyc_basic', [['GET', '/:id', byId(retrieveAccount)]]),
  ...routesAt('/v1/customers', 'rak_customer', [
    ['GET', '', customers.listCustomers],
    ['POST', '', customers.createCustomer],
    ['GET', '/:id', byId(customers.retrieveCustomer)],
    ['POST', '/:id', customers.updateCustomer],
    ['DELETE', '/:id', byId(customers.deleteCustomer)],
  ]),
  ...routesAt('/v1/products', 'rak_product', [
    ['GET', '', products.listProducts],
    ['POST', '', products.createProduct],
    ['GET', '/:id', retrieved('product', products.showProduct)],
    ['POST', '/:id', products.updateProduct],
    ['DELETE', '/:id', byId(products.deleteProduct)],
  ]),
  ...routesAt('/v1/prices', 'rak_plan', [
    ['GET', '', prices.listPrices],
    ['POST', '', prices.createPrice],
    ['GET', '/:id', retrieved('price', showPrice)],
    ['POST', '/:id', prices.updatePrice],
  ]),
  ...routesAt('/v1/subscriptions', 'rak_subscription', [
    ['GET', '', subscriptions.listSubscriptions],
    ['POST', '', subscriptions.createSubscription],
    ['GET', '/:id', retrieved('subscription', showSubscription)],
    ['POST', '/:id', subscriptions.updateSubscription],
    ['DELETE', '/:id', subscriptions.deleteSubscription],
    ['POST', '/:id/resume', subscriptions.resumeSubscription],
    ['POST', '/:id/migrate', subscriptions.migrateSubscription],
    ['POST', '/:id/pause', subscriptions.pauseById],
  ]),
  ...routesAt('/v1/subscription_items', 'rak_subscription', [
    ['GET', '', items.listSubscriptionItems],
    ['POST', '', items.createSubscriptionItem],
    ['GET', '/:id', byId(items.retrieveSubscriptionItem)],
    ['POST', '/:id', items.updateSubscriptionItem],
    ['DELETE', '/:id', items.deleteSubscriptionItem],
  ]),
  ...routesAt('/v1/subscription_schedules', 'rak_subscription', [
    ['GET', '', schedules.listSchedules],
    ['POST', '', schedules.createSchedule],
    ['GET', '/:id', retrieved('subscription_schedule', showSchedule)],
    ['POST', '/:id', schedules.updateSchedule],
    ['POST', '/:id/cancel', schedules.cancelSchedule],
    ['POST', '/:id/release', schedules.releaseById],
  ]),
  ...routesAt('/v1/webhook_endpoints', 'rak_webhook', [
    ['GET', '', endpoints.listWebhookEndpoints],
    ['POST', '', endpoints.createWebhookEndpoint],
    ['GET', '/:id', retrieved('webhook_endpoint', endpoints.showEndpoint)],
    ['POST', '/:id', endpoints.updateWebhookEndpoint],
    ['DELETE', '/:id', byId(endpoints.deleteWebhookEndpoint)],
  ]),
  ...routesAt('/v1/events', 'rak_event', [
    ['GET', '', events.listEvents],
    ['GET', '/:id', retrieved('event', events.showEvent)],
  ]),
  ...routesAt('/v1/invoices', 'rak_invoice', [
    ['GET', '', invoices.listInvoices],
    ['POST', '/create_preview', previewInvoice],
    ['GET', '/:id', retrieved('invoice', showInvoice)],
    ['POST', '/:id/pay', invoices.payById],
  ]),
  ...routesAt('/v1/checkout/sessions', 'rak_checkout_session', [
    ['GET', '', checkouts.listCheckoutSessions],
    ['POST', '', checkouts.createCheckoutSession],
    ['GET', '/:id', retrieved('checkout.session', showCheckoutSession)],
    ['POST', '/:id/expire', byId(checkouts.expireCheckoutSession)],
    ['GET', '/:id/line_items', checkouts.listCheckoutLines],
  ]),
  ...routesAt('/v1/billing_portal/sessions', 'rak_customer_portal', [['POST', '', createPortalSession]]),
  ...routesAt('/v1/billing/meters', 'rak_billing_meter', [
    ['GET', '', meters.listMeters],
    ['POST', '', meters.createMeter],
    ['GET', '/:id', retrieved('billing.meter', meters.showMeter)],
    ['POST', '/:id', meters.updateMeter],
    ['POST', '/:id/deactivate', byId(meters.deactivateMeter)],
    ['POST', '/:id/reactivate', byId(meters.reactivateMeter)],
    ['GET', '/:id/event_summaries', meters.listMeterSummaries],
  ]),
  ...routesAt('/v1/billing/meter_events', 'rak_billing_meter_event', [['POST', '', meters.createMeterEvent]]),
  ...routesAt('/v1/billing_portal/configurations', 'rak_customer_portal', [
    ['GET', '', portals.listConfigurations],
    ['POST', '', portals.createConfiguration],
    ['GET', '/:id', retrieved('billing_portal.configuration', portals.showConfiguration)],
    ['POST', '/:id', portals.updateConfiguration],
  ]),
  ...routesAt('/v1/payment_methods', 'rak_payment_method', [
    ['GET', '', cards.listPaymentMethods],
    ['GET', '/:id', byId(cards.retrievePaymentMethod)],
    ['POST', '/:id/attach', cards.attachPaymentMethod],
  ]),
  ...routesAt('/v2/core/events', 'rak_event', [
    ['GET', '', thinEvents.listThinEvents],
    ['GET', '/:id', byId(thinEvents.retrieveThinEvent)],
  ]),
  ...routesAt('/v1/test_helpers/test_clocks', 'rak_billing_clock', [
    ['GET', '', clocks.listTestClocks],
    ['POST', '', clocks.createTestClock],
    ['GET', '/:id', retrieved('test_helpers.test_clock', showTestClock)],
    ['DELETE', '/:id', byId(clocks.deleteTestClock)],
    ['POST', '/:id/advance', clocks.advanceTestClock],
  ]),
];

const byPath = new Map(routes.map((entry) => [`${entry.method} ${entry.path}`, entry]));

export interface FoundRoute {
  route: Route;
  id: string;
}

/** Literal paths precede patterns: `/v1/subscriptions/search` has no id. */
export function findRoute(method: string, path: string): FoundRoute | undefined {
  const literal = byPath.get(`${method} ${path}`);
  if (literal) return { route: literal, id: '' };
  const segments = path.split('/');
  for (let position = segments.length - 1; position > 1; position -= 1) {
    const pattern = segments.with(position, ':id').join('/');
    const found = byPath.get(`${method} ${pattern}`);
    if (found) return { route: found, id: decodeURIComponent(segments[position] ?? '') };
  }
  return undefined;
}

type Row = readonly [method: Method, rest: string, handle: Route['handle']];

/** Reading and writing need permissions of their own. */
function routesAt(path: string, permission: string, rows: readonly Row[]): readonly Route[] {
  return rows.map(([method, rest, handle]) => ({
    method,
    path: path + rest,
    permission: `${permission}_${method === 'GET' ? 'read' : 'write'}`,
    handle,
  }));
}

/** For calls with an id and no parameters. */
function byId(handle: (context: Context, id: string) => object): Route['handle'] {
  return (context, _params, id) => handle(context, id);
}

/** For calls that read an object. */
function retrieved<K extends Kind>(
  kind: K,
  show: (context: Context, record: Records[K]) => object,
): Route['handle'] {
  return byId(retrieving(kind, show));
}
