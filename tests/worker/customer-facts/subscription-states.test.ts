// Every state that a subscription can be in at Stripe, and what a check of its customer answers: from Stripe's object through what is
// stored and the customer's facts to the plans and values.
import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY, type SubscriptionPolicy } from '#contracts/console/subscription-policy';
import type { SubscriptionFacts } from '#contracts/internal/customer-facts';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { DAY_MS } from '#engine/durations';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { explain } from '#engine/entitlements/explain';
import { planSources, withheldPlans } from '#engine/entitlements/plan-sources';
import { prepare } from '#engine/entitlements/prepare';
import { resolvedValue } from '#engine/entitlements/resolve';
import { subscriptionStates } from '#engine/entitlements/subscription-states';
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
  { items: [item('prod_team', 'price_team', 0)], seats: 1, plans: [] },
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

/** Without a policy: what Stripe collects for grants, and a pause of collection changes nothing. */
const granting = ['active', 'trialing', 'past_due'];

interface Circumstances {
  readonly customer?: object;
  readonly policy?: SubscriptionPolicy;
  /** Epoch milliseconds. */
  readonly pastDueAt?: number;
  readonly at?: number;
}

async function answerOf(subscription: object, circumstances: Circumstances = {}) {
  const { policy, pastDueAt, at = now * 1000 } = circumstances;
  const customer = {
    ...{ id: 'cus_1', livemode: true, created: now, subscriptions: { data: [subscription] } },
    ...circumstances.customer,
  };
  const read = await readCustomer({} as StripeClient, customer as unknown as Stripe.Customer);
  const subscriptions = read.subscriptions.map(
    (each): SubscriptionFacts => ({
      ...each,
      ...(pastDueAt === undefined ? {} : { pastDueAt }),
      integrationId: 'int',
      livemode: true,
    }),
  );
  const stripe = { integrationId: 'int', customerId: 'cus_1', email: null, isNamedByEmail: false };
  const facts = { version: 1, grants: [], overrides: [], stripe: { ...stripe, subscriptions } };
  const rules = {
    environmentType: 'live' as const,
    ...(policy === undefined ? {} : { subscriptionPolicies: { int: { ...policy, name: 'Acme' } } }),
  };
  const { resolution, until } = applyFacts(prepared, { isAuthenticated: true }, facts, rules, at);
  const withheld = withheldPlans(prepared, facts, rules, at);
  const sources = planSources(prepared, { isAuthenticated: true }, facts, rules, at);
  const [seats] = prepared.properties;
  return {
    until,
    state: subscriptionStates(facts, rules, at)[0],
    reason: explain(resolution, sources, null, withheld)[0]?.reason,
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
          expect(await answerOf(subscription)).toMatchObject({
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

const SINCE = Date.UTC(2026, 10, 3, 12);
const team = { id: 'sub_1', items: { data: [item('prod_team', 'price_team', 1)] } };

describe('a policy that is the default decides like none', () => {
  test.for(statuses)('%s', async (status) => {
    for (const pause_collection of pauses) {
      for (const pastDueAt of [undefined, SINCE]) {
        const subscription = { ...team, status, pause_collection, trial_end: later };
        const circumstances = pastDueAt === undefined ? {} : { pastDueAt };
        expect(await answerOf(subscription, { ...circumstances, policy: DEFAULT_POLICY })).toEqual(
          await answerOf(subscription, circumstances),
        );
      }
    }
  });
});

describe('a policy for past due', () => {
  const pastDue = { ...team, status: 'past_due' };

  test.for([1, 7, 365])(
    'of %i days ends access at that instant, and says so before and after',
    async (days) => {
      const end = SINCE + days * DAY_MS;
      const of = (at: number) =>
        answerOf(pastDue, { policy: { ...DEFAULT_POLICY, pastDueDays: days }, pastDueAt: SINCE, at });
      for (const at of [SINCE, end - 1]) {
        expect(await of(at)).toMatchObject({
          plans: ['team'],
          until: end,
          state: { isGranting: true, accessEndsAt: end },
        });
      }
      for (const at of [end, end + 1]) {
        expect(await of(at)).toMatchObject({
          plans: [],
          until: Infinity,
          state: { isGranting: false, accessEndsAt: null },
        });
      }
    },
  );

  test('of 7 days is explained', async () => {
    const of = (at: number) =>
      answerOf(pastDue, { policy: { ...DEFAULT_POLICY, pastDueDays: 7 }, pastDueAt: SINCE, at });
    expect((await of(SINCE)).reason).toBe(
      "Set by the plan 'team'. 'team' comes with prod_team of sub_1 (past due since 3 Nov 2026; Acme keeps access for 7 days: until 10 Nov 2026).",
    );
    expect((await of(SINCE + 7 * DAY_MS)).reason).toBe(
      "No plan sets this property, so its default applies. 'team' of sub_1 does not count: past due since 3 Nov 2026; Acme kept access for 7 days: until 10 Nov 2026.",
    );
  });

  test('of 0 days ends access at once, also in facts that do not say since when', async () => {
    const policy = { ...DEFAULT_POLICY, pastDueDays: 0 };
    expect((await answerOf(pastDue, { policy, pastDueAt: now * 1000 })).plans).toEqual([]);
    expect((await answerOf(pastDue, { policy })).plans).toEqual([]);
  });

  test('keeps access in facts that do not say since when, as an earlier release stored them', async () => {
    const { plans, until } = await answerOf(pastDue, { policy: { ...DEFAULT_POLICY, pastDueDays: 1 } });
    expect({ plans, until }).toEqual({ plans: ['team'], until: Infinity });
  });

  test.for(statuses.filter((status) => status !== 'past_due'))('says nothing of %s', async (status) => {
    const policy = { ...DEFAULT_POLICY, pastDueDays: 0 };
    const subscription = { ...team, status };
    expect(await answerOf(subscription, { policy })).toEqual(await answerOf(subscription));
  });
});

describe('a policy that ends access while collection is paused', () => {
  const policy = { ...DEFAULT_POLICY, keepsPaused: false };

  test.for(statuses)('%s: no access until the collection resumes', async (status) => {
    for (const pause_collection of pauses) {
      const subscription = { ...team, status, pause_collection };
      const isPaused = pause_collection !== null;
      const resumesAt = (pause_collection?.resumes_at ?? Infinity) * 1000;
      const isGranting = granting.includes(status);
      expect((await answerOf(subscription, { policy })).plans).toEqual(
        isGranting && !isPaused ? ['team'] : [],
      );
      if (resumesAt === Infinity || !isGranting) continue;
      expect((await answerOf(subscription, { policy })).until).toBe(resumesAt);
      expect((await answerOf(subscription, { policy, at: resumesAt - 1 })).plans).toEqual([]);
      expect((await answerOf(subscription, { policy, at: resumesAt })).plans).toEqual(['team']);
    }
  });
});

test.for(statuses)('a policy that keeps access while unpaid: %s', async (status) => {
  const { plans } = await answerOf({ ...team, status }, { policy: { ...DEFAULT_POLICY, keepsUnpaid: true } });
  expect(plans).toEqual([...granting, 'unpaid'].includes(status) ? ['team'] : []);
});

describe('a policy that denies trials without a card', () => {
  const policy = { ...DEFAULT_POLICY, grantsCardlessTrials: false };
  const card = { default_payment_method: 'pm_1' };
  const noCard = [{}, { invoice_settings: { default_payment_method: null }, default_source: null }];
  const withCard = [{ invoice_settings: card }, { default_source: 'card_1' }];

  test.for(statuses)('%s', async (status) => {
    const isGranting = granting.includes(status);
    for (const customer of noCard) {
      const { plans } = await answerOf({ ...team, status }, { policy, customer });
      expect(plans).toEqual(isGranting && status !== 'trialing' ? ['team'] : []);
      for (const paid of [card, { default_source: 'card_1' }, { collection_method: 'send_invoice' }]) {
        const own = await answerOf({ ...team, status, ...paid }, { policy, customer });
        expect(own.plans).toEqual(isGranting ? ['team'] : []);
      }
    }
    for (const customer of withCard) {
      const { plans } = await answerOf({ ...team, status }, { policy, customer });
      expect(plans).toEqual(isGranting ? ['team'] : []);
    }
  });
});
