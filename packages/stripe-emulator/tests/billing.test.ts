// Emulator features for Tessera's own billing: checkout and portal pages, idempotent meters, invoices.
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { newPlan, ownEmulator, press, refusalOf } from './own-emulator.ts';

let nowMs = Date.parse('2026-03-31T12:00:00Z');
const emulator = ownEmulator({ sendsWebhooks: false, platform: { webhook: null }, now: () => nowMs });

const withCard = {
  payment_method: 'pm_card_visa',
  invoice_settings: { default_payment_method: 'pm_card_visa' },
};

/** Tessera's own account, as in `npm start`. */
async function platform(): Promise<{ stripe: Stripe; base: Stripe.Price; usage: Stripe.Price }> {
  const stripe = emulator.sdk('sk_test_emulator_tessera');
  const { data } = await stripe.prices.list({
    lookup_keys: ['tessera_grow_base', 'tessera_grow_usage'],
    expand: ['data.tiers'],
  });
  const find = (key: string) => data.find(({ lookup_key }) => lookup_key === key)!;
  return { stripe, base: find('tessera_grow_base'), usage: find('tessera_grow_usage') };
}

test('Grow costs 18 pounds a month and 20 pence for every 10,000 calls after 100,000', async () => {
  const { base, usage } = await platform();
  expect(base).toMatchObject({ unit_amount: 1800, currency: 'gbp', recurring: { interval: 'month' } });
  expect(usage.recurring).toMatchObject({ usage_type: 'metered', meter: expect.any(String) });
  expect(
    usage.tiers?.map(({ up_to, unit_amount_decimal }) => [up_to, unit_amount_decimal?.toString()]),
  ).toEqual([
    [100_000, '0'],
    [null, '0.002'],
  ]);
});

test('paying in checkout creates customer, subscription and paid invoice, and redirects to the success page', async () => {
  const { stripe, base, usage } = await platform();
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: base.id, quantity: 1 }, { price: usage.id }],
    client_reference_id: 'org_1',
    metadata: { orgId: 'org_1' },
    subscription_data: { metadata: { orgId: 'org_1' } },
    success_url: 'http://localhost:4001/payment-success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:4001/canceled',
  });
  expect(session).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 1800,
    subscription: null,
  });
  const shown = await (await fetch(session.url!)).text();
  expect(shown).toContain('Pay £18.00');
  expect(shown).toContain('href="http://localhost:4001/canceled"');
  expect((await press(`${session.url}/decline`)).status).toBe(402);
  const paid = await press(`${session.url}/pay`, { email: 'owner@org.example', name: 'Olive Owner' });
  expect([paid.status, paid.headers.get('location')]).toEqual([
    303,
    `http://localhost:4001/payment-success?session_id=${session.id}`,
  ]);
  const complete = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription', 'customer', 'line_items'],
  });
  expect(complete).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    client_reference_id: 'org_1',
    customer_details: { email: 'owner@org.example' },
    customer: { email: 'owner@org.example', name: 'Olive Owner' },
    subscription: { status: 'active', metadata: { orgId: 'org_1' } },
    line_items: { data: [{ price: { id: base.id } }, { price: { id: usage.id } }] },
  });
  const customer = (complete.customer as Stripe.Customer).id;
  const invoices = await stripe.invoices.list({ customer });
  expect(invoices.data).toMatchObject([{ status: 'paid', total: 1800, amount_paid: 1800 }]);
  const { data } = await stripe.events.list({ type: 'checkout.session.completed' });
  expect(data[0]?.data.object).toMatchObject({
    id: session.id,
    subscription: expect.stringMatching(/^sub_/),
  });
  expect((await press(`${session.url}/pay`, { email: 'again@org.example' })).status).toBe(410);
  expect((await stripe.invoices.list({ customer })).data).toHaveLength(1);
});

test('a metered price takes no quantity, and an unpaid checkout expires', async () => {
  const { stripe, base, usage } = await platform();
  const success_url = 'https://tessera.example/ok';
  const wrong = await refusalOf(
    stripe.checkout.sessions.create({
      mode: 'subscription',
      success_url,
      line_items: [{ price: usage.id, quantity: 1 }],
    }),
  );
  expect([wrong.statusCode, wrong.param]).toEqual([400, 'line_items[0][quantity]']);
  const { id, url } = await stripe.checkout.sessions.create({
    mode: 'subscription',
    success_url,
    line_items: [{ price: base.id, quantity: 1 }],
  });
  expect((await stripe.checkout.sessions.expire(id)).status).toBe('expired');
  expect((await press(`${url}/pay`, { email: 'late@org.example' })).status).toBe(410);
});

test('tax and tax ids of an existing customer need leave to store what the checkout asks for', async () => {
  const { stripe, base } = await platform();
  const { id: customer } = await stripe.customers.create({ email: 'tax@org.example' });
  const open = (params: Partial<Stripe.Checkout.SessionCreateParams>) =>
    stripe.checkout.sessions.create({
      mode: 'subscription',
      success_url: 'https://tessera.example/ok',
      line_items: [{ price: base.id, quantity: 1 }],
      ...params,
    });
  const automatic_tax = { enabled: true };
  const tax_id_collection = { enabled: true };
  const refused = async (params: Partial<Stripe.Checkout.SessionCreateParams>) => {
    const { statusCode, message, code } = await refusalOf(open(params));
    return [statusCode, /customer_update(\[\w+\])?/.exec(message)?.[0], code];
  };
  expect(await refused({ customer, tax_id_collection })).toEqual([400, 'customer_update[name]', undefined]);
  expect(
    await refused({ customer, tax_id_collection, customer_update: { address: 'auto', name: 'never' } }),
  ).toEqual([400, 'customer_update[name]', undefined]);
  expect(await refused({ customer, automatic_tax, customer_update: { name: 'auto' } })).toEqual([
    400,
    'customer_update[address]',
    'customer_tax_location_invalid',
  ]);
  expect(await refused({ customer_update: { name: 'auto' } })).toEqual([400, 'customer_update', undefined]);
  const wrong = await refusalOf(open({ customer, automatic_tax: { liability: { type: 'self' } } as never }));
  expect([wrong.statusCode, wrong.param]).toEqual([400, 'automatic_tax[enabled]']);

  expect((await open({ automatic_tax, tax_id_collection })).automatic_tax.enabled).toBe(true);
  await stripe.customers.update(customer, { address: { country: 'GB', postal_code: 'EC1A 1BB' } });
  await open({ customer, automatic_tax });
  const customer_update = { name: 'auto', address: 'auto' } as const;
  const { id, url } = await open({ customer, automatic_tax, tax_id_collection, customer_update });
  await press(`${url}/pay`);
  const { subscription } = await stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] });
  expect(subscription).toMatchObject({ automatic_tax: { enabled: true, liability: { type: 'self' } } });
  const [invoice] = (await stripe.invoices.list({ customer })).data;
  expect(invoice?.automatic_tax).toMatchObject({ enabled: true, status: 'complete' });

  const items = [{ price: base.id }];
  const { id: nowhere } = await stripe.customers.create(withCard);
  const unknown = await refusalOf(stripe.subscriptions.create({ customer: nowhere, items, automatic_tax }));
  expect([unknown.statusCode, unknown.code]).toEqual([400, 'customer_tax_location_invalid']);
  const untaxed = await stripe.subscriptions.create({ customer: nowhere, items });
  await refusalOf(stripe.subscriptions.update(untaxed.id, { automatic_tax }));
  await stripe.customers.update(nowhere, { address: { country: 'GB' } });
  const taxed = await stripe.subscriptions.update(untaxed.id, { automatic_tax });
  expect([untaxed.automatic_tax.enabled, taxed.automatic_tax.enabled]).toEqual([false, true]);
});

test('in the portal a customer cancels at the end of the period, and reverts it', async () => {
  const { stripe, base } = await platform();
  const { id: customer } = await stripe.customers.create({ ...withCard, email: 'portal@org.example' });
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price: base.id }] });
  const portal = await stripe.billingPortal.sessions.create({
    customer,
    return_url: 'http://localhost:4001/billing',
  });
  const shown = await (await fetch(portal.url)).text();
  expect(shown).toContain('Cancel subscription');
  expect(shown).toContain('href="http://localhost:4001/billing"');
  await press(`${portal.url}/cancel/${id}`);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    status: 'active',
    cancel_at_period_end: true,
  });
  await press(`${portal.url}/resume/${id}`);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    cancel_at_period_end: false,
    canceled_at: null,
  });
});

test('a portal session cannot touch another customer’s subscription', async () => {
  const { stripe, base } = await platform();
  const [one, two] = [await stripe.customers.create(), await stripe.customers.create(withCard)];
  const { id } = await stripe.subscriptions.create({ customer: two.id, items: [{ price: base.id }] });
  const portal = await stripe.billingPortal.sessions.create({ customer: one.id });
  await press(`${portal.url}/cancel/${id}`);
  expect((await stripe.subscriptions.retrieve(id)).cancel_at_period_end).toBe(false);
});

test('a meter event counts once per identifier, and its cost can be read', async () => {
  const { stripe, base, usage } = await platform();
  const { id: customer } = await stripe.customers.create(withCard);
  const subscription = await stripe.subscriptions.create({
    customer,
    items: [{ price: base.id }, { price: usage.id }],
  });
  const event = {
    event_name: 'tessera_api_calls',
    identifier: `org_2/2026-03-31T12/${customer}`,
    payload: { stripe_customer_id: customer, value: '150000' },
  };
  expect(await stripe.billing.meterEvents.create(event)).toMatchObject({ identifier: event.identifier });
  const again = await refusalOf(stripe.billing.meterEvents.create(event));
  expect([again.statusCode, again.message]).toEqual([
    400,
    `An event already exists with identifier ${event.identifier}.`,
  ]);
  const billed = await emulator.control<object[]>(
    'GET',
    `/accounts/${await platformId()}/billed?customer=${customer}`,
  );
  expect(billed).toMatchObject([
    { month: '2026-03', events: 1, units: 150_000, amountMinor: 100, currency: 'gbp' },
  ]);
  const meter = usage.recurring?.meter ?? '';
  const at = Math.floor(nowMs / 1000);
  const { data } = await stripe.billing.meters.listEventSummaries(meter, {
    customer,
    start_time: at - 3600,
    end_time: at + 3600,
  });
  expect(data).toMatchObject([{ aggregated_value: 150_000 }]);
  const preview = await stripe.invoices.createPreview({ subscription: subscription.id });
  const { current_period_start: period_start, current_period_end: period_end } = subscription.items.data[0]!;
  expect(preview).toMatchObject({ status: 'draft', number: null, total: 1900, period_start, period_end });
  expect(preview.id).toMatch(/^upcoming_in_/);
  await emulator.control('POST', `/accounts/${await platformId()}/subscriptions/${subscription.id}`, {
    change: 'end-period',
  });
  const [renewal, ...others] = (await stripe.invoices.list({ customer })).data;
  expect(renewal?.lines.data.map(({ amount }) => amount)).toEqual([1800, 100]);
  expect(others).toHaveLength(1);
});

test('a preview has only the usage of a subscription that is cancelled, and none of one that has ended', async () => {
  const { stripe, base, usage } = await platform();
  const { id: customer } = await stripe.customers.create(withCard);
  const [plain, metered] = [
    await stripe.subscriptions.create({ customer, items: [{ price: base.id }] }),
    await stripe.subscriptions.create({ customer, items: [{ price: base.id }, { price: usage.id }] }),
  ];
  for (const { id } of [plain, metered])
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  const none = async (subscription: string) => {
    const { statusCode, code } = await refusalOf(stripe.invoices.createPreview({ subscription }));
    expect([statusCode, code]).toEqual([404, 'invoice_upcoming_none']);
  };
  await none(plain.id);
  const { lines } = await stripe.invoices.createPreview({ customer, subscription: metered.id });
  expect(lines.data.map(({ amount }) => amount)).toEqual([0]);
  await stripe.subscriptions.cancel(metered.id);
  await none(metered.id);
  const other = await stripe.customers.create();
  const { id: subscription } = await stripe.subscriptions.create({ customer, items: [{ price: base.id }] });
  const refused = [
    stripe.invoices.createPreview({ customer: other.id, subscription }),
    stripe.invoices.createPreview({ subscription: 'sub_none' }),
    stripe.invoices.createPreview({ subscription, currency: 'gbp' }),
    stripe.invoices.createPreview({}),
  ];
  expect(
    (await Promise.all(refused.map(refusalOf))).map(({ statusCode, param }) => [statusCode, param]),
  ).toEqual([
    [400, 'subscription'],
    [400, 'subscription'],
    [400, 'currency'],
    [400, 'subscription'],
  ]);
});

test('meter events without meter or recent time are rejected', async () => {
  const { stripe } = await platform();
  const { id: customer } = await stripe.customers.create();
  const at = Math.floor(nowMs / 1000);
  const payload = { stripe_customer_id: customer, value: '1' };
  const calls = [
    { event_name: 'nobody_counts_this', payload },
    { event_name: 'tessera_api_calls', payload, timestamp: at - 36 * 86_400 },
    { event_name: 'tessera_api_calls', payload, timestamp: at + 600 },
  ];
  const refusals = await Promise.all(calls.map((call) => refusalOf(stripe.billing.meterEvents.create(call))));
  expect(refusals.map(({ statusCode, param }) => [statusCode, param])).toEqual([
    [400, 'event_name'],
    [400, 'timestamp'],
    [400, 'timestamp'],
  ]);
});

test('meter events with an unknown customer or value are accepted, and reported later', async () => {
  const { stripe, usage } = await platform();
  const meter = usage.recurring?.meter ?? '';
  const { id: customer } = await stripe.customers.create();
  const payloads: Record<string, string>[] = [
    { stripe_customer_id: 'cus_nobody', value: '1' },
    { stripe_customer_id: customer, value: 'many' },
    { value: '1' },
  ];
  for (const payload of payloads) {
    const event = await stripe.billing.meterEvents.create({ event_name: 'tessera_api_calls', payload });
    expect(event.object).toBe('billing.meter_event');
  }
  expect((await stripe.v2.core.events.list({ object_id: meter })).data).toEqual([]);
  nowMs += 10_000;
  await expect
    .poll(async () => (await stripe.v2.core.events.list({ object_id: meter })).data, { timeout: 5000 })
    .toHaveLength(1);
  const [report] = (await stripe.v2.core.events.list({ object_id: meter })).data;
  expect(report).toMatchObject({
    type: 'v1.billing.meter.error_report_triggered',
    related_object: { id: meter, type: 'billing.meter' },
    data: {
      reason: {
        error_count: 3,
        error_types: [
          { code: 'meter_event_customer_not_found', error_count: 1 },
          { code: 'meter_event_invalid_value', error_count: 1 },
          { code: 'meter_event_no_customer_defined', error_count: 1 },
        ],
      },
    },
  });
  expect(await stripe.v2.core.events.retrieve(report?.id ?? '')).toMatchObject({ id: report?.id });
});

test('a monthly subscription renews from the last day of a month to the last day of the next', async () => {
  nowMs = Date.parse('2026-03-31T12:00:00Z');
  const { stripe } = emulator.account();
  const { price } = await newPlan(stripe);
  const { id: customer } = await stripe.customers.create();
  const kept = await stripe.subscriptions.create({ customer, items: [{ price }] });
  const ending = await stripe.subscriptions.create({
    customer,
    items: [{ price }],
    cancel_at_period_end: true,
  });
  const trying = await stripe.subscriptions.create({ customer, items: [{ price }], trial_period_days: 7 });
  expect(trying.status).toBe('trialing');
  const end = (subscription: Stripe.Subscription) =>
    new Date(subscription.items.data[0]!.current_period_end * 1000).toISOString();
  expect(end(kept)).toBe('2026-04-30T12:00:00.000Z');
  nowMs = Date.parse('2026-04-30T12:00:01Z');
  await expect.poll(async () => (await stripe.subscriptions.retrieve(ending.id)).status).toBe('canceled');
  expect(end(await stripe.subscriptions.retrieve(kept.id))).toBe('2026-05-31T12:00:00.000Z');
  expect((await stripe.subscriptions.retrieve(trying.id)).status).toBe('active');
});

async function platformId(): Promise<string> {
  const { stripe } = await platform();
  return (await stripe.accounts.retrieveCurrent()).id;
}
