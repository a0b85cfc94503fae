// Events of a connected account: whatever order they come in and however often, what Stripe says now is what is held.
import { expect, test } from 'vitest';
import { connectedTenant, expectSameAsStripe } from '#tests/support/stripe-integrations';

test('an event is received, worked on, and what Stripe says now is held', async () => {
  const connected = await connectedTenant();
  const { account } = connected;
  const { priceId } = await account.newProduct('Gold');
  const customer = await account.stripe.customers.create({ email: 'Ada@Example.com', name: 'Ada' });
  await account.stripe.subscriptions.create({ customer: customer.id, items: [{ price: priceId }] });
  expect(await connected.deliver()).toBeGreaterThan(2);
  await expectSameAsStripe(connected);
  const { firstEventAt, productCount } = await connected.read();
  expect(firstEventAt).not.toBeNull();
  expect(productCount).toBe(1);
});
