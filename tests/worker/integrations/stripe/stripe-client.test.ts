// The calls to Stripe below the domain: the emulator as the tests reach it, the classification of the SDK's errors, and key verification.
import { env } from 'cloudflare:workers';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { newStripeAccount, platformStripeAccount, stripeEmulatorUrl } from '#tests/support/stripe';
import { verifySecretKey } from '#worker/domains/integrations/stripe/connect/verify-secret-key';
import { stripeFailureOf } from '#worker/domains/integrations/stripe/integration/stripe-failure';
import type { ApiError } from '#worker/http/api-error';
import type { StripeClient } from '#worker/platform/stripe';

const error = (statusCode: number, more: object = {}) =>
  Stripe.errors.StripeError.generate({ statusCode, type: 'invalid_request_error', ...more } as never);
const lacksPermission = error(403, {
  message:
    "The provided key 'rk_test_*****' does not have the required permissions for this endpoint on account 'acct_1Ab2'. Having the 'rak_customer_read' permission would allow this request to continue.",
});

test.each([
  [error(401), { kind: 'key-refused' }],
  [lacksPermission, { kind: 'not-allowed', permission: 'rak_customer_read', accountId: 'acct_1Ab2' }],
  [error(404, { code: 'resource_missing' }), { kind: 'missing' }],
  [error(400, { code: 'resource_missing', param: 'starting_after' }), { kind: 'missing' }],
  [error(429, { headers: { 'retry-after': '7' } }), { kind: 'busy', retryAfterMs: 7_000 }],
  [error(429, { headers: { 'retry-after': 'soon' } }), { kind: 'busy', retryAfterMs: null }],
  [error(429), { kind: 'busy', retryAfterMs: null }],
  [error(429, { headers: { 'retry-after': '86400' } }), { kind: 'busy', retryAfterMs: 900_000 }],
  [error(400, { message: 'Invalid url' }), { kind: 'invalid', message: 'Invalid url' }],
  [error(500), { kind: 'unavailable' }],
  [error(503), { kind: 'unavailable' }],
  [new Stripe.errors.StripeConnectionError({ message: 'Reset' } as never), { kind: 'unavailable' }],
  [new TypeError('Ours'), null],
  ['a text', null],
])('%s is classified', (thrown, failure) => {
  expect(stripeFailureOf(thrown)).toEqual(failure);
});

/** A client that may only read the given resources. */
function stripeFor(allowed: readonly string[]): StripeClient {
  const list = (name: string) => ({
    list: async () => {
      if (allowed.includes(name)) return { data: [{ livemode: false }] };
      throw lacksPermission;
    },
  });
  return {
    accounts: {
      retrieveCurrent: async () => {
        if (allowed.includes('account'))
          return { id: 'acct_1Ab2', settings: { dashboard: { display_name: 'Acme' } } };
        throw lacksPermission;
      },
    },
    customers: list('customers'),
    products: list('products'),
    subscriptions: list('subscriptions'),
  } as unknown as StripeClient;
}

test('a restricted key without a needed permission is rejected, and the message names the permission', async () => {
  const refused = await verifySecretKey(stripeFor(['account', 'products']), false).catch(
    (thrown: ApiError) => thrown,
  );
  expect(refused).toMatchObject({
    errorType: 'invalid-request',
    message: expect.stringContaining('cannot read customers, subscriptions'),
    detail: { issues: [{ path: 'secretKey', message: 'Invalid Secret Key' }] },
  });
});

test('the account of a restricted key that may not read it is taken from Stripe’s error', async () => {
  const all = ['customers', 'products', 'subscriptions'];
  expect(await verifySecretKey(stripeFor(all), false)).toEqual({ id: 'acct_1Ab2', name: null });
  expect(await verifySecretKey(stripeFor([...all, 'account']), false)).toEqual({
    id: 'acct_1Ab2',
    name: 'Acme',
  });
});

test('a key with objects of another mode is rejected', async () => {
  const all = ['account', 'customers', 'products', 'subscriptions'];
  await expect(verifySecretKey(stripeFor(all), true)).rejects.toMatchObject({ errorType: 'invalid-request' });
});

test('the Worker and its tests talk to the same emulator', async () => {
  expect(env.STRIPE_API_BASE).toBe(stripeEmulatorUrl());
  const account = await newStripeAccount('Own account');
  expect((await account.stripe.accounts.retrieveCurrent()).id).toBe(account.id);
});

test('the platform account has the prices of Grow under their lookup keys', async () => {
  const { stripe } = await platformStripeAccount();
  const prices = await stripe.prices.list({ lookup_keys: ['tessera_grow_base', 'tessera_grow_usage'] });
  expect(prices.data.map(({ lookup_key }) => lookup_key).sort()).toEqual([
    'tessera_grow_base',
    'tessera_grow_usage',
  ]);
});

test('a test fetches the deliveries of its account and hands them over itself', async () => {
  const account = await newStripeAccount();
  const { secret } = await account.stripe.webhookEndpoints.create({
    url: 'https://tessera.example/hook',
    enabled_events: ['customer.created'],
  });
  const customer = await account.stripe.customers.create({ email: 'ada@customers.example' });
  const received: string[] = [];
  const delivered = await account.deliver(async (request) => {
    const event = await account.stripe.webhooks.constructEventAsync(
      await request.text(),
      request.headers.get('stripe-signature') ?? '',
      secret ?? '',
    );
    received.push((event.data.object as { id: string }).id);
    return new Response(null, { status: 204 });
  });
  expect([delivered, received]).toEqual([1, [customer.id]]);
  expect(await account.deliveries({ status: 'pending' })).toEqual([]);
});
