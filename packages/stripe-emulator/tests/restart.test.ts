// Persistence of the emulator's database file, and its demo data.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startStripeEmulator } from '../start-stripe-emulator.ts';
import { emulatorKit, newPlan, sdkFor } from './own-emulator.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-emulator-'));
const path = join(folder, 'emulator.sqlite');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('accounts, objects, pending deliveries and idempotent responses survive a restart', async () => {
  const first = await startStripeEmulator({ path, sendsWebhooks: false });
  const { stripe, keys } = emulatorKit(() => first).account();
  await stripe.webhookEndpoints.create({ url: 'https://tessera.example/hook', enabled_events: ['*'] });
  const { price } = await newPlan(stripe);
  const customer = await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'once' });
  await stripe.subscriptions.create({ customer: customer.id, items: [{ price }] });
  await first.stop();

  const second = await startStripeEmulator({ path, sendsWebhooks: false });
  const again = sdkFor(second.url, keys.secretKey);
  expect((await again.subscriptions.list({ customer: customer.id })).data).toMatchObject([
    { status: 'active' },
  ]);
  expect((await again.customers.create({ name: 'Ada' }, { idempotencyKey: 'once' })).id).toBe(customer.id);
  const kit = emulatorKit(() => second);
  const waiting = await kit.control<{ eventType: string }[]>(
    'GET',
    `/accounts/${keys.accountId}/deliveries?status=pending`,
  );
  expect(waiting.map(({ eventType }) => eventType)).toContain('customer.subscription.created');
  await second.stop();
});

test('the demo data is created once, with 12 products and 250 customers in test and live mode', async () => {
  const demo = join(folder, 'demo.sqlite');
  for (const run of ['first', 'second']) {
    const webhook = { url: `http://localhost:4001/${run}`, secret: 'whsec_emulator_tests' };
    const emulator = await startStripeEmulator({ path: demo, hasDemoAccounts: true, platform: { webhook } });
    for (const key of ['sk_test_emulator_acme', 'sk_live_emulator_acme']) {
      const stripe = sdkFor(emulator.url, key);
      const customers = await stripe.customers.list({ limit: 100 }).autoPagingToArray({ limit: 1000 });
      const subscriptions = await stripe.subscriptions
        .list({ status: 'all', limit: 100 })
        .autoPagingToArray({ limit: 1000 });
      expect((await stripe.products.list({ limit: 100 })).data).toHaveLength(12);
      expect(customers).toHaveLength(250);
      const emails = customers.map(({ email }) => email);
      expect([new Set(emails).size, emails.filter((email) => email === null).length]).toEqual([249, 1]);
      const statuses = new Set(subscriptions.map(({ status }) => status));
      expect([...statuses].sort()).toEqual(['active', 'canceled', 'past_due', 'trialing', 'unpaid']);
      const withoutAny = new Set(subscriptions.map(({ customer }) => customer));
      expect(customers.some(({ id }) => !withoutAny.has(id))).toBe(true);
      expect(subscriptions.some(({ items }) => items.data.length > 1)).toBe(true);
    }
    const platform = sdkFor(emulator.url, 'sk_test_emulator_tessera');
    expect((await platform.webhookEndpoints.list()).data).toMatchObject([{ url: webhook.url }]);
    await emulator.stop();
  }
});

test('the webhooks of connected organisations follow Tessera to another port', async () => {
  const moved = join(folder, 'moved.sqlite');
  const start = (port: number) =>
    startStripeEmulator({
      path: moved,
      sendsWebhooks: false,
      platform: {
        webhook: { url: `http://localhost:${port}/api/webhooks/stripe-billing`, secret: 'whsec_a' },
      },
    });
  const first = await start(4001);
  const { stripe, keys } = emulatorKit(() => first).account();
  const elsewhere = 'https://tessera.example/api/webhooks/stripe/stripe_1';
  for (const url of ['http://localhost:4001/api/webhooks/stripe/stripe_1', elsewhere])
    await stripe.webhookEndpoints.create({ url, enabled_events: ['*'] });
  await first.stop();

  const second = await start(4100);
  const { data } = await sdkFor(second.url, keys.secretKey).webhookEndpoints.list();
  expect(data.map(({ url }) => url).sort()).toEqual([
    'http://localhost:4100/api/webhooks/stripe/stripe_1',
    elsewhere,
  ]);
  await second.stop();
});

test('expired rows are deleted at the next start: responses after one day, events after thirty', async () => {
  const old = join(folder, 'old.sqlite');
  const begun = Date.parse('2026-01-01T00:00:00Z');
  const day = 86_400_000;
  const options = { idempotencyKey: 'once' };
  const first = await startStripeEmulator({ path: old, sendsWebhooks: false, now: () => begun });
  const { stripe, keys } = emulatorKit(() => first).account();
  await stripe.webhookEndpoints.create({ url: 'https://tessera.example/hook', enabled_events: ['*'] });
  const customer = await stripe.customers.create({ name: 'Ada' }, options);
  await first.stop();

  const second = await startStripeEmulator({ path: old, sendsWebhooks: false, now: () => begun + 2 * day });
  const other = await sdkFor(second.url, keys.secretKey).customers.create({ name: 'Grace' }, options);
  expect(other.id).not.toBe(customer.id);
  await second.stop();

  const third = await startStripeEmulator({ path: old, sendsWebhooks: false, now: () => begun + 31 * day });
  const deliveries = await emulatorKit(() => third).control<object[]>(
    'GET',
    `/accounts/${keys.accountId}/deliveries`,
  );
  expect(deliveries).toMatchObject([{ eventType: 'customer.created' }]);
  const events = await sdkFor(third.url, keys.secretKey).events.list();
  expect(events.data).toMatchObject([{ data: { object: { id: other.id } } }]);
  await third.stop();
});
