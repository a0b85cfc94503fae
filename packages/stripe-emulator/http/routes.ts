// Stripe API routes of the emulator, with the permission that a restricted key needs.
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { retrieveAccount, showAccount } from '../resources/account.ts';
import {
  createCheckoutSession,
  expireCheckoutSession,
  listCheckoutLines,
  listCheckoutSessions,
  retrieveCheckoutSession,
} from '../resources/checkout-sessions.ts';
import {
  createCustomer,
  deleteCustomer,
  listCustomers,
  retrieveCustomer,
  updateCustomer,
} from '../resources/customers.ts';
import { listEvents, retrieveEvent } from '../resources/events.ts';
import { previewInvoice } from '../resources/invoice-preview.ts';
import { listInvoices, payById, retrieveInvoice } from '../resources/invoices.ts';
import { listThinEvents, retrieveThinEvent } from '../resources/meter-errors.ts';
import {
  createMeter,
  createMeterEvent,
  deactivateMeter,
  listMeterSummaries,
  listMeters,
  reactivateMeter,
  retrieveMeter,
  updateMeter,
} from '../resources/meters.ts';
import {
  attachPaymentMethod,
  listPaymentMethods,
  retrievePaymentMethod,
} from '../resources/payment-methods.ts';
import {
  createConfiguration,
  listConfigurations,
  retrieveConfiguration,
  updateConfiguration,
} from '../resources/portal-configurations.ts';
import { createPortalSession } from '../resources/portal-sessions.ts';
import { createPrice, listPrices, retrievePrice, updatePrice } from '../resources/prices.ts';
import {
  createProduct,
  deleteProduct,
  listProducts,
  retrieveProduct,
  updateProduct,
} from '../resources/products.ts';
import {
  createSubscriptionItem,
  deleteSubscriptionItem,
  listSubscriptionItems,
  retrieveSubscriptionItem,
  updateSubscriptionItem,
} from '../resources/subscription-items.ts';
import {
  cancelSchedule,
  createSchedule,
  listSchedules,
  releaseById,
  retrieveSchedule,
  updateSchedule,
} from '../resources/subscription-schedules.ts';
import {
  createSubscription,
  deleteSubscription,
  listSubscriptions,
  migrateSubscription,
  pauseById,
  resumeSubscription,
  retrieveSubscription,
  updateSubscription,
} from '../resources/subscriptions.ts';
import {
  advanceTestClock,
  createTestClock,
  deleteTestClock,
  listTestClocks,
  retrieveTestClock,
} from '../resources/test-clocks.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  retrieveWebhookEndpoint,
  updateWebhookEndpoint,
} from '../resources/webhook-endpoints.ts';

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
  route('GET', '/v1/account', 'rak_accounts_kyc_basic_read', (context) => showAccount(context)),
  route('GET', '/v1/accounts/:id', 'rak_accounts_kyc_basic_read', byId(retrieveAccount)),

  route('GET', '/v1/customers', 'rak_customer_read', listCustomers),
  route('POST', '/v1/customers', 'rak_customer_write', createCustomer),
  route('GET', '/v1/customers/:id', 'rak_customer_read', byId(retrieveCustomer)),
  route('POST', '/v1/customers/:id', 'rak_customer_write', updateCustomer),
  route('DELETE', '/v1/customers/:id', 'rak_customer_write', byId(deleteCustomer)),

  route('GET', '/v1/products', 'rak_product_read', listProducts),
  route('POST', '/v1/products', 'rak_product_write', createProduct),
  route('GET', '/v1/products/:id', 'rak_product_read', byId(retrieveProduct)),
  route('POST', '/v1/products/:id', 'rak_product_write', updateProduct),
  route('DELETE', '/v1/products/:id', 'rak_product_write', byId(deleteProduct)),

  route('GET', '/v1/prices', 'rak_plan_read', listPrices),
  route('POST', '/v1/prices', 'rak_plan_write', createPrice),
  route('GET', '/v1/prices/:id', 'rak_plan_read', byId(retrievePrice)),
  route('POST', '/v1/prices/:id', 'rak_plan_write', updatePrice),

  route('GET', '/v1/subscriptions', 'rak_subscription_read', listSubscriptions),
  route('POST', '/v1/subscriptions', 'rak_subscription_write', createSubscription),
  route('GET', '/v1/subscriptions/:id', 'rak_subscription_read', byId(retrieveSubscription)),
  route('POST', '/v1/subscriptions/:id', 'rak_subscription_write', updateSubscription),
  route('DELETE', '/v1/subscriptions/:id', 'rak_subscription_write', deleteSubscription),
  route('POST', '/v1/subscriptions/:id/resume', 'rak_subscription_write', resumeSubscription),
  route('POST', '/v1/subscriptions/:id/migrate', 'rak_subscription_write', migrateSubscription),
  route('POST', '/v1/subscriptions/:id/pause', 'rak_subscription_write', pauseById),
  route('GET', '/v1/subscription_items', 'rak_subscription_read', listSubscriptionItems),
  route('POST', '/v1/subscription_items', 'rak_subscription_write', createSubscriptionItem),
  route('GET', '/v1/subscription_items/:id', 'rak_subscription_read', byId(retrieveSubscriptionItem)),
  route('POST', '/v1/subscription_items/:id', 'rak_subscription_write', updateSubscriptionItem),
  route('DELETE', '/v1/subscription_items/:id', 'rak_subscription_write', deleteSubscriptionItem),
  route('GET', '/v1/subscription_schedules', 'rak_subscription_read', listSchedules),
  route('POST', '/v1/subscription_schedules', 'rak_subscription_write', createSchedule),
  route('GET', '/v1/subscription_schedules/:id', 'rak_subscription_read', byId(retrieveSchedule)),
  route('POST', '/v1/subscription_schedules/:id', 'rak_subscription_write', updateSchedule),
  route('POST', '/v1/subscription_schedules/:id/cancel', 'rak_subscription_write', cancelSchedule),
  route('POST', '/v1/subscription_schedules/:id/release', 'rak_subscription_write', releaseById),

  route('GET', '/v1/webhook_endpoints', 'rak_webhook_read', listWebhookEndpoints),
  route('POST', '/v1/webhook_endpoints', 'rak_webhook_write', createWebhookEndpoint),
  route('GET', '/v1/webhook_endpoints/:id', 'rak_webhook_read', byId(retrieveWebhookEndpoint)),
  route('POST', '/v1/webhook_endpoints/:id', 'rak_webhook_write', updateWebhookEndpoint),
  route('DELETE', '/v1/webhook_endpoints/:id', 'rak_webhook_write', byId(deleteWebhookEndpoint)),

  route('GET', '/v1/events', 'rak_event_read', listEvents),
  route('GET', '/v1/events/:id', 'rak_event_read', byId(retrieveEvent)),

  route('GET', '/v1/invoices', 'rak_invoice_read', listInvoices),
  route('POST', '/v1/invoices/create_preview', 'rak_invoice_write', previewInvoice),
  route('GET', '/v1/invoices/:id', 'rak_invoice_read', byId(retrieveInvoice)),
  route('POST', '/v1/invoices/:id/pay', 'rak_invoice_write', payById),

  route('GET', '/v1/checkout/sessions', 'rak_checkout_session_read', listCheckoutSessions),
  route('POST', '/v1/checkout/sessions', 'rak_checkout_session_write', createCheckoutSession),
  route('GET', '/v1/checkout/sessions/:id', 'rak_checkout_session_read', byId(retrieveCheckoutSession)),
  route(
    'POST',
    '/v1/checkout/sessions/:id/expire',
    'rak_checkout_session_write',
    byId(expireCheckoutSession),
  ),
  route('GET', '/v1/checkout/sessions/:id/line_items', 'rak_checkout_session_read', listCheckoutLines),

  route('POST', '/v1/billing_portal/sessions', 'rak_customer_portal_write', createPortalSession),
  route('GET', '/v1/billing/meters', 'rak_billing_meter_read', listMeters),
  route('POST', '/v1/billing/meters', 'rak_billing_meter_write', createMeter),
  route('GET', '/v1/billing/meters/:id', 'rak_billing_meter_read', byId(retrieveMeter)),
  route('POST', '/v1/billing/meters/:id', 'rak_billing_meter_write', updateMeter),
  route('POST', '/v1/billing/meters/:id/deactivate', 'rak_billing_meter_write', byId(deactivateMeter)),
  route('POST', '/v1/billing/meters/:id/reactivate', 'rak_billing_meter_write', byId(reactivateMeter)),
  route('GET', '/v1/billing/meters/:id/event_summaries', 'rak_billing_meter_read', listMeterSummaries),
  route('POST', '/v1/billing/meter_events', 'rak_billing_meter_event_write', createMeterEvent),

  route('GET', '/v1/billing_portal/configurations', 'rak_customer_portal_read', listConfigurations),
  route('POST', '/v1/billing_portal/configurations', 'rak_customer_portal_write', createConfiguration),
  route(
    'GET',
    '/v1/billing_portal/configurations/:id',
    'rak_customer_portal_read',
    byId(retrieveConfiguration),
  ),
  route('POST', '/v1/billing_portal/configurations/:id', 'rak_customer_portal_write', updateConfiguration),

  route('GET', '/v1/payment_methods', 'rak_payment_method_read', listPaymentMethods),
  route('GET', '/v1/payment_methods/:id', 'rak_payment_method_read', byId(retrievePaymentMethod)),
  route('POST', '/v1/payment_methods/:id/attach', 'rak_payment_method_write', attachPaymentMethod),

  route('GET', '/v2/core/events', 'rak_event_read', listThinEvents),
  route('GET', '/v2/core/events/:id', 'rak_event_read', byId(retrieveThinEvent)),

  route('GET', '/v1/test_helpers/test_clocks', 'rak_billing_clock_read', listTestClocks),
  route('POST', '/v1/test_helpers/test_clocks', 'rak_billing_clock_write', createTestClock),
  route('GET', '/v1/test_helpers/test_clocks/:id', 'rak_billing_clock_read', byId(retrieveTestClock)),
  route('DELETE', '/v1/test_helpers/test_clocks/:id', 'rak_billing_clock_write', byId(deleteTestClock)),
  route('POST', '/v1/test_helpers/test_clocks/:id/advance', 'rak_billing_clock_write', advanceTestClock),
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

function route(method: Method, path: string, permission: string, handle: Route['handle']): Route {
  return { method, path, permission, handle };
}

/** For calls with an id and no parameters. */
function byId(handle: (context: Context, id: string) => object): Route['handle'] {
  return (context, _params, id) => handle(context, id);
}
