// Every state that a subscription can be in at Stripe, and what a check of its customer answers: from Stripe's object through what is
// stored and the customer's facts to the plans and values.
import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import type { SubscriptionFacts } from '#contracts/internal/customer-facts';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { prepare } from '#engine/entitlements/prepare';
import { resolvedValue } from '#engine/entitlements/resolve';
import { readCustomer } from '#worker/domains/integrations/stripe/sync/read-objects';
import type { StripeClient } from '#worker/platform/stripe';

const now = 1_800_000_000;
const later = now + 86_400;

/** Team: 5 seats, times the quantity of its product. Add-on: 10 seats, by one of its prices, whatever the quantity. */
const prepared = prepare(
  compileArtifact({
    features: [{ id: 'feat', slug: 'team', name: 'Team', description: null }],
    properties: [
      {
        id: 'seats',
        featureId: 'feat',
        key: 'seats',
        name: 'Seats',
        description: null,
        type: 'number',
        value: 1,
        bounds: null,
        conflictResolution: 'higher',
        isSystem: false,
      },
    ],
    plans: ['team', 'add-on'].map((slug) => ({
      id: slug,
      slug,
      name: slug,
      description: null,
      grantToAnonymousSessions: false,
      grantToAuthenticatedUsers: false,
      isAddOn: false,
    })),
    planValues: [
      { planId: 'team', featureId: 'feat', propertyId: 'seats', value: 5 },
      { planId: 'add-on', featureId: 'feat', propertyId: 'seats', value: 10 },
    ],
    planProducts: [
      { planId: 'team', integrationId: 'int', productId: 'prod_team', timesQuantity: true },
      { planId: 'add-on', integrationId: 'int', productId: 'prod_add', priceId: 'price_monthly' },
    ],
    workflows: [],
    limitOrder: 'rate',
  }),
);

const statuses = [
  ...(['active', 'trialing', 'past_due', 'incomplete', 'incomplete_expired'] as const),
  ...(['unpaid', 'paused', 'canceled', 'a status of tomorrow'] as const),
];
const pauses = [
  null,
  { behavior: 'void', resumes_at: null },
  { behavior: 'mark_uncollectible', resumes_at: later },
  { behavior: 'keep_as_draft', resumes_at: null },
];
const trials = [null, now - 1, later];
const ends = [
  { cancel_at_period_end: false, cancel_at: null },
  { cancel_at_period_end: true, cancel_at: later },
  { cancel_at_period_end: false, cancel_at: later },
];
const item = (product: string, price: string, quantity: number | undefined) => ({
  id: `si_${price}`,
  price: { id: price, product },
  quantity,
  current_period_start: now,
  current_period_end: later,
});
const itemLists = [
  { items: [], seats: 1, plans: [] },
  { items: [item('prod_team', 'price_team', 1)], seats: 5, plans: ['team'] },
  { items: [item('prod_team', 'price_team', 7)], seats: 35, plans: ['team'] },
  { items: [item('prod_team', 'price_metered', undefined)], seats: 5, plans: ['team'] },
  { items: [item('prod_team', 'price_team', 0)], seats: 0, plans: ['team'] },
  {
    items: [item('prod_team', 'price_team', 1), item('prod_add', 'price_monthly', 3)],
    seats: 10,
    plans: ['add-on', 'team'],
  },
  {
    items: [item('prod_team', 'price_team', 3), item('prod_add', 'price_yearly', 3)],
    seats: 15,
    plans: ['team'],
  },
  {
    items: [item('prod_team', 'price_team', 2), item('prod_team', 'price_team_yearly', 4)],
    seats: 20,
    plans: ['team'],
  },
];

/** Today's rule: what Stripe collects for grants, and a pause of collection changes nothing. */
const granting = ['active', 'trialing', 'past_due'];

async function answerOf(subscription: object) {
  const customer = { id: 'cus_1', livemode: true, created: now, subscriptions: { data: [subscription] } };
  const read = await readCustomer({} as StripeClient, customer as unknown as Stripe.Customer);
  const subscriptions = read.subscriptions.map(
    (each): SubscriptionFacts => ({ ...each, integrationId: 'int', livemode: true }),
  );
  const stripe = { integrationId: 'int', customerId: 'cus_1', email: null, isNamedByEmail: false };
  const facts = { version: 1, grants: [], overrides: [], stripe: { ...stripe, subscriptions } };
  const { resolution } = applyFacts(prepared, { isAuthenticated: true }, facts, 'live', now * 1000);
  const [seats] = prepared.properties;
  return {
    plans: resolution.planSlugs,
    seats: seats && resolvedValue(resolution, seats),
    pause: subscriptions[0]?.pauseCollection,
    items: subscriptions[0]?.items?.length,
  };
}

describe.for(statuses)('a subscription that is %s', (status) => {
  const isGranting = granting.includes(status);
  test.for(itemLists)('with the items $items gives $seats seats if it grants', async (list) => {
    for (const pause of pauses) {
      for (const trial_end of trials) {
        for (const end of ends) {
          const items = { data: list.items };
          const subscription = { id: 'sub_1', status, items, pause_collection: pause, trial_end, ...end };
          expect(await answerOf(subscription)).toEqual({
            plans: isGranting ? list.plans : [],
            seats: isGranting ? list.seats : 1,
            pause: pause && {
              behavior: pause.behavior,
              resumesAt: pause.resumes_at && pause.resumes_at * 1000,
            },
            items: list.items.length,
          });
        }
      }
    }
  });
});
