// Stripe API routes of the emulator, with the permission that a restricted key needs.
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { retrieveAccount, showAccount } from '../resources/account.ts';
import { showCharge } from '../resources/charge-record.ts';
import * as charges from '../resources/charges.ts';
import { showCheckoutSession } from '../resources/checkout-session-record.ts';
import * as checkouts from '../resources/checkout-sessions.ts';
import { showCoupon, showPromotionCode } from '../resources/coupon-record.ts';
import * as coupons from '../resources/coupons.ts';
import { showCreditNote } from '../resources/credit-note-record.ts';
import * as creditNotes from '../resources/credit-notes.ts';
import * as customers from '../resources/customers.ts';
import { showDispute } from '../resources/dispute-changes.ts';
import * as disputes from '../resources/disputes.ts';
import * as events from '../resources/events.ts';
import * as invoiceItems from '../resources/invoice-items.ts';
import * as invoicePayments from '../resources/invoice-payments.ts';
import { previewInvoice } from '../resources/invoice-preview.ts';
import { showInvoice } from '../resources/invoice-record.ts';
import * as invoices from '../resources/invoices.ts';
import { retrieving } from '../resources/list-page.ts';
import * as thinEvents from '../resources/meter-errors.ts';
import * as meters from '../resources/meters.ts';
import * as oneOffs from '../resources/one-off-invoices.ts';
import { showPaymentIntent } from '../resources/payment-intent-record.ts';
import * as intents from '../resources/payment-intents.ts';
import * as cards from '../resources/payment-methods.ts';
import * as portals from '../resources/portal-configurations.ts';
import { createPortalSession } from '../resources/portal-sessions.ts';
import { showPrice } from '../resources/price-record.ts';
import * as prices from '../resources/prices.ts';
import * as products from '../resources/products.ts';
import * as promotionCodes from '../resources/promotion-codes.ts';
import { showRefund } from '../resources/refund-record.ts';
import * as refunds from '../resources/refunds.ts';
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
    ['POST', '', oneOffs.createOneOffInvoice],
    ['POST', '/create_preview', previewInvoice],
    ['GET', '/:id', retrieved('invoice', showInvoice)],
    ['POST', '/:id', oneOffs.updateInvoice],
    ['DELETE', '/:id', byId(oneOffs.deleteDraft)],
    ['POST', '/:id/finalize', invoices.finalizeById],
    ['POST', '/:id/pay', invoices.payById],
    ['POST', '/:id/send', byId(oneOffs.sendById)],
    ['POST', '/:id/void', byId(invoices.voidById)],
    ['POST', '/:id/mark_uncollectible', byId(invoices.markUncollectibleById)],
    ['GET', '/:id/lines', invoices.listInvoiceLines],
  ]),
  ...routesAt('/v1/invoiceitems', 'rak_invoice', [
    ['GET', '', invoiceItems.listInvoiceItems],
    ['POST', '', invoiceItems.createInvoiceItem],
    ['GET', '/:id', retrieved('invoiceitem', invoiceItems.showInvoiceItem)],
    ['DELETE', '/:id', byId(invoiceItems.deleteInvoiceItem)],
  ]),
  ...routesAt('/v1/invoice_payments', 'rak_invoice', [
    ['GET', '', invoicePayments.listInvoicePayments],
    ['GET', '/:id', byId(invoicePayments.retrieveInvoicePayment)],
  ]),
  ...routesAt('/v1/credit_notes', 'rak_credit_note', [
    ['GET', '', creditNotes.listCreditNotes],
    ['POST', '', creditNotes.createCreditNote],
    ['GET', '/:id', retrieved('credit_note', showCreditNote)],
    ['POST', '/:id', creditNotes.updateCreditNote],
  ]),
  ...routesAt('/v1/coupons', 'rak_coupon', [
    ['GET', '', coupons.listCoupons],
    ['POST', '', coupons.createCoupon],
    ['GET', '/:id', byId(retrieving('coupon', (context, record) => showCoupon(context, record)))],
    ['POST', '/:id', coupons.updateCoupon],
    ['DELETE', '/:id', byId(coupons.deleteCoupon)],
  ]),
  ...routesAt('/v1/promotion_codes', 'rak_promotion_code', [
    ['GET', '', promotionCodes.listPromotionCodes],
    ['POST', '', promotionCodes.createPromotionCode],
    ['GET', '/:id', retrieved('promotion_code', showPromotionCode)],
    ['POST', '/:id', promotionCodes.updatePromotionCode],
  ]),
  ...routesAt('/v1/payment_intents', 'rak_payment_intent', [
    ['GET', '', intents.listPaymentIntents],
    ['POST', '', intents.createPaymentIntent],
    ['GET', '/:id', retrieved('payment_intent', showPaymentIntent)],
    ['POST', '/:id', intents.updatePaymentIntent],
    ['POST', '/:id/confirm', intents.confirmPaymentIntent],
    ['POST', '/:id/cancel', intents.cancelPaymentIntent],
  ]),
  ...routesAt('/v1/charges', 'rak_charge', [
    ['GET', '', charges.listCharges],
    ['GET', '/:id', retrieved('charge', showCharge)],
    ['POST', '/:id', charges.updateCharge],
  ]),
  ...routesAt('/v1/refunds', 'rak_charge', [
    ['GET', '', refunds.listRefunds],
    ['POST', '', refunds.createRefund],
    ['GET', '/:id', retrieved('refund', showRefund)],
    ['POST', '/:id', refunds.updateRefund],
  ]),
  ...routesAt('/v1/disputes', 'rak_dispute', [
    ['GET', '', disputes.listDisputes],
    ['GET', '/:id', retrieved('dispute', showDispute)],
    ['POST', '/:id', disputes.updateDispute],
    ['POST', '/:id/close', byId(disputes.closeById)],
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
    ['POST', '', cards.createPaymentMethod],
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
