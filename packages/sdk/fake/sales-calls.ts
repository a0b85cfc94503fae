/** Selling to customers in memory: Stripe is not part of the fake server, so no price is sold, and nobody has paid. */
import { invalidField, Refusal } from '#engine/access/api-error';
import { readIdentifierSegment } from '#engine/identity/identifier-segment';
import { amount, ensureRules, opaque, type Rules, text } from './body-rules.ts';
import { getCustomer } from './customer-changes.ts';
import { CALL_LIMITS, type FakeRoute } from './fake-route.ts';

const idempotencyKey = opaque;
const CHECKOUT = { price: text, quantity: amount(1), successUrl: text, cancelUrl: text, idempotencyKey };

const salesRoute = (
  name: string,
  rules: Rules,
  needed: readonly string[],
  refuse: () => Error,
): FakeRoute => ({
  method: 'POST',
  path: `/api/v1/customers/:customer/${name}`,
  limits: CALL_LIMITS,
  managingKeyOnly:
    'Opening pages for customers requires a secret key with the permission to manage customers',
  ensureBody: (body) => ensureRules(body, rules, needed),
  async answer(api, { params }) {
    getCustomer(api, readIdentifierSegment(params.customer ?? ''));
    throw refuse();
  },
});

export const SALES_CALLS: readonly FakeRoute[] = [
  salesRoute('checkout', CHECKOUT, ['price', 'successUrl'], () =>
    invalidField('price', 'Gives no plan of the deployed version, and is no top-up', 'price-not-sold'),
  ),
  salesRoute(
    'portal',
    { returnUrl: text, idempotencyKey },
    ['returnUrl'],
    () => new Refusal('conflict', 'stripe-customer-needed', 'The customer is nobody in Stripe yet'),
  ),
];
