// The webhook's endpoint is looked up when polling finds what it did not bring, so that the console can tell what is wrong with it.
import { env, exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { StripeIntegration } from '#contracts/console/stripe';
import { runStripeSchedule } from '#tests/support/schedules';
import { type ConnectedTenant, connectedTenant } from '#tests/support/stripe-integrations';
import { workContext } from '#worker/http/make-work-context';
import { STRIPE_API_VERSION } from '#worker/platform/stripe';

const POLL_MS = 10 * 60_000;
const LOOK_UP = 'GET /v1/webhook_endpoints';

let polls = 0;
function poll(): Promise<unknown> {
  const now = Date.now() + POLL_MS * ++polls;
  return runStripeSchedule(workContext(env, () => now));
}

async function endpointOf({ account }: ConnectedTenant) {
  const [endpoint] = (await account.stripe.webhookEndpoints.list()).data;
  if (endpoint === undefined) throw new Error('There is no endpoint');
  return endpoint;
}

/** Something happens in Stripe that no webhook brings, and is found by polling. */
async function missEvent(connected: ConnectedTenant): Promise<StripeIntegration> {
  await connected.account.stripe.customers.create({ email: 'ada@example.com' });
  await connected.deliver();
  await poll();
  return connected.read();
}

const problemsOf = ({ webhookHealth }: StripeIntegration) => webhookHealth?.problems;

test('a webhook that was deleted in Stripe is reported as missing, until it is created again', async () => {
  const connected = await connectedTenant();
  const { account, tenant, path } = connected;
  await account.stripe.webhookEndpoints.del((await endpointOf(connected)).id);
  const missing = await missEvent(connected);
  expect(missing).toMatchObject({ hasWebhook: false, webhookHealth: { problems: ['missing'] } });
  const recreated = await tenant.make('POST', `${path}/webhook`, { mode: 'automatic' });
  expect(recreated).toMatchObject({ hasWebhook: true, webhookHealth: null });
  expect((await account.stripe.webhookEndpoints.list()).data).toHaveLength(1);
});

test('an endpoint that was disabled, narrowed or moved is reported, and no longer once it is mended', async () => {
  const connected = await connectedTenant();
  const { stripe } = connected.account;
  const { id, url, enabled_events } = await endpointOf(connected);
  await stripe.webhookEndpoints.update(id, { disabled: true });
  expect(problemsOf(await missEvent(connected))).toEqual(['disabled']);
  await stripe.webhookEndpoints.update(id, { disabled: false, enabled_events: ['product.created'] });
  expect(problemsOf(await missEvent(connected))).toEqual(['events']);
  await stripe.webhookEndpoints.update(id, {
    enabled_events: enabled_events as ['customer.created'],
    url: 'https://moved.example/hook',
  });
  await poll();
  expect(await connected.read()).toMatchObject({ hasWebhook: true, webhookHealth: { problems: ['url'] } });
  await stripe.webhookEndpoints.update(id, { url });
  await poll();
  const mended = { problems: [], apiVersion: STRIPE_API_VERSION };
  expect((await connected.read()).webhookHealth).toMatchObject(mended);
});

test('a signing secret that was rolled in Stripe is reported, until an event is verified again', async () => {
  const connected = await connectedTenant();
  const { account, tenant, path } = connected;
  const { secret } = await account.rollSecret((await endpointOf(connected)).id);
  await account.stripe.customers.create({ email: 'bob@example.com' });
  await connected.account.deliver((request) => exports.default.fetch(request));
  await poll();
  expect(problemsOf(await connected.read())).toEqual(['secret']);
  await poll();
  expect(problemsOf(await connected.read())).toEqual(['secret']);
  await tenant.make('POST', `${path}/webhook`, { mode: 'manual', signingSecret: secret });
  expect((await connected.read()).webhookHealth).toBeNull();
});

test('a wrong signature from elsewhere is no sign of a rolled secret while events arrive', async () => {
  const connected = await connectedTenant();
  const { url } = await endpointOf(connected);
  const headers = { 'stripe-signature': 't=1,v1=00' };
  expect(
    (await exports.default.fetch(new Request(url, { method: 'POST', headers, body: '{}' }))).status,
  ).toBe(400);
  await poll();
  expect(problemsOf(await connected.read())).toEqual([]);
});

test('two endpoints of one URL, and another version of the API, are reported', async () => {
  const connected = await connectedTenant();
  const { account, integration } = connected;
  const { id, url } = await endpointOf(connected);
  const enabled_events = integration.webhook.events as ['customer.created'];
  await account.stripe.webhookEndpoints.create({ url, enabled_events, api_version: '2025-03-31.basil' });
  await account.stripe.customers.create({ email: 'ada@example.com' });
  await poll();
  expect(problemsOf(await connected.read())).toEqual(['duplicate']);
  await account.stripe.webhookEndpoints.del(id);
  await poll();
  expect((await connected.read()).webhookHealth).toMatchObject({
    problems: ['version'],
    apiVersion: '2025-03-31.basil',
  });
});

test('a key that may not read endpoints is reported as such, and the webhook counts as present', async () => {
  const connected = await connectedTenant();
  const { account, tenant, path } = connected;
  await tenant.make('PUT', path, { secretKey: account.keys.restrictedKey });
  await account.forbid(account.keys.restrictedKey, 'rak_webhook_read');
  await account.stripe.customers.create({ email: 'ada@example.com' });
  await poll();
  expect(await connected.read()).toMatchObject({
    hasWebhook: true,
    webhookHealth: { problems: ['unreadable'] },
  });
});

test('while the webhook brings every event, its endpoint is not looked up', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  await account.stripe.customers.create({ email: 'ada@example.com' });
  await connected.deliver();
  await account.forgetRequests();
  await poll();
  expect((await account.requests()).counts[LOOK_UP]).toBeUndefined();
  expect((await connected.read()).webhookHealth).toBeNull();
});
