// Unusual input from a Stripe account: it is stored as far as possible, blocks nothing else, and is purged with
// its integration.
import { env, exports } from 'cloudflare:workers';
import Stripe from 'stripe';
import { expect, test, vi } from 'vitest';
import type { StripeProduct } from '#contracts/console/stripe';
import type { QueueMessage, StripeCustomersChanged, StripeEventReceived } from '#runtime/messages';
import { eventually } from '#tests/support/eventually';
import type { StripeDelivery } from '#tests/support/stripe';
import {
  type ConnectedTenant,
  connectedTenant,
  eventsAreDone,
  expectSameAsStripe,
} from '#tests/support/stripe-integrations';
import { deliver, outboxMessages } from '#tests/support/tenants';
import { commit, openDatabase } from '#worker/db/database';
import { processEvents } from '#worker/domains/integrations/stripe/events/process-events';
import { openSecret } from '#worker/domains/integrations/stripe/integration/seal-secret';
import { applyCustomers } from '#worker/domains/integrations/stripe/sync/apply-customers';
import { settingsOf } from '#worker/env';
import { workContext } from '#worker/http/make-work-context';

const SECRET = 'whsec_emulator_of_their_own';

/** With a webhook whose signing secret its owner has made up. */
async function signingTenant() {
  const connected = await connectedTenant({ webhook: false });
  const { tenant, path, integration } = connected;
  await tenant.make('POST', `${path}/webhook`, { mode: 'manual', signingSecret: SECRET });
  const send = async (event: unknown, init: RequestInit = {}) => {
    const payload = typeof event === 'string' ? event : JSON.stringify(event);
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: SECRET,
      cryptoProvider: Stripe.createSubtleCryptoProvider(),
    });
    const headers = { 'stripe-signature': signature };
    const request = new Request(integration.webhook.url, { method: 'POST', body: payload, headers, ...init });
    const answer = await exports.default.fetch(request);
    return { status: answer.status, body: await answer.json() };
  };
  return { ...connected, send };
}

const event = (changes: object = {}) => ({
  id: 'evt_1',
  object: 'event',
  type: 'customer.updated',
  created: 1_700_000_000,
  livemode: false,
  data: { object: { id: 'cus_1' } },
  ...changes,
});

async function countOf(table: string, { integration }: Pick<ConnectedTenant, 'integration'>) {
  const row = await env.DB.prepare(`SELECT count(*) AS total FROM ${table} WHERE integration_id = ?`)
    .bind(integration.id)
    .first<{ total: number }>();
  return row?.total;
}

test('malformed events are acknowledged and leave nothing', async () => {
  const tenant = await signingTenant();
  for (const odd of [
    { data: undefined },
    { data: null },
    { data: { object: null } },
    { data: { object: [] } },
    { data: { object: { id: '..' } } },
    { data: { object: { id: `cus_${'x'.repeat(300)}` } } },
    { id: undefined },
    { id: null },
    { id: 7 },
    { id: 'evt 1\u0000\n' },
    { id: `evt_${'x'.repeat(300)}` },
    { created: undefined },
    { created: 'yesterday' },
    { created: 2 ** 60 },
    { created: 1.5 },
    { type: undefined },
    { type: { name: 'customer.updated' } },
    { type: 'customer.updated\u0000' },
    { type: 'customer.exploded' },
    { type: '__proto__' },
  ]) {
    const answer = await tenant.send(event(odd));
    expect([odd, answer]).toEqual([odd, { status: 200, body: { received: true } }]);
  }
  for (const nonsense of ['null', '1', '[]', '"event"', '{}']) {
    expect([nonsense, (await tenant.send(nonsense)).status]).toEqual([nonsense, 400]);
  }
  expect(await countOf('stripe_event', tenant)).toBe(0);
});

test('the description of an event is truncated to fit into a queue message', async () => {
  const tenant = await signingTenant();
  const long = 'é'.repeat(10_000);
  const metadata = Object.fromEntries([
    [long, long],
    ['__proto__', 'x'],
    ['a', { b: 1 }],
  ]);
  const items = { data: [{ price: { id: long, product: { id: long } }, quantity: long }] };
  const lost = vi.spyOn(env.STRIPE_QUEUE, 'send').mockResolvedValue(undefined as never);
  const answer = await tenant.send(
    event({ data: { object: { id: 'cus_1', name: long, customer: long, metadata, items } } }),
  );
  const [message] = lost.mock.calls[0] ?? [];
  lost.mockRestore();
  expect(answer.status).toBe(200);
  expect(JSON.stringify(message).length).toBeLessThan(32_000);
  await deliver('tessera-stripe', await outboxMessages(tenant.tenant.orgId));
  await eventsAreDone(tenant.integration.id);
});

test('products are paged correctly whatever characters their ids have', async () => {
  const connected = await connectedTenant({ webhook: false });
  const { account, tenant, path } = connected;
  for (let index = 0; index < 55; index++) {
    await account.stripe.products.create({ id: `gold.${index} – “é”/%`, name: `<b>${index}</b>` });
  }
  expect(await connected.sync('stripe-product')).toMatchObject({ processed: 55, failed: 0 });
  type Page = { items: StripeProduct[]; nextCursor: string | null };
  const first = await tenant.make<Page>('GET', `${path}/products`);
  const second = await tenant.make<Page>(
    'GET',
    `${path}/products?cursor=${encodeURIComponent(first.nextCursor ?? '')}`,
  );
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(55);
});

test('customers with unusual names, long emails and much metadata are stored unchanged', async () => {
  const connected = await connectedTenant();
  const { account, integration } = connected;
  const metadata = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`key_${index}`, '“é”\u0001'.repeat(100)]),
  );
  const odd = ['a\u0000b', '\u0007\u001b[31m', '<script>alert(1)</script>', '\u202Eevil', '💣'.repeat(100)];
  for (const name of odd) await account.stripe.customers.create({ name, metadata });
  for (const email of [`${'a'.repeat(490)}@b.example`, 'nul\u0000@b.example', 'ÅSA@b.example', ' @ ']) {
    await account.stripe.customers.create({ email });
  }
  await connected.deliver();
  await expectSameAsStripe(connected);
  await env.DB.prepare('DELETE FROM stripe_customer WHERE integration_id = ?').bind(integration.id).run();
  expect(await connected.sync()).toMatchObject({ status: 'finished', processed: 9, failed: 0 });
  await expectSameAsStripe(connected);
});

test('the changes of a page of long emails fit into queue messages', async () => {
  const { tenant, integration } = await connectedTenant({ webhook: false });
  const { orgId } = tenant;
  const db = openDatabase(env.DB);
  const people = Array.from({ length: 100 }, (_, index) => `cus_${index}${'x'.repeat(200)}`);
  for (const [round, letter] of ['\u0001', '語'].entries()) {
    const customers = people.map((id) => ({
      id,
      email: `${id}${letter.repeat(300)}@example.com`,
      name: null,
      livemode: false,
      metadata: {},
      subscriptions: [],
      createdAt: 0,
      isDeleted: false,
    }));
    const readAt = Date.now() + round;
    const { statements } = applyCustomers(db, {
      orgId,
      integrationId: integration.id,
      customers: customers.map((customer) => ({ customer, readAt })),
      outboxId: `out_${orgId}_${round}`,
      now: readAt,
    });
    await commit(db, statements);
  }
  const messages = (await outboxMessages(orgId)).filter(({ type }) => type === 'stripe.customers-changed');
  const named = new Set((messages as StripeCustomersChanged[]).flatMap(({ customers }) => customers));
  expect(named.size).toBe(300);
  for (const message of messages) {
    expect(new TextEncoder().encode(JSON.stringify(message)).byteLength).toBeLessThan(128_000);
  }
});

test('an encrypted key or secret does not decrypt in another place', async () => {
  const [one, other] = await Promise.all([connectedTenant(), connectedTenant()]);
  const read = async (id: string, column: string) => {
    const sql = `SELECT ${column} AS sealed FROM stripe_integration WHERE id = ?`;
    return (await env.DB.prepare(sql).bind(id).first<{ sealed: string }>())?.sealed ?? '';
  };
  const key = await read(one.integration.id, 'secret_key');
  const secret = await read(one.integration.id, 'webhook_secret');
  const settings = settingsOf(env);
  const own = { orgId: one.tenant.orgId, id: one.integration.id };
  expect(await openSecret(settings, own, 'secret-key', key)).toBe(one.account.keys.secretKey);
  for (const [owner, field, sealed] of [
    [{ ...own, orgId: other.tenant.orgId }, 'secret-key', key],
    [{ ...own, id: other.integration.id }, 'secret-key', key],
    [{ orgId: other.tenant.orgId, id: other.integration.id }, 'secret-key', key],
    [own, 'webhook-secret', key],
    [own, 'secret-key', secret],
    [own, 'secret-key', `${key.slice(0, -2)}AA`],
    [own, 'secret-key', key.replace('.', '.A')],
  ] as const) {
    await expect(openSecret(settings, owner, field, sealed)).rejects.toThrow('could not be decrypted');
  }
});

test('an event processed while its integration is deleted leaves no customer', async () => {
  const connected = await connectedTenant();
  const { account, tenant, path } = connected;
  await account.newProduct('Gold');
  await account.stripe.customers.create({ email: 'ada@example.com' });
  const messages = await undelivered(connected, await account.deliveries({ status: 'pending' }));
  expect(messages.map(({ event: { type } }) => type).sort()).toContain('customer.created');

  const { promise: isGone, resolve: answer } = Promise.withResolvers<void>();
  const real = globalThis.fetch;
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await real(input, init);
    if (/\/v1\/(customers|products)\//.test(String(input))) await isGone;
    return response;
  });
  const working = Promise.all(processEvents(workContext(env, Date.now), messages));
  const objects = new Set(messages.map(({ event }) => event.customerId ?? event.productId));
  await eventually(() => expect(asked).toHaveBeenCalledTimes(objects.size));
  // What was stored is removed once, before Stripe has answered.
  const lost = vi.spyOn(env.SYNC_QUEUE, 'send').mockResolvedValue(undefined as never);
  await tenant.make('DELETE', path);
  const isPurge = ({ type }: QueueMessage) => type === 'stripe.integration-deleted';
  await deliver('tessera-sync', (await outboxMessages(tenant.orgId)).filter(isPurge));
  expect((await outboxMessages(tenant.orgId)).filter(isPurge)).toEqual([]);
  lost.mockRestore();
  answer();
  await working;
  asked.mockRestore();
  expect(await countOf('stripe_customer', connected)).toBe(0);
  expect(await countOf('stripe_product', connected)).toBe(0);
  await eventually(async () => expect(await outboxMessages(tenant.orgId)).toEqual([]));
});

/** Posts the deliveries; their messages are lost on the way to the queue. */
async function undelivered(
  { tenant }: ConnectedTenant,
  deliveries: readonly StripeDelivery[],
): Promise<StripeEventReceived[]> {
  const lost = vi.spyOn(env.STRIPE_QUEUE, 'send').mockResolvedValue(undefined as never);
  for (const { request } of deliveries) {
    if (request === null) continue;
    const { url, headers, body } = request;
    expect((await exports.default.fetch(new Request(url, { method: 'POST', headers, body }))).status).toBe(
      200,
    );
  }
  lost.mockRestore();
  return (await outboxMessages(tenant.orgId)).filter(
    (message) => message.type === 'stripe.event-received',
  ) as StripeEventReceived[];
}
