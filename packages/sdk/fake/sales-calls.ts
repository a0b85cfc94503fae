/** Selling to customers in memory: Stripe is not part of the fake server, so no price is sold, and nobody has paid. */
import { invalidField, Refusal } from '#engine/access/api-error';
import { readIdentifierSegment } from '#engine/identity/identifier-segment';
import { amount, ensureRules, type Fields, opaque, text } from './body-rules.ts';
import { getCustomer } from './customer-changes.ts';
import { CALL_LIMITS, type FakeRoute } from './fake-route.ts';

const idempotencyKey = opaque;
const CHECKOUT = { price: text, quantity: amount(1), successUrl: text, cancelUrl: text, idempotencyKey };

const salesRoute = (name: string, refuse: () => Error, ensureBody?: (body: Fields) => void): FakeRoute => ({
  method: ensureBody ? 'POST' : 'GET',
  path: `/api/v1/customers/:customer/${name}`,
  limits: CALL_LIMITS,
  managingKeyOnly: 'Selling to customers requires a secret key with the permission to manage customers',
  ...(ensureBody && { ensureBody }),
  async answer(api, { params }) {
    getCustomer(api, readIdentifierSegment(params.customer ?? ''));
    throw refuse();
  },
});
const notSold = () =>
  invalidField('price', 'Gives no plan of the deployed version, and is no top-up', 'price-not-sold');

export const SALES_CALLS: readonly FakeRoute[] = [
  salesRoute('checkout', notSold, (body) => ensureRules(body, CHECKOUT, ['price', 'successUrl'])),
  salesRoute('preview', notSold),
  salesRoute(
    'portal',
    () => new Refusal('conflict', 'stripe-customer-needed', 'The customer is nobody in Stripe yet'),
    (body) => ensureRules(body, { returnUrl: text, idempotencyKey }, ['returnUrl']),
  ),
];
