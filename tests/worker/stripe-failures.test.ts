// What Stripe's refusals mean, read from the SDK's own errors; and what a key that may do too little is told.
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { stripeFailureOf } from '#worker/domains/integrations/stripe/stripe-failure';
import { verifySecretKey } from '#worker/domains/integrations/stripe/verify-secret-key';
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
])('%s is understood', (thrown, failure) => {
  expect(stripeFailureOf(thrown)).toEqual(failure);
});

/** Stripe as a restricted key sees it. */
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
    ...{ customers: list('customers'), products: list('products'), subscriptions: list('subscriptions') },
  } as unknown as StripeClient;
}

test('a restricted key that may not read everything needed is told what it lacks', async () => {
  const refused = await verifySecretKey(stripeFor(['account', 'products']), false).catch(
    (thrown: ApiError) => thrown,
  );
  expect(refused).toMatchObject({
    errorType: 'invalid-request',
    message: expect.stringContaining('may not read customers, subscriptions'),
    detail: { issues: [{ path: 'secretKey', message: 'Invalid Secret Key' }] },
  });
});

test('a restricted key that may not read its account is known by what Stripe says of it', async () => {
  const all = ['customers', 'products', 'subscriptions'];
  expect(await verifySecretKey(stripeFor(all), false)).toEqual({ id: 'acct_1Ab2', name: null });
  expect(await verifySecretKey(stripeFor([...all, 'account']), false)).toEqual({
    id: 'acct_1Ab2',
    name: 'Acme',
  });
});

test('a key whose objects are of another mode is refused', async () => {
  const all = ['account', 'customers', 'products', 'subscriptions'];
  await expect(verifySecretKey(stripeFor(all), true)).rejects.toMatchObject({ errorType: 'invalid-request' });
});
