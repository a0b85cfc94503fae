// Compares the emulator's objects with Stripe's published ones (published-objects.json): every field exists, and non-null values
// have the same type.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newPlan, ownEmulator } from './own-emulator.ts';

type JsonObject = { [field: string]: unknown };

const published = (
  JSON.parse(readFileSync(join(import.meta.dirname, 'published-objects.json'), 'utf8')) as {
    resources: { [kind: string]: JsonObject };
  }
).resources;

const emulator = ownEmulator({ sendsWebhooks: false });
const shown = new Map<string, JsonObject>();

/** One object of every kind, in its wire format. */
beforeAll(async () => {
  const { stripe, keys } = emulator.account();
  const { product, price } = await newPlan(stripe);
  const customer = await stripe.customers.create({
    email: 'ada@customers.example',
    address: { city: 'Leeds' },
  });
  const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price }] });
  const endpoint = await stripe.webhookEndpoints.create({
    url: 'https://tessera.example/hook',
    enabled_events: ['*'],
  });
  const line_items = [{ price, quantity: 1 }];
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items,
    success_url: 'https://tessera.example/ok',
  });
  await stripe.billingPortal.sessions.create({ customer: customer.id });
  const meter = await stripe.billing.meters.create({
    display_name: 'Calls',
    event_name: 'calls',
    default_aggregation: { formula: 'sum' },
  });
  const get = (path: string) => raw(keys.secretKey, 'GET', path);
  const first = async (path: string) => ((await get(path)).data as JsonObject[])[0] ?? {};
  const post = (path: string, body: string) => raw(keys.secretKey, 'POST', path, body);
  shown.set('account', await get('/v1/account'));
  shown.set('customer', await get(`/v1/customers/${customer.id}`));
  shown.set('product', await get(`/v1/products/${product.id}`));
  shown.set('price', await get(`/v1/prices/${price}`));
  shown.set('subscription', await get(`/v1/subscriptions/${subscription.id}`));
  shown.set('subscription_item', await first(`/v1/subscription_items?subscription=${subscription.id}`));
  shown.set('webhook_endpoint', await get(`/v1/webhook_endpoints/${endpoint.id}`));
  shown.set('event', await first('/v1/events?limit=1'));
  shown.set('checkout.session', await get(`/v1/checkout/sessions/${session.id}`));
  shown.set('billing_portal.session', await post('/v1/billing_portal/sessions', `customer=${customer.id}`));
  shown.set('billing_portal.configuration', await first('/v1/billing_portal/configurations'));
  shown.set('billing.meter', await get(`/v1/billing/meters/${meter.id}`));
  shown.set(
    'billing.meter_event',
    await post(
      '/v1/billing/meter_events',
      `event_name=calls&payload[stripe_customer_id]=${customer.id}&payload[value]=1`,
    ),
  );
  shown.set('invoice', await first('/v1/invoices'));
  const coupon = await stripe.coupons.create({ percent_off: 20, duration: 'forever' });
  const code = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id } });
  await stripe.subscriptions.update(subscription.id, { discounts: [{ coupon: coupon.id }] });
  const discounted = await get(`/v1/subscriptions/${subscription.id}?expand[]=discounts`);
  const draft = await stripe.invoices.create({ customer: customer.id });
  const item = { customer: customer.id, amount: 500, currency: 'gbp', invoice: draft.id };
  const { id: itemId } = await stripe.invoiceItems.create(item);
  const { id: unbilled } = await stripe.invoiceItems.create(item);
  const payment = await stripe.paymentIntents.create({
    amount: 900,
    currency: 'gbp',
    payment_method: 'pm_card_createDispute',
    confirm: true,
  });
  const intents = await stripe.paymentIntents.list({ customer: customer.id });
  await stripe.refunds.create({ payment_intent: intents.data[0]?.id ?? '', amount: 100 });
  const [paid] = (await stripe.invoices.list({ customer: customer.id, status: 'paid' })).data;
  await stripe.creditNotes.create({ invoice: paid?.id ?? '', amount: 50, refund_amount: 50 });
  shown.set('credit_note', await first('/v1/credit_notes'));
  shown.set('coupon', await get(`/v1/coupons/${coupon.id}?expand[]=applies_to`));
  shown.set('promotion_code', await get(`/v1/promotion_codes/${code.id}`));
  shown.set('discount', (discounted.discounts as JsonObject[])[0] ?? {});
  shown.set('payment_intent', await get(`/v1/payment_intents/${payment.id}`));
  shown.set('charge', await get(`/v1/charges/${payment.latest_charge}?expand[]=refunds`));
  shown.set('refund', await first('/v1/refunds'));
  shown.set('dispute', await first('/v1/disputes'));
  shown.set('invoiceitem', await get(`/v1/invoiceitems/${itemId}`));
  shown.set('invoice_payment', await first('/v1/invoice_payments'));
  shown.set('deleted_invoiceitem', await raw(keys.secretKey, 'DELETE', `/v1/invoiceitems/${unbilled}`));
  shown.set('deleted_invoice', await raw(keys.secretKey, 'DELETE', `/v1/invoices/${draft.id}`));
  shown.set('deleted_coupon', await raw(keys.secretKey, 'DELETE', `/v1/coupons/${coupon.id}`));
  shown.set('deleted_customer', await raw(keys.secretKey, 'DELETE', `/v1/customers/${customer.id}`));
  const unsold = await stripe.products.create({ name: 'Unsold' });
  shown.set('deleted_product', await raw(keys.secretKey, 'DELETE', `/v1/products/${unsold.id}`));
  shown.set(
    'deleted_webhook_endpoint',
    await raw(keys.secretKey, 'DELETE', `/v1/webhook_endpoints/${endpoint.id}`),
  );
});

async function raw(key: string, method: string, path: string, body?: string): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(`${emulator.url()}${path}`, { method, headers, body });
  expect(response.status).toBe(200);
  return (await response.json()) as JsonObject;
}

/** Not deletable: a price is archived, an item is removed by updating its subscription. */
const notServed = new Set(['deleted_price', 'deleted_subscription_item']);

test.for(Object.keys(published).filter((kind) => !notServed.has(kind)))(
  'every field of a published %s is there, of the same kind',
  (kind) => {
    const own = shown.get(kind)!;
    const sample = published[kind]!;
    expect(Object.keys(sample).filter((field) => !(field in own))).toEqual([]);
    expect(differences(sample, own, kind)).toEqual([]);
  },
);

/** Paths whose sample and actual values have different types. Inner objects may have fewer fields. */
function differences(sample: unknown, own: unknown, path: string): string[] {
  if (sample === null || own === null || sample === undefined || own === undefined) return [];
  if (kindOf(sample) !== kindOf(own)) return [`${path}: ${kindOf(own)} instead of ${kindOf(sample)}`];
  if (Array.isArray(sample) && Array.isArray(own)) return differences(sample[0], own[0], `${path}[0]`);
  if (typeof sample !== 'object') return [];
  // An event's object may be of any kind.
  if (path === 'event.data') return [];
  return Object.entries(sample).flatMap(([field, value]) =>
    differences(value, (own as JsonObject)[field], `${path}.${field}`),
  );
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
