// Stripe webhooks: duplicated and reordered events end in Stripe's current state, and unsigned events are
// rejected.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { Event } from '#contracts/console/events';
import type { StripeProduct } from '#contracts/console/stripe';
import type { StripeEventReceived } from '#runtime/messages';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import type { StripeDelivery } from '#tests/support/stripe';
import {
  type ConnectedTenant,
  connectedTenant,
  eventsAreDone,
  expectSameAsStripe,
} from '#tests/support/stripe-integrations';
import { outboxMessages } from '#tests/support/tenants';
import { processEvents } from '#worker/domains/integrations/stripe/events/process-events';
import { workContext } from '#worker/http/make-work-context';
import worker from '#worker/index';
import { resendOutbox } from '#worker/queue/outbox';

type Sent = NonNullable<StripeDelivery['request']>;

const post = (
  { request }: StripeDelivery,
  changes: Partial<{ url: string; body: string; signature: string }> = {},
) => {
  if (request === null) throw new Error('The delivery has no endpoint');
  const { url = request.url, body = request.body, signature } = changes;
  const headers = {
    ...request.headers,
    ...(signature === undefined ? {} : { 'stripe-signature': signature }),
  };
  return exports.default.fetch(new Request(url, { method: 'POST', headers, body }));
};

/** Some customers, with what becomes of them in time. */
async function eventfulAccount(connected: ConnectedTenant) {
  const { account } = connected;
  const { stripe } = account;
  const [gold, silver] = await Promise.all([account.newProduct('Gold'), account.newProduct('Silver')]);
  const [ada, bob, eve] = await Promise.all([
    stripe.customers.create({ email: 'Ada@Example.com', name: 'Ada' }),
    stripe.customers.create({ email: 'bob@example.com', name: 'Bob' }),
    stripe.customers.create({ email: 'eve@example.com', name: 'Eve' }),
  ]);
  const subscribe = (customer: string, price: string) =>
    stripe.subscriptions.create({ customer, items: [{ price }] });
  const subscription = await subscribe(ada.id, gold.priceId);
  await subscribe(bob.id, silver.priceId);
  const ended = await subscribe(eve.id, gold.priceId);
  const [item] = subscription.items.data;
  await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item?.id ?? '', price: silver.priceId }],
  });
  await stripe.customers.update(ada.id, { email: 'ada@new.example', metadata: { team: 'blue' } });
  await stripe.subscriptions.cancel(ended.id);
  await stripe.customers.del(bob.id);
  return { ada, bob, eve, gold, silver };
}

async function storedEvents({ integration }: ConnectedTenant): Promise<number> {
  const row = await env.DB.prepare('SELECT count(*) AS total FROM stripe_event WHERE integration_id = ?')
    .bind(integration.id)
    .first<{ total: number }>();
  return row?.total ?? 0;
}

async function paymentEvents({ tenant }: ConnectedTenant): Promise<Event[]> {
  const { events } = await tenant.make<{ events: Event[] }>('GET', '/event-search');
  return events.filter(({ type }) => type === 'se');
}

test('events in order end in the current state in Stripe', async () => {
  const connected = await connectedTenant();
  await eventfulAccount(connected);
  expect(await connected.deliver()).toBeGreaterThan(10);
  await expectSameAsStripe(connected);
  expect(await connected.read()).toMatchObject({
    customerCount: 2,
    productCount: 2,
    trouble: null,
    firstEventAt: expect.any(Number),
    lastEventAt: expect.any(Number),
  });
});

test('events in reverse order end in the same state', async () => {
  const connected = await connectedTenant();
  await eventfulAccount(connected);
  const deliveries = await connected.account.deliveries({ status: 'pending' });
  for (const delivery of deliveries.toReversed()) expect((await post(delivery)).status).toBe(200);
  await eventsAreDone(connected.integration.id);
  await expectSameAsStripe(connected);
});

test('concurrent duplicates are processed and recorded once', async () => {
  const connected = await connectedTenant();
  const { ada } = await eventfulAccount(connected);
  const deliveries = await connected.account.deliveries({ status: 'pending' });
  const twice = [...deliveries, ...deliveries.toReversed()];
  const answers = await Promise.all(twice.map((delivery) => post(delivery)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await eventsAreDone(connected.integration.id);
  await expectSameAsStripe(connected);
  // No price of the account gives anything, so its payments mean nothing.
  const told = deliveries.map(({ eventType }) => eventType).filter((type) => type !== 'invoice.paid');
  expect(await storedEvents(connected)).toBe(told.length);

  const recorded = await paymentEvents(connected);
  expect(recorded.map(({ stripeEventType }) => stripeEventType).sort()).toEqual(told.sort());
  expect(recorded.find(({ stripeEventType }) => stripeEventType === 'customer.updated')).toMatchObject({
    integrationId: connected.integration.id,
    envId: '',
    isError: false,
    subjectIdentifier: ada.id,
    secondarySubjectIdentifiers: ['ada@new.example'],
    request: { type: 'customer.updated', object: { id: ada.id, metadata: { team: 'blue' } } },
    response: { id: ada.id, email: 'ada@new.example' },
  });
});

test('an ID of another form and a network with too many unverified events are refused before the first query', async () => {
  const connected = await connectedTenant();
  for (const name of ['Ada', 'Bob']) await connected.account.stripe.customers.create({ name });
  const [first, second] = await connected.account.deliveries({ status: 'pending' });
  if (!first?.request || !second?.request) throw new Error('Two deliveries are needed');
  const keys: (string | undefined)[] = [];
  let queries = 0;
  const counted = {
    ...env,
    DB: new Proxy(env.DB, {
      get(db, name) {
        if (name === 'prepare') queries += 1;
        const value: unknown = Reflect.get(db, name);
        return typeof value === 'function' ? value.bind(db) : value;
      },
    }),
    // The third failure is one too many.
    WEBHOOK_FAILURE_LIMIT: { limit: async ({ key }: RateLimitOptions) => ({ success: keys.push(key) < 3 }) },
  };
  const send = async (url: string, network: string, { headers, body } = first.request as Sent) => {
    queries = 0;
    const context = createExecutionContext();
    const init = { method: 'POST', headers: { ...headers, 'cf-connecting-ip': network }, body };
    const answer = await worker.fetch(new Request(url, init) as never, counted, context);
    await waitOnExecutionContext(context);
    return [answer.status, queries > 0];
  };
  const url = (id: string) => first.request?.url.replace(connected.integration.id, id) ?? '';
  const unknown = `stripe_${'0'.repeat(26)}`;

  for (const [index, id] of ['x', 'stripe_1', `${unknown}0`, unknown.replace('stripe', 'jwt')].entries()) {
    expect(await send(url(id), `198.51.100.${index}`)).toEqual([400, false]);
  }
  keys.length = 0;
  for (const network of ['2001:db8::1', '2001:db8::2', '2001:db8::3']) {
    expect(await send(url(unknown), network)).toEqual([400, true]);
  }
  expect(new Set(keys)).toEqual(new Set(['2001:db8:0:0']));
  expect(await send(url(unknown), '2001:db8::4')).toEqual([429, false]);
  expect(await send(url(connected.integration.id), '2001:db8::4')).toEqual([429, false]);
  // Another network delivers; from then on this integration's events come through everywhere.
  expect(await send(first.request.url, '192.0.2.1')).toEqual([200, true]);
  expect(await send(second.request.url, '2001:db8::5', second.request)).toEqual([200, true]);
  expect(await send(url(unknown), '192.0.2.1')).toEqual([400, true]);
  expect(await send(url(unknown), '192.0.2.1')).toEqual([429, false]);
});

test('a late event does not restore a deleted customer', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  const { id } = await account.stripe.customers.create({ email: 'ada@example.com' });
  const [created] = await account.deliveries({ status: 'pending' });
  await account.stripe.customers.del(id);
  const deliveries = await account.deliveries({ status: 'pending' });
  const deleted = deliveries.find(({ eventType }) => eventType === 'customer.deleted');
  if (created === undefined || deleted === undefined) throw new Error('Events are missing');
  expect((await post(deleted)).status).toBe(200);
  await eventsAreDone(connected.integration.id);
  expect((await post(created)).status).toBe(200);
  await eventsAreDone(connected.integration.id);
  expect(await connected.read()).toMatchObject({ customerCount: 0 });
  await expectSameAsStripe(connected);
});

test('a product follows a rename, archival and deletion in Stripe', async () => {
  const connected = await connectedTenant();
  const { account, tenant, path } = connected;
  const { products } = account.stripe;
  const { id } = await products.create({ name: 'Gold' });
  const listed = async () =>
    (await tenant.make<{ items: StripeProduct[] }>('GET', `${path}/products`)).items.map(
      ({ name, active }) => ({ name, active }),
    );
  await products.update(id, { name: 'Platinum' });
  await connected.deliver();
  expect(await listed()).toEqual([{ name: 'Platinum', active: true }]);
  await products.update(id, { active: false });
  await connected.deliver();
  expect(await listed()).toEqual([{ name: 'Platinum', active: false }]);
  await products.del(id);
  await connected.deliver();
  expect(await listed()).toEqual([]);
  expect(await connected.read()).toMatchObject({ productCount: 0 });
});

test('subscriptions and items beyond one page are all read', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  const products = await Promise.all(
    Array.from({ length: 12 }, (_, index) => account.newProduct(`P ${index}`)),
  );
  const { id } = await account.stripe.customers.create({ email: 'many@example.com' });
  for (const { priceId } of products) {
    await account.stripe.subscriptions.create({ customer: id, items: [{ price: priceId }] });
  }
  await connected.deliver();
  await expectSameAsStripeInFull(connected, id, 12);
  await connected.sync();
  await expectSameAsStripeInFull(connected, id, 12);
});

async function expectSameAsStripeInFull({ tenant, path }: ConnectedTenant, id: string, count: number) {
  const { items } = await tenant.make<{ items: { id: string; subscriptions: unknown[] }[] }>(
    'GET',
    `${path}/customers?query=${id}`,
  );
  expect(items[0]?.subscriptions).toHaveLength(count);
}

const refusals: [string, (delivery: StripeDelivery, connected: ConnectedTenant) => Promise<Response>][] = [
  ['without a signature', (delivery) => post(delivery, { signature: '' })],
  [
    'with a signature of another secret',
    (delivery) => post(delivery, { signature: `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` }),
  ],
  [
    'with another body than was signed',
    (delivery) => post(delivery, { body: (delivery.request?.body ?? '').replace('ada@', 'eve@') }),
  ],
  [
    'signed more than five minutes ago',
    async (delivery, { account }) => post(await signedAt(account, delivery, Date.now() / 1000 - 301)),
  ],
  [
    'signed for more than five minutes ahead',
    async (delivery, { account }) => post(await signedAt(account, delivery, Date.now() / 1000 + 302)),
  ],
  [
    'for an integration that there is not',
    (delivery, { integration }) =>
      post(delivery, { url: integration.webhook.url.replace(integration.id, 'stripe_nobody') }),
  ],
];

async function signedAt(account: ConnectedTenant['account'], { id }: StripeDelivery, seconds: number) {
  const timestamp = Math.floor(seconds);
  const again = (await account.deliveries({ timestamp })).find((delivery) => delivery.id === id);
  if (again === undefined) throw new Error('The delivery is gone');
  return again;
}

test.each(refusals)('an event %s is rejected with the same response', async (_, send) => {
  const connected = await connectedTenant();
  await connected.account.stripe.customers.create({ email: 'ada@example.com' });
  const [delivery] = await connected.account.deliveries({ status: 'pending' });
  if (delivery === undefined) throw new Error('Nothing to deliver');
  const answer = await send(delivery, connected);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({ received: false });
  expect(await storedEvents(connected)).toBe(0);
  expect((await post(delivery)).status).toBe(200);
});

test('an event of another integration is rejected, even of the same account in the other mode', async () => {
  const test = await connectedTenant();
  const [live, other] = await Promise.all([
    connectedTenant({ account: test.account, tenant: test.tenant, mode: 'live' }),
    connectedTenant(),
  ]);
  await test.account.stripe.customers.create({ email: 'ada@example.com' });
  const [delivery] = await test.account.deliveries({ status: 'pending', mode: 'test' });
  if (delivery === undefined) throw new Error('Nothing to deliver');
  for (const { integration } of [live, other]) {
    expect((await post(delivery, { url: integration.webhook.url })).status).toBe(400);
  }
  expect(await storedEvents(live)).toBe(0);
});

test('a correctly signed event of another mode is rejected', async () => {
  const live = await connectedTenant({ mode: 'live', webhook: false });
  const { account, tenant, path, integration } = live;
  // Somebody pasted the signing secret of test mode's endpoint.
  const endpoint = await account.stripe.webhookEndpoints.create({
    url: integration.webhook.url,
    enabled_events: ['customer.created'],
  });
  await tenant.make('POST', `${path}/webhook`, { mode: 'manual', signingSecret: endpoint.secret });
  await account.stripe.customers.create({ email: 'ada@example.com' });
  const [delivery] = await account.deliveries({ status: 'pending' });
  if (delivery === undefined) throw new Error('Nothing to deliver');
  expect((await post(delivery)).status).toBe(400);
  expect(await storedEvents(live)).toBe(0);
});

test('a body over 512 KiB is rejected, with or without content-length', async () => {
  const { integration } = await connectedTenant();
  const send = (body: BodyInit) =>
    exports.default.fetch(new Request(integration.webhook.url, { method: 'POST', body }));
  const tooMuch = new Uint8Array(512 * 1024 + 1);
  expect((await send(tooMuch)).status).toBe(413);
  const stream = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent <= tooMuch.length; sent += 65_536) controller.enqueue(tooMuch.slice(0, 65_536));
      controller.close();
    },
  });
  expect((await send(stream)).status).toBe(413);
});

test('an event of an unused type is acknowledged and ignored', async () => {
  const connected = await connectedTenant({ webhook: false });
  const { account, tenant, path, integration } = connected;
  const endpoint = await account.stripe.webhookEndpoints.create({
    url: integration.webhook.url,
    enabled_events: ['*'],
  });
  await tenant.make('POST', `${path}/webhook`, { mode: 'manual', signingSecret: endpoint.secret });
  await account.newProduct('Gold');
  const deliveries = await account.deliveries({ status: 'pending' });
  expect(deliveries.map(({ eventType }) => eventType)).toContain('price.created');
  for (const delivery of deliveries) expect((await post(delivery)).status).toBe(200);
  await eventsAreDone(integration.id);
  const recorded = await paymentEvents(connected);
  expect(recorded.length).toBeGreaterThan(0);
  expect(new Set(recorded.map(({ stripeEventType }) => stripeEventType?.split('.')[0]))).toEqual(
    new Set(['product']),
  );
});

test('while Stripe fails, events wait and the console shows it; afterwards nothing is missing', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  await account.stripe.customers.create({ email: 'ada@example.com' });
  await account.setFaults({ failNext: 1, onlyRequests: 'GET /v1/customers/' });
  const [delivery] = await account.deliveries({ status: 'pending' });
  if (delivery === undefined) throw new Error('Nothing to deliver');
  expect((await post(delivery)).status).toBe(200);
  await eventually(async () => {
    expect((await connected.read()).trouble?.message).toContain('Stripe cannot be reached');
  });
  await eventsAreDone(connected.integration.id);
  await expectSameAsStripe(connected);
  expect(await connected.read()).toMatchObject({ trouble: null });
  expect(await paymentEvents(connected)).toHaveLength(1);
});

test('an event with a lost queue message is processed nevertheless', async () => {
  const connected = await connectedTenant();
  const { account, integration } = connected;
  await account.stripe.customers.create({ email: 'ada@example.com' });
  const [delivery] = await account.deliveries({ status: 'pending' });
  if (delivery === undefined) throw new Error('Nothing to deliver');
  const lost = vi.spyOn(env.STRIPE_QUEUE, 'send').mockResolvedValue(undefined as never);
  expect((await post(delivery)).status).toBe(200);
  lost.mockRestore();
  expect(await connected.read()).toMatchObject({ customerCount: 0 });
  await resendOutbox(workContext(env, Date.now), 'all');
  await eventsAreDone(integration.id);
  await expectSameAsStripe(connected);
});

test('a failed recording is retried and recorded once', async () => {
  const connected = await connectedTenant();
  const { account, integration, tenant } = connected;
  await account.stripe.customers.create({ email: 'ada@example.com' });
  const [delivery] = await account.deliveries({ status: 'pending' });
  if (delivery === undefined) throw new Error('Nothing to deliver');
  const lost = vi.spyOn(env.STRIPE_QUEUE, 'send').mockResolvedValue(undefined as never);
  expect((await post(delivery)).status).toBe(200);
  const [message] = lost.mock.calls[0] as unknown as [StripeEventReceived];
  lost.mockRestore();

  const away = vi.spyOn(env.EVENT_STREAM, 'getByName').mockImplementation(() => {
    throw new Error('The stream is away');
  });
  const process = () => Promise.all(processEvents(workContext(env, Date.now), [message]));
  await expect(process()).rejects.toThrow('The stream is away');
  away.mockRestore();
  expect(await connected.read()).toMatchObject({ customerCount: 1 });
  await process();
  await process();
  await eventsAreDone(integration.id);
  expect(await paymentEvents(connected)).toHaveLength(1);
  expect((await outboxMessages(tenant.orgId)).filter(({ type }) => type.startsWith('stripe.'))).toEqual([]);
});

test('a storage failure is an error response, so that Stripe retries', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  await account.stripe.customers.create({ email: 'ada@example.com' });
  const [delivery] = await account.deliveries({ status: 'pending' });
  if (delivery === undefined) throw new Error('Nothing to deliver');
  expectConsole('error', /request failed.*D1 is away/);
  const away = vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1 is away'));
  const failed = await post(delivery);
  away.mockRestore();
  expect(failed.status).toBe(500);
  expect((await post(delivery)).status).toBe(200);
  await eventsAreDone(connected.integration.id);
  await expectSameAsStripe(connected);
});

test('payments, refunds and disputes are accepted by an endpoint that gets all events, and change nothing', async () => {
  const connected = await connectedTenant();
  const { account, tenant } = connected;
  const { stripe } = account;
  await eventfulAccount(connected);
  await connected.deliver();
  const [endpoint] = (await stripe.webhookEndpoints.list()).data;
  await stripe.webhookEndpoints.update(endpoint?.id ?? '', { enabled_events: ['*'] });
  const before = [await storedEvents(connected), await connected.read(), await paymentEvents(connected)];

  const [known] = (await stripe.customers.list()).data;
  const { id: price } = await stripe.prices.create({
    product: (await stripe.products.list()).data[0]?.id ?? '',
    currency: 'gbp',
    unit_amount: 2000,
  });
  for (const customer of [undefined, known?.id]) {
    const { url } = await stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://shop.example',
      line_items: [{ price, quantity: 1 }],
      customer,
    });
    await fetch(`${url}/pay`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'guest@shop.example' }),
      redirect: 'manual',
    });
  }
  const [own, guests] = (await stripe.charges.list()).data;
  await stripe.refunds.create({ charge: own?.id, amount: 500 });
  const { id: disputeId } = await account.openDispute(guests?.id ?? '');
  await account.closeDispute(disputeId, 'lost');
  const { id: customer } = known ?? { id: '' };
  await stripe.invoiceItems.create({ customer, amount: 100, currency: 'gbp' });
  const { id } = await stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' });
  await stripe.invoices.pay(id);

  const answers = new Map<string, number>();
  await account.deliver(async (request) => {
    const { type } = (await request.clone().json()) as { type: string };
    const response = await exports.default.fetch(request);
    answers.set(type, response.status);
    return response;
  });
  expect([...answers.keys()]).toEqual(
    expect.arrayContaining([
      'payment_intent.succeeded',
      'checkout.session.completed',
      'charge.refunded',
      'charge.dispute.closed',
      'invoice.paid',
    ]),
  );
  expect([...answers].filter(([, status]) => status !== 200)).toEqual([]);
  expect([await storedEvents(connected), await connected.read(), await paymentEvents(connected)]).toEqual(
    before,
  );
  expect(await outboxMessages(tenant.orgId)).toEqual([]);
});
