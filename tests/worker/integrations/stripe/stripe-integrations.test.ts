// Connecting a Stripe account: only a working key is accepted, it is never exposed again, and deleting the
// integration leaves nothing here or in Stripe.
import { env, exports } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import {
  ALL_STRIPE_EVENTS,
  MAX_STRIPE_INTEGRATIONS,
  type StripeIntegration,
} from '#contracts/console/stripe';
import type { ErrorBody } from '#contracts/public/errors';
import type { QueueMessage } from '#runtime/messages';
import { ORIGIN } from '#tests/support/accounts';
import { eventually } from '#tests/support/eventually';
import { expectRefused } from '#tests/support/refusals';
import { auditTrail } from '#tests/support/stored-state';
import { newStripeAccount } from '#tests/support/stripe';
import { connectedTenant } from '#tests/support/stripe-integrations';
import { deliver, newTenant, type Tenant } from '#tests/support/tenants';
import { deleteStripeIntegration } from '#worker/domains/integrations/stripe/connect/delete-integration';
import { workContext } from '#worker/http/make-work-context';

const base = '/integrations/stripe';
const connect = (tenant: Tenant, secretKey: string, more: object = {}) =>
  tenant.call<StripeIntegration & ErrorBody>('POST', base, { secretKey, ...more });

test('a key is accepted after Stripe confirms its account, and is shown masked only', async () => {
  const [tenant, account] = await Promise.all([newTenant(), newStripeAccount('Acme Ltd')]);
  const { secretKey, accountId } = account.keys;
  const made = await connect(tenant, secretKey, { quickStart: true });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    accountId,
    name: 'Acme Ltd',
    testMode: true,
    maskedKey: `sk_test_…${secretKey.slice(-4)}`,
    hasWebhook: false,
    quickStart: true,
    trouble: null,
    syncJobs: [],
    lastSyncJobReport: null,
    customerCount: 0,
  });
  expect(made.body.webhook).toEqual({
    url: `${ORIGIN}/api/webhooks/stripe/${made.body.id}`,
    events: [...ALL_STRIPE_EVENTS],
  });
  expect(JSON.stringify(made.body)).not.toContain(secretKey);
  expect(await tenant.make('GET', base)).toEqual([made.body]);
  expect(await auditTrail(tenant)).toContainEqual({
    action: 'stripe-integration.created',
    targetId: made.body.id,
  });
});

test('a restricted key with the needed permissions is accepted', async () => {
  const [tenant, account] = await Promise.all([newTenant(), newStripeAccount()]);
  expect((await connect(tenant, account.keys.restrictedKey)).status).toBe(201);
});

test.each([
  ['is not one of Stripe', 'sk_test_emulator_nobody1234'],
  ['is publishable', 'pk_test_emulator_nobody1234'],
  ['is no key at all', 'correct-horse-battery'],
])('a key that %s is rejected as Invalid Secret Key, and nothing is stored', async (_, secretKey) => {
  const tenant = await newTenant();
  const issues = await expectRefused(tenant, 400, 'POST', base, { secretKey });
  expect(issues).toEqual(['secretKey: Invalid Secret Key']);
  expect(await tenant.make('GET', base)).toEqual([]);
});

test('an expired key is rejected', async () => {
  const [tenant, account] = await Promise.all([newTenant(), newStripeAccount()]);
  expect(await expectRefused(tenant, 400, 'POST', base, { secretKey: account.keys.expiredKey })).toEqual([
    'secretKey: Invalid Secret Key',
  ]);
});

test('a too short key gets the message of its field', async () => {
  const tenant = await newTenant();
  expect(await expectRefused(tenant, 400, 'POST', base, { secretKey: 'sk_test' })).toEqual([
    'secretKey: Secret key must be at least 10 characters.',
  ]);
});

test('an account can be connected once per mode', async () => {
  const [tenant, account] = await Promise.all([newTenant(), newStripeAccount()]);
  const { secretKey, restrictedKey, liveSecretKey } = account.keys;
  expect((await connect(tenant, secretKey)).status).toBe(201);
  expect(await expectRefused(tenant, 409, 'POST', base, { secretKey: restrictedKey })).toEqual([
    'secretKey: This Stripe account is already connected in test mode',
  ]);
  const live = await connect(tenant, liveSecretKey);
  expect(live.body).toMatchObject({ testMode: false });
});

test('the limit of integrations holds under concurrent creation', async () => {
  const tenant = await newTenant();
  const accounts = await Promise.all(
    Array.from({ length: MAX_STRIPE_INTEGRATIONS + 2 }, () => newStripeAccount()),
  );
  const answers = await Promise.all(accounts.map(({ keys }) => connect(tenant, keys.secretKey)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_STRIPE_INTEGRATIONS);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  expect(await tenant.make<unknown[]>('GET', base)).toHaveLength(MAX_STRIPE_INTEGRATIONS);
});

test.each([
  ['is down', { isDown: true }],
  ['answers with failures', { failNext: 10 }],
  ['asks for fewer requests', { refuseNext: 10 }],
])('while Stripe %s nothing is stored, and the response says why', async (_, faults) => {
  const [tenant, account] = await Promise.all([newTenant(), newStripeAccount()]);
  await account.setFaults(faults);
  const answer = await connect(tenant, account.keys.secretKey);
  expect(answer.status).toBe(503);
  expect(answer.body.message).toContain('Stripe cannot be reached');
  expect(await tenant.make('GET', base)).toEqual([]);
  await account.clearFaults();
  expect((await connect(tenant, account.keys.secretKey)).status).toBe(201);
});

test('neither key nor signing secret is in plain text in storage, responses or logs', async () => {
  const lines: string[] = [];
  for (const level of ['info', 'log', 'debug'] as const) {
    vi.spyOn(console, level).mockImplementation((...values) => void lines.push(values.map(String).join(' ')));
  }
  const connected = await connectedTenant();
  const { tenant, account, path } = connected;
  await account.stripe.customers.create({ email: 'ada@example.com' });
  const [delivery] = await account.deliveries();
  await connected.deliver();
  await connected.sync();
  await account.expireKey(account.keys.secretKey);
  await connected.sync();
  await account.restoreKey(account.keys.secretKey);
  const answers = JSON.stringify([await tenant.make('GET', base), await tenant.make('GET', path)]);
  vi.restoreAllMocks();

  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
  ).all<{ name: string }>();
  const dump = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`)));
  const stored = JSON.stringify(dump.map(({ results }) => results));
  expect(stored).toContain(connected.integration.id);
  const [endpoint] = (await account.stripe.webhookEndpoints.list()).data;
  expect(delivery?.endpointId).toBe(endpoint?.id);
  for (const text of [stored, answers, lines.join('\n')]) {
    expect(text).not.toContain(account.keys.secretKey);
    expect(text).not.toMatch(/\b(?:sk|rk)_(?:test|live)_\w{8,}/);
    expect(text).not.toMatch(/\bwhsec_\w/);
  }
});

test("another organisation's integration is a 404", async () => {
  const [connected, stranger] = await Promise.all([connectedTenant(), newTenant()]);
  const { path, account } = connected;
  const calls: [string, string, unknown?][] = [
    ['GET', path],
    ['PUT', path, { name: 'Mine now' }],
    ['PUT', path, { secretKey: account.keys.restrictedKey }],
    ['POST', `${path}/webhook`, { mode: 'automatic' }],
    ['POST', `${path}/sync-jobs`, { type: 'stripe-customer' }],
    ['GET', `${path}/customers`],
    ['GET', `${path}/products`],
    ['DELETE', path],
  ];
  for (const [method, at, body] of calls) {
    const answer = await stranger.call<ErrorBody>(method, at, body);
    expect([method, at, answer.status]).toEqual([method, at, 404]);
    expect(answer.body.message).toBe('The integration could not be found');
  }
  expect(await stranger.make('GET', base)).toEqual([]);
  expect(await connected.read()).toMatchObject({ name: connected.integration.name, hasWebhook: true });
});

test('name, description and skipped steps can be changed; of two concurrent edits one is a conflict', async () => {
  const { tenant, path, integration } = await connectedTenant({ webhook: false });
  const changed = await tenant.make<StripeIntegration>('PUT', path, {
    name: 'Our shop',
    description: 'Where we sell',
    initialSyncSkipped: true,
    updatedAt: integration.updatedAt,
  });
  expect(changed).toMatchObject({
    name: 'Our shop',
    description: 'Where we sell',
    initialSyncSkipped: true,
    quickstartWaitForEventSkipped: false,
  });
  const late = await tenant.call<ErrorBody>('PUT', path, { name: 'Late', updatedAt: integration.updatedAt });
  expect(late.status).toBe(409);
  expect(late.body.current).toMatchObject({ name: 'Our shop' });
});

test('a key can be replaced only by one of the same account and mode', async () => {
  const { tenant, path, account } = await connectedTenant();
  const other = await newStripeAccount();
  expect(await expectRefused(tenant, 400, 'PUT', path, { secretKey: account.keys.liveSecretKey })).toEqual([
    'secretKey: This integration uses test mode, but the key is for the other mode',
  ]);
  expect(await expectRefused(tenant, 400, 'PUT', path, { secretKey: other.keys.secretKey })).toEqual([
    'secretKey: This key belongs to a different Stripe account',
  ]);
  const changed = await tenant.make<StripeIntegration>('PUT', path, {
    secretKey: account.keys.restrictedKey,
  });
  expect(changed.maskedKey).toBe(`rk_test_…${account.keys.restrictedKey.slice(-4)}`);
});

test('a webhook that is created again replaces the previous one', async () => {
  const connected = await connectedTenant();
  const { tenant, path, account } = connected;
  const [first] = (await account.stripe.webhookEndpoints.list()).data;
  await account.stripe.customers.create({ name: 'In between' });
  const [signedBefore] = await account.deliveries();
  await tenant.make('POST', `${path}/webhook`, { mode: 'automatic' });
  const [second, ...others] = (await account.stripe.webhookEndpoints.list()).data;
  expect(others).toEqual([]);
  expect(second?.id).not.toBe(first?.id);
  expect([...(second?.enabled_events ?? [])].sort()).toEqual([...ALL_STRIPE_EVENTS].sort());

  // Webhooks signed with the previous secret are accepted for a while.
  const { url, headers, body } = signedBefore?.request ?? { url: '', headers: {}, body: '' };
  const late = await exports.default.fetch(new Request(url, { method: 'POST', headers, body }));
  expect(late.status).toBe(200);
  await account.stripe.customers.create({ name: 'Afterwards' });
  await connected.deliver();
  expect(await connected.read()).toMatchObject({ customerCount: 2 });
});

test('of two concurrent webhook creations one succeeds, and its events are accepted', async () => {
  const connected = await connectedTenant({ webhook: false });
  const { tenant, path, account } = connected;
  const press = () => tenant.call('POST', `${path}/webhook`, { mode: 'automatic' });
  const statuses = (await Promise.all([press(), press()])).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
  expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
  expect((await account.stripe.webhookEndpoints.list()).data).toHaveLength(1);
  await account.stripe.customers.create({ name: 'Ada' });
  expect(await connected.deliver()).toBe(1);
  expect(await connected.read()).toMatchObject({ customerCount: 1 });
});

test('a key that may not create a webhook gets an error; the webhook can be added manually', async () => {
  const [tenant, account] = await Promise.all([newTenant(), newStripeAccount()]);
  const made = await tenant.make<StripeIntegration>('POST', base, { secretKey: account.keys.readOnlyKey });
  const path = `${base}/${made.id}`;
  const refused = await tenant.call<ErrorBody>('POST', `${path}/webhook`, { mode: 'automatic' });
  expect(refused.status).toBe(400);
  expect(refused.body.message).toContain('add the webhook manually');

  const endpoint = await account.stripe.webhookEndpoints.create({
    url: made.webhook.url,
    enabled_events: ['customer.created'],
  });
  const added = await tenant.make<StripeIntegration>('POST', `${path}/webhook`, {
    mode: 'manual',
    signingSecret: endpoint.secret,
  });
  expect(added).toMatchObject({ hasWebhook: true, webhookManuallyAdded: true });
  await account.stripe.customers.create({ name: 'By hand' });
  await account.deliver((request) => exports.default.fetch(request));
  await eventually(async () => {
    expect(await tenant.make('GET', path)).toMatchObject({ customerCount: 1 });
  });
});

test('a deleted integration is removed here and in Stripe, including its key', async () => {
  const connected = await connectedTenant();
  const { tenant, path, account, integration } = connected;
  await account.seed({ count: 120 });
  await connected.sync();
  expect(await tenant.call('DELETE', path)).toMatchObject({ status: 204 });
  expect((await tenant.call('GET', path)).status).toBe(404);
  expect((await tenant.call('DELETE', path)).status).toBe(404);
  expect(await tenant.make('GET', base)).toEqual([]);
  expect((await account.stripe.webhookEndpoints.list()).data).toEqual([]);

  await eventually(async () => {
    const left = await env.DB.prepare(
      'SELECT count(*) AS total FROM stripe_customer WHERE integration_id = ?',
    )
      .bind(integration.id)
      .first<{ total: number }>();
    expect(left?.total).toBe(0);
  });
  const row = await env.DB.prepare('SELECT * FROM stripe_integration WHERE id = ?')
    .bind(integration.id)
    .first();
  expect(row).toMatchObject({ secret_key: null, webhook_secret: null, previous_webhook_secret: null });
  expect(await auditTrail(tenant)).toContainEqual({
    action: 'stripe-integration.deleted',
    targetId: integration.id,
  });
  expect((await connect(tenant, account.keys.secretKey)).status).toBe(201);
});

test('a webhook that is added while the integration is being deleted is removed in Stripe', async () => {
  const { tenant, path, account, integration } = await connectedTenant({ webhook: false });
  const batch = env.DB.batch.bind(env.DB);
  const { promise: isCommitting, resolve: committing } = Promise.withResolvers<void>();
  const { promise: isAdded, resolve: added } = Promise.withResolvers<void>();
  // The deletion has read the integration without a webhook, and is about to commit.
  const spied = vi.spyOn(env.DB, 'batch').mockImplementationOnce(async (statements) => {
    committing();
    await isAdded;
    return batch(statements) as never;
  });
  const scope = { orgId: tenant.orgId, actor: null };
  const deletion = deleteStripeIntegration(workContext(env, Date.now), scope, integration.id);
  await isCommitting;
  spied.mockRestore();
  await tenant.make('POST', `${path}/webhook`, { mode: 'automatic' });
  expect((await account.stripe.webhookEndpoints.list()).data).toHaveLength(1);
  added();
  await deletion;
  expect((await account.stripe.webhookEndpoints.list()).data).toEqual([]);
  const row = await env.DB.prepare('SELECT secret_key FROM stripe_integration WHERE id = ?')
    .bind(integration.id)
    .first();
  expect(row).toEqual({ secret_key: null });
});

test('an integration can be deleted while Stripe is down; its webhook is deleted when Stripe is back', async () => {
  const { tenant, path, account, integration } = await connectedTenant();
  await account.setFaults({ isDown: true });
  expect((await tenant.call('DELETE', path)).status).toBe(204);
  const keyOf = async () =>
    (
      await env.DB.prepare('SELECT secret_key AS secretKey FROM stripe_integration WHERE id = ?')
        .bind(integration.id)
        .first<{ secretKey: string | null }>()
    )?.secretKey;
  expect(await keyOf()).not.toBeNull();
  const message = await eventually(async () => {
    const { results } = await env.DB.prepare(
      "SELECT payload FROM outbox WHERE org_id = ? AND type = 'stripe.integration-deleted' AND sent_at > ?",
    )
      .bind(tenant.orgId, Date.now())
      .all<{ payload: string }>();
    expect(results).toHaveLength(1);
    return JSON.parse(results[0]?.payload ?? '') as QueueMessage;
  });
  await account.clearFaults();
  expect((await account.stripe.webhookEndpoints.list()).data).toHaveLength(1);

  await deliver('tessera-sync', [message]);
  expect((await account.stripe.webhookEndpoints.list()).data).toEqual([]);
  expect(await keyOf()).toBeNull();
});
