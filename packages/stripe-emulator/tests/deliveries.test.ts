// Webhook deliveries: signed like Stripe's, retried until they succeed, and subject to fault injection.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Stripe from 'stripe';
import { afterEach, expect, test } from 'vitest';
import { retryPauseMs } from '../webhooks/retry-schedule.ts';
import { newPlan, type OwnAccount, ownEmulator } from './own-emulator.ts';

const emulator = ownEmulator({ retrySpeed: 15_000 });

interface Received {
  event: Stripe.Event;
  signature: string;
  body: string;
}

interface Listener {
  url: string;
  received: Received[];
  /** Waits for this many deliveries, including rejected ones. */
  wait: (count: number) => Promise<Received[]>;
}

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((settle) => server.close(settle));
  }
});

/** @param statusOf response status by delivery number, from 0 */
async function listen(statusOf: (number: number) => number = () => 200): Promise<Listener> {
  const received: Received[] = [];
  let changed = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const signature = String(request.headers['stripe-signature']);
    received.push({ event: JSON.parse(body) as Stripe.Event, signature, body });
    response.writeHead(statusOf(received.length - 1)).end();
    changed.resolve();
    changed = Promise.withResolvers();
  });
  servers.push(server);
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const wait = async (count: number) => {
    while (received.length < count) await changed.promise;
    return received;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, wait };
}

interface Delivery {
  id: string;
  eventType: string;
  status: string;
  attempts: { status: number | null }[];
  request: { url: string; headers: Record<string, string>; body: string } | null;
}

async function until(account: OwnAccount, isMet: (deliveries: Delivery[]) => boolean): Promise<Delivery[]> {
  for (;;) {
    const deliveries = await account.control<Delivery[]>('GET', '/deliveries');
    if (isMet(deliveries)) return deliveries;
    await new Promise((settle) => setTimeout(settle, 10));
  }
}

test('an endpoint gets its subscribed events, signed with its own secret', async () => {
  const account = emulator.account();
  const listener = await listen();
  const { secret } = await account.stripe.webhookEndpoints.create({
    url: listener.url,
    enabled_events: ['customer.created', 'customer.deleted'],
  });
  const customer = await account.stripe.customers.create({ email: 'ada@customers.example' });
  await account.stripe.customers.update(customer.id, { name: 'Ada' });
  await account.stripe.customers.del(customer.id);
  await account.live.customers.create();
  const received = await listener.wait(2);
  const types = [];
  for (const { body, signature } of received) {
    const event = await account.stripe.webhooks.constructEventAsync(body, signature, secret ?? '');
    types.push(event.type);
  }
  expect(types.sort()).toEqual(['customer.created', 'customer.deleted']);
  expect(await account.stripe.events.retrieve(received[0]!.event.id)).toMatchObject({
    type: expect.any(String),
  });
});

test('a delivery is retried until the response is 2xx, and every attempt is listed', async () => {
  const account = emulator.account();
  const listener = await listen((number) => [500, 302, 200][number] ?? 200);
  await account.stripe.webhookEndpoints.create({ url: listener.url, enabled_events: ['*'] });
  await account.stripe.customers.create();
  await listener.wait(3);
  const [delivery] = await until(account, ([first]) => first?.status === 'delivered');
  expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 302, 200]);
  expect(new Set(listener.received.map(({ event }) => event.id)).size).toBe(1);
});

test('a delivery fails after the last attempt', async () => {
  const account = emulator.account();
  await account.stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:1/hook', enabled_events: ['*'] });
  await account.stripe.customers.create();
  const [delivery] = await until(account, ([first]) => first?.status === 'failed');
  expect(delivery?.attempts.map(({ status }) => status)).toEqual([null, null, null, null]);
});

test('retries take up to three days in live mode and a few hours in test mode, divided by the speed', () => {
  const total = (livemode: boolean, speed: number) => {
    let [sum, attempts] = [0, 1];
    for (; ; attempts += 1) {
      const pause = retryPauseMs(livemode, attempts, speed);
      if (pause === undefined) return [attempts, sum / 3_600_000];
      sum += pause;
    }
  };
  expect(total(false, 1)).toEqual([4, expect.closeTo(2.58)]);
  expect(total(true, 1)).toEqual([10, expect.closeTo(63.58)]);
  expect(total(true, 60)).toEqual([10, expect.closeTo(63.58 / 60)]);
});

test('fault injection drops, duplicates and reverses deliveries', async () => {
  const account = emulator.account();
  const listener = await listen();
  await account.stripe.webhookEndpoints.create({ url: listener.url, enabled_events: ['customer.created'] });
  const names = async (count: number) =>
    (await listener.wait(count)).map(({ event }) => (event.data.object as Stripe.Customer).name);
  const create = (name: string) => account.stripe.customers.create({ name });

  await account.control('PATCH', '/faults', { webhooks: { dropNext: 1, duplicateNext: 1 } });
  await create('dropped');
  await create('doubled');
  expect(await names(2)).toEqual(['doubled', 'doubled']);
  expect(new Set(listener.received.map(({ event }) => event.id)).size).toBe(1);
  const deliveries = await account.control<Delivery[]>('GET', '/deliveries');
  expect(deliveries[0]).toMatchObject({ status: 'dropped', attempts: [] });

  await account.control('PATCH', '/faults', { webhooks: { reverseNext: 3 } });
  for (const name of ['first', 'second', 'third']) await create(name);
  expect((await names(5)).slice(2)).toEqual(['third', 'second', 'first']);
});

test('an event can be resent, and a disabled endpoint gets nothing', async () => {
  const account = emulator.account();
  const listener = await listen();
  const endpoint = await account.stripe.webhookEndpoints.create({ url: listener.url, enabled_events: ['*'] });
  await account.stripe.customers.create();
  const [{ event }] = (await listener.wait(1)) as [Received];
  await account.control('POST', `/events/${event.id}/resend`);
  expect((await listener.wait(2))[1]?.event.id).toBe(event.id);
  await account.stripe.webhookEndpoints.update(endpoint.id, { disabled: true });
  await account.stripe.customers.create();
  expect(await account.control('GET', '/deliveries')).toHaveLength(2);
});

test('a test can deliver webhooks itself: they wait, are signed for any time, and take a reported result', async () => {
  const account = emulator.account({ sendsWebhooks: false });
  const { secret } = await account.stripe.webhookEndpoints.create({
    url: 'https://tessera.example/hook',
    enabled_events: ['*'],
  });
  await account.stripe.customers.create();
  const waiting = await account.control<Delivery[]>('GET', '/deliveries?status=pending&timestamp=1000000000');
  expect(waiting).toHaveLength(1);
  const { body, headers, url } = waiting[0]!.request!;
  const signature = headers['stripe-signature'] ?? '';
  expect([url, signature.slice(0, 12)]).toEqual(['https://tessera.example/hook', 't=1000000000']);
  const { webhooks } = account.stripe;
  await expect(webhooks.constructEventAsync(body, signature, secret ?? '')).rejects.toThrow(/tolerance/);
  await webhooks.constructEventAsync(body, signature, secret ?? '', Number.MAX_SAFE_INTEGER);
  await account.control('POST', `/deliveries/${waiting[0]!.id}`, { status: 503 });
  expect(await account.control('GET', '/deliveries?status=pending')).toHaveLength(1);
  await account.control('POST', `/deliveries/${waiting[0]!.id}`, { status: 200 });
  expect(await account.control('GET', '/deliveries?status=pending')).toEqual([]);
});

test('subscription events contain the previous attributes', async () => {
  const account = emulator.account({ sendsWebhooks: false });
  const { price } = await newPlan(account.stripe);
  const other = await newPlan(account.stripe, 'Team', 4900);
  const { id: customer } = await account.stripe.customers.create();
  const created = await account.stripe.subscriptions.create({ customer, items: [{ price }] });
  const item = created.items.data[0]!;
  await account.stripe.subscriptions.update(created.id, { items: [{ id: item.id, price: other.price }] });
  const change = (name: string) => account.control('POST', `/subscriptions/${created.id}`, { change: name });
  await change('fail-payment');
  await change('pay');
  await account.stripe.subscriptions.update(created.id, { cancel_at_period_end: true });
  await change('end-period');
  const { data } = await account.stripe.events.list({ limit: 100, type: 'customer.subscription.*' });
  expect(
    data.toReversed().map(({ type, data: { previous_attributes: before } }) => [type, before]),
  ).toMatchObject([
    ['customer.subscription.created', undefined],
    ['customer.subscription.updated', { items: { data: [{ price: { id: price } }] } }],
    ['customer.subscription.updated', { status: 'active' }],
    ['customer.subscription.updated', { status: 'past_due' }],
    ['customer.subscription.updated', { cancel_at_period_end: false, cancel_at: null }],
    ['customer.subscription.deleted', undefined],
  ]);
  expect((await account.stripe.subscriptions.retrieve(created.id)).status).toBe('canceled');
});

test('deleting a customer ends the subscriptions first', async () => {
  const { stripe } = emulator.account({ sendsWebhooks: false });
  const { price } = await newPlan(stripe);
  const { id: customer } = await stripe.customers.create();
  await stripe.subscriptions.create({ customer, items: [{ price }] });
  await stripe.customers.del(customer);
  const { data } = await stripe.events.list({ limit: 2 });
  expect(data.map(({ type }) => type)).toEqual(['customer.deleted', 'customer.subscription.deleted']);
});

test('pausing and resuming a subscription emits events', async () => {
  const account = emulator.account({ sendsWebhooks: false });
  const { price } = await newPlan(account.stripe);
  const { id: customer } = await account.stripe.customers.create();
  const { id } = await account.stripe.subscriptions.create({ customer, items: [{ price }] });
  await account.control('POST', `/subscriptions/${id}`, { change: 'pause' });
  expect((await account.stripe.subscriptions.retrieve(id)).status).toBe('paused');
  expect((await account.stripe.subscriptions.resume(id, {})).status).toBe('active');
  const { data } = await account.stripe.events.list({ type: 'customer.subscription.*', limit: 4 });
  expect(data.map(({ type }) => type)).toEqual([
    'customer.subscription.resumed',
    'customer.subscription.updated',
    'customer.subscription.paused',
    'customer.subscription.updated',
  ]);
});
