// `expand[]`: replaces ids with objects, and adds the fields that Stripe returns on request only.
// https://docs.stripe.com/api/expanding_objects
import type { Context } from '../core/emulator.ts';
import { invalidRequest } from '../core/stripe-error.ts';
import { showCharge } from '../resources/charge-record.ts';
import { showLineItems } from '../resources/checkout-lines.ts';
import { showCoupon, showPromotionCode } from '../resources/coupon-record.ts';
import { retrieveCustomer } from '../resources/customers.ts';
import { showDiscount } from '../resources/discount-record.ts';
import { paymentsOf } from '../resources/invoice-payments.ts';
import { showInvoice } from '../resources/invoice-record.ts';
import { getRecord, innerList, retrieving } from '../resources/list-page.ts';
import { clientSecretOf, showPaymentIntent } from '../resources/payment-intent-record.ts';
import { retrievePaymentMethod } from '../resources/payment-methods.ts';
import { showConfiguration } from '../resources/portal-configurations.ts';
import { showPrice } from '../resources/price-record.ts';
import { showProduct } from '../resources/products.ts';
import { showRefund } from '../resources/refund-record.ts';
import { subscriptionsOf } from '../resources/subscription-changes.ts';
import { showSubscription } from '../resources/subscription-record.ts';

type JsonObject = { [key: string]: unknown };

/** Id fields, and how to render their objects. */
const referenced = new Map<string, (context: Context, id: string) => object>([
  ['customer', retrieveCustomer],
  ['product', retrieving('product', showProduct)],
  ['default_price', retrieving('price', showPrice)],
  ['subscription', retrieving('subscription', showSubscription)],
  ['latest_invoice', retrieving('invoice', showInvoice)],
  ['invoice', retrieving('invoice', showInvoice)],
  ['coupon', retrieving('coupon', (context, record) => showCoupon(context, record))],
  ['promotion_code', retrieving('promotion_code', showPromotionCode)],
  ['discounts', retrieving('discount', showDiscount)],
  ['discount', retrieving('discount', showDiscount)],
  ['payment_intent', retrieving('payment_intent', showPaymentIntent)],
  ['latest_charge', retrieving('charge', showCharge)],
  ['charge', retrieving('charge', showCharge)],
  ['payment_method', retrievePaymentMethod],
  ['default_payment_method', retrievePaymentMethod],
  ['configuration', retrieving('billing_portal.configuration', showConfiguration)],
]);

/** Fields returned on request only, by `object.field`. */
const includable = new Map<string, (context: Context, id: string) => unknown>([
  [
    'customer.subscriptions',
    (context, id) =>
      innerList(
        `/v1/customers/${id}/subscriptions`,
        subscriptionsOf(context, id).map((record) => showSubscription(context, record)),
      ),
  ],
  ['price.tiers', (context, id) => showPrice(context, getRecord(context, 'price', id), true).tiers],
  [
    'coupon.applies_to',
    (context, id) => showCoupon(context, getRecord(context, 'coupon', id), true).applies_to,
  ],
  ['charge.refunds', refundsOf],
  ['invoice.payments', paymentsOf],
  ['invoice.confirmation_secret', confirmationSecretOf],
  ['checkout.session.line_items', retrieving('checkout.session', showLineItems)],
]);

function refundsOf(context: Context, charge: string) {
  const found = context.emulator.objects.all(context.scope, 'refund', { parent: charge });
  return innerList(
    `/v1/charges/${charge}/refunds`,
    found.map((record) => showRefund(context, record)),
  );
}

function confirmationSecretOf(context: Context, id: string) {
  const { payment_intent: intent } = getRecord(context, 'invoice', id);
  if (intent === undefined) return null;
  return {
    client_secret: clientSecretOf(getRecord(context, 'payment_intent', intent)),
    type: 'payment_intent',
  };
}

/** Maximum depth; a list's `data` counts as a level. */
const maxDepth = 4;

/** Expands the given paths, such as `data.subscriptions`. */
export function expand(context: Context, answer: object, paths: readonly string[]): object {
  if (paths.length === 0) return answer;
  const root = toJson(answer);
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length > maxDepth) {
      throw invalidRequest(
        `You cannot expand more than ${maxDepth} levels of a property. Property: ${path}`,
        { code: 'property_expansion_max_depth', param: 'expand' },
      );
    }
    expandAt(context, root, steps);
  }
  return root;
}

function expandAt(context: Context, at: unknown, steps: readonly string[]): void {
  if (Array.isArray(at)) {
    for (const entry of at) expandAt(context, entry, steps);
    return;
  }
  const [step, ...rest] = steps;
  if (step === undefined || !isObject(at)) return;
  const value = at[step];
  const show = referenced.get(step);
  if (typeof value === 'string' && show) {
    at[step] = toJson(show(context, value));
  } else if (show && Array.isArray(value)) {
    at[step] = value.map((each) => (typeof each === 'string' ? toJson(show(context, each)) : each));
  } else if (value === undefined) {
    const include = includable.get(`${at.object}.${step}`);
    if (include === undefined && at.deleted === true) return;
    if (include === undefined) throw cannotExpand(step, at.object === 'list');
    at[step] = toJson(include(context, String(at.id)) ?? null);
  } else if (rest.length === 0 && !isExpanded(value)) {
    throw cannotExpand(step, at.object === 'list');
  }
  expandAt(context, at[step], rest);
}

/** Null may be an object in another response, and an object is expanded already. */
function isExpanded(value: unknown): boolean {
  return value === null || typeof value === 'object';
}

/** @param isList whether the path starts at a list, which requires the prefix `data.` */
function cannotExpand(step: string, isList: boolean) {
  const hint = isList ? ` You may want to try expanding 'data.${step}' instead.` : '';
  return invalidRequest(`This property cannot be expanded (${step}).${hint}`, { param: 'expand' });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

function toJson<Value>(value: Value): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
