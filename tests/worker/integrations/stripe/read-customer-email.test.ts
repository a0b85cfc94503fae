// An email that Stripe has is read as identifiers are, so it is an alias under the same conditions as elsewhere.
import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { kindOf } from '#worker/domains/customer-facts/load-customer-facts';
import { readCustomer } from '#worker/domains/integrations/stripe/sync/read-objects';
import type { StripeClient } from '#worker/platform/stripe';

const NO_STRIPE = {} as StripeClient;

async function emailOf(email: string | null): Promise<string | null> {
  const object = {
    id: 'cus_1',
    object: 'customer',
    email,
    name: null,
    livemode: true,
    metadata: {},
    created: 1,
  };
  const subscriptions = { data: [], has_more: false };
  const read = await readCustomer(NO_STRIPE, { ...object, subscriptions } as unknown as Stripe.Customer);
  return read.email;
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
