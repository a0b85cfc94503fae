// What Stripe has is read as identifiers and names are elsewhere: under the same conditions an email is an alias, and a name is shown.
import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { kindOf } from '#worker/domains/customer-facts/load-customer-facts';
import { readCustomer, readProduct } from '#worker/domains/integrations/stripe/sync/read-objects';
import type { StripeClient } from '#worker/platform/stripe';

const NO_STRIPE = {} as StripeClient;

const emailOf = async (email: string | null) => (await read({ email })).email;

async function read(changes: Partial<Stripe.Customer>) {
  const object = {
    id: 'cus_1',
    object: 'customer',
    email: null,
    name: null,
    livemode: true,
    metadata: {},
    created: 1,
  };
  const subscriptions = { data: [], has_more: false };
  return readCustomer(NO_STRIPE, { ...object, subscriptions, ...changes } as unknown as Stripe.Customer);
}

test.each([
  ['Ada@Example.com', 'ada@example.com'],
  ['JOSE\u0301@example.com', 'josé@example.com'],
  ['', null],
  [null, null],
])('the email %j is stored as %j', async (email, stored) => {
  expect(await emailOf(email)).toBe(stored);
});

test.each(['\u212aate@example.com', ' ada@example.com', 'İda@example.com'])(
  'the email %j is shown as Stripe has it, and is nobody’s alias',
  async (email) => {
    expect(await emailOf(email)).toBe(email);
    expect(kindOf(email)).toBe('other');
  },
);

test.each(['', ' ', '\u200b', '\u3164'])(
  'the name %j shows nothing, so customer and product have none',
  async (name) => {
    expect((await read({ name })).name).toBeNull();
    expect(readProduct({ id: 'prod_1', name, created: 1 } as Stripe.Product).name).toBe('prod_1');
  },
);
