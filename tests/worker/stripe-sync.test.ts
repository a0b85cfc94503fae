// Reading all customers and products of a connected account: complete, once each, and in step with what Stripe says.
import { expect, test } from 'vitest';
import { connectedTenant, expectSameAsStripe, listedCustomers } from '#tests/support/stripe-integrations';

test('a sync reads every customer with its subscriptions, and every product', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  const { priceId } = await account.newProduct('Gold');
  await account.seed({ count: 250, prices: [priceId], subscribeEvery: 2 });
  await account.forgetRequests();

  expect(await connected.sync()).toMatchObject({
    status: 'finished',
    processed: 250,
    failed: 0,
    error: null,
  });
  expect((await account.requests()).counts['GET /v1/customers']).toBe(3);
  await expectSameAsStripe(connected);
  expect(await listedCustomers(connected)).toHaveLength(250);

  expect(await connected.sync('stripe-product')).toMatchObject({ status: 'finished', processed: 1 });
  expect(await connected.read()).toMatchObject({ customerCount: 250, productCount: 1 });
});
