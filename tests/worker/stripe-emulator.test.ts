// The tests' way to the Stripe emulator, from inside workerd.
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newStripeAccount, platformStripeAccount, stripeEmulatorUrl } from '#tests/support/stripe';

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
