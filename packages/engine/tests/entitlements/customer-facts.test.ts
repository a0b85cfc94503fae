import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnvironmentType } from '#contracts/console/environment-type';
import { type CustomerFacts, loadedFactsOf, upgradeFacts } from '#contracts/internal/customer-facts';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { activeFacts, isAliasOf } from '#engine/entitlements/active-facts';
import { activeProducts } from '#engine/entitlements/active-products';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { factsForIdentifier, isAmbiguous, subscriptionsOf } from '#engine/entitlements/namesakes';
import { isEmptyFacts, NO_FACTS } from '#engine/entitlements/no-facts';
import { planSources } from '#engine/entitlements/plan-sources';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import { factsOf, workspace } from '../arbitraries.ts';

const NOW = 1_000;
const ACCOUNTS = ['int_a', 'int_b', '__proto__'];
const types = fc.constantFrom('live' as const, 'test' as const, 'preview' as const);
const subject = { isAuthenticated: true };
/** Without add-ons, which depend on the customer's other plans. */
const withoutAddOns = workspace.map((rows) => ({
  ...rows,
  plans: rows.plans.map((plan) => ({ ...plan, isAddOn: false })),
}));
const cases = withoutAddOns.chain((rows) =>
  fc.record({ prepared: fc.constant(prepare(compileArtifact(rows))), facts: factsOf(rows), type: types }),
);

describe('Stripe subscriptions', () => {
  it('give the plans of their products, in addition to default plans and manual grants', () => {
    fc.assert(
      fc.property(cases, ({ prepared, facts, type }) => {
        const { resolution } = applyFacts(prepared, subject, facts, { environmentType: type }, NOW);
        const products = activeProducts(subscriptionsOf(facts), { environmentType: type }, NOW);
        const grantedPlanIds = facts.grants.flatMap(({ planId, until }) =>
          until === null || until > NOW ? [planId] : [],
        );
        expect(resolution.planIndexes).toEqual(
          plansOf(prepared, { ...subject, products, grantedPlanIds }).indexes,
        );
      }),
    );
  });

  it('never give more in a live environment than in others', () => {
    fc.assert(
      fc.property(cases, ({ prepared, facts }) => {
        const plansIn = (type: 'live' | 'preview') =>
          applyFacts(prepared, subject, facts, { environmentType: type }, NOW).resolution.planIndexes;
        expect(plansIn('preview')).toEqual(expect.arrayContaining([...plansIn('live')]));
      }),
    );
  });

  it('are explained: every applied plan has a source, and no other plan has one', () => {
    fc.assert(
      fc.property(cases, fc.boolean(), ({ prepared, facts, type }, isAuthenticated) => {
        const { resolution } = applyFacts(
          prepared,
          { isAuthenticated },
          facts,
          { environmentType: type },
          NOW,
        );
        const sources = planSources(prepared, { isAuthenticated }, facts, { environmentType: type }, NOW);
        expect([...sources.keys()].sort((one, other) => one - other)).toEqual(resolution.planIndexes);
        for (const from of sources.values()) expect(from.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('customers with one email', () => {
  const EMAIL = 'ada@tests.example';
  const plansBy = (
    {
      prepared,
      facts,
      type,
    }: { prepared: ReturnType<typeof prepare>; facts: CustomerFacts; type: EnvironmentType },
    identifier: string,
  ) =>
    applyFacts(prepared, subject, factsForIdentifier(facts, identifier), { environmentType: type }, NOW)
      .resolution.planIndexes;

  it('by the email have the union of the plans that each of them has', () => {
    fc.assert(
      fc.property(cases, ({ prepared, facts, type }) => {
        const { stripe, namesakes = [], ...own } = facts;
        const alone: CustomerFacts[] = [
          { ...own, stripe },
          ...namesakes.map((namesake) => ({ ...NO_FACTS, namesakes: [namesake] })),
        ];
        const each = alone.flatMap((those) => [...plansBy({ prepared, facts: those, type }, EMAIL)]);
        const union = [...new Set(each)].sort((one, other) => one - other);
        expect(plansBy({ prepared, facts, type }, EMAIL)).toEqual(union);
      }),
    );
  });

  it('by the email have the same plans in any order of the customers, and never fewer with one more', () => {
    const twoOrders = cases.chain((one) =>
      fc
        .shuffledSubarray([...(one.facts.namesakes ?? [])], { minLength: one.facts.namesakes?.length ?? 0 })
        .map((shuffled) => ({ one, other: { ...one, facts: { ...one.facts, namesakes: shuffled } } })),
    );
    fc.assert(
      fc.property(twoOrders, ({ one, other }) => {
        const all = plansBy(one, EMAIL);
        expect(plansBy(other, EMAIL)).toEqual(all);
        const fewer = { ...one, facts: { ...one.facts, namesakes: one.facts.namesakes?.slice(1) ?? [] } };
        expect(all).toEqual(expect.arrayContaining([...plansBy(fewer, EMAIL)]));
      }),
    );
  });

  it('by id have the plans of the customers with that id only', () => {
    fc.assert(
      fc.property(cases, ({ prepared, facts, type }) => {
        fc.pre(Boolean(facts.stripe));
        const same = facts.namesakes?.filter(({ customerId }) => customerId === 'cus_1') ?? [];
        const own = { ...facts, namesakes: same };
        expect(plansBy({ prepared, facts, type }, 'cus_1')).toEqual(
          plansBy({ prepared, facts: own, type }, 'cus_1'),
        );
        expect(isAmbiguous(factsForIdentifier(facts, 'cus_1'))).toBe(false);
        const known = factsForIdentifier(facts, 'cus_1');
        expect(factsForIdentifier(facts, 'cus_1')).toBe(known);
      }),
    );
  });

  it('are ambiguous if there are several, one of which may be the email itself', () => {
    const one = { integrationId: 'int_a', customerId: 'cus_2', subscriptions: [] };
    const stripe = { ...one, customerId: 'cus_1', email: EMAIL, isNamedByEmail: true };
    expect(isAmbiguous(NO_FACTS)).toBe(false);
    expect(isAmbiguous({ ...NO_FACTS, stripe })).toBe(false);
    expect(isAmbiguous({ ...NO_FACTS, namesakes: [one] })).toBe(false);
    expect(isAmbiguous({ ...NO_FACTS, namesakes: [{ ...one, isSeparate: true }] })).toBe(true);
    expect(isAmbiguous({ ...NO_FACTS, namesakes: [one, { ...one, customerId: 'cus_other' }] })).toBe(true);
    expect(isAmbiguous({ ...NO_FACTS, namesakes: [one, { ...one, integrationId: 'int_other' }] })).toBe(
      false,
    );
    expect(isAmbiguous({ ...NO_FACTS, stripe, namesakes: [one] })).toBe(true);
  });
});

describe('customers with a user id', () => {
  const subscription = (id: string) => ({
    id,
    integrationId: 'int_a',
    status: 'active',
    livemode: true,
    productIds: [],
  });
  const namesake = (customerId: string, more: object = {}) => ({
    integrationId: 'int_a',
    customerId,
    subscriptions: [subscription(`sub of ${customerId}`)],
    ...more,
  });
  const subscribed = (facts: CustomerFacts, identifier: string) =>
    subscriptionsOf(factsForIdentifier(facts, identifier)).map(({ id }) => id);

  it('have their own plans by it, and those of all with their email by the email', () => {
    const stripe = { ...namesake('cus_1'), email: 'ada@tests.example', isNamedByEmail: true };
    const userIds = [{ id: 'user-1', integrationId: 'int_a' }];
    const facts = { ...NO_FACTS, stripe, userIds, namesakes: [namesake('cus_2')] };
    for (const name of ['cus_1', 'user-1']) expect(subscribed(facts, name)).toEqual(['sub of cus_1']);
    expect(subscribed(facts, 'ada@tests.example')).toEqual(['sub of cus_1', 'sub of cus_2']);
    expect(isAliasOf(facts, 'user-1')).toBe(true);
    expect(isAliasOf(activeFacts(facts, ['int_b']), 'user-1')).toBe(false);
    expect(activeFacts(facts, ['int_a'])).toBe(facts);
  });

  it('whose id is an email have the plans of all with the email by it, and their own by the user id', () => {
    const provisioned = { id: 'ada@tests.example', email: null, isEmail: true as const };
    const userIds = [{ id: 'user-1', integrationId: '' }];
    const facts = {
      ...NO_FACTS,
      provisioned,
      userIds,
      namesakes: [namesake('cus_1', { isSeparate: true })],
    };
    expect(subscribed(facts, 'ada@tests.example')).toEqual(['sub of cus_1']);
    expect(subscribed(facts, 'user-1')).toEqual([]);
  });

  it('that others carry, too, have the plans of all by the user id only', () => {
    const provisioned = { id: 'acme', email: 'ada@tests.example' };
    const userIds = [{ id: 'user-1', integrationId: '' }];
    const carrier = namesake('cus_1', { userId: 'user-1', isSeparate: true });
    const facts = { ...NO_FACTS, provisioned, userIds, namesakes: [carrier] };
    expect(subscribed(facts, 'user-1')).toEqual(['sub of cus_1']);
    expect(isAmbiguous(factsForIdentifier(facts, 'user-1'))).toBe(true);
    for (const name of ['acme', 'ada@tests.example']) {
      expect(subscribed(facts, name)).toEqual([]);
      expect(isAmbiguous(factsForIdentifier(facts, name))).toBe(false);
    }
    expect(isAliasOf(activeFacts(facts, []), 'user-1')).toBe(true);
  });

  it('are ambiguous as the id itself, which has the plans of all, and one left is not', () => {
    const both = [namesake('cus_1', { userId: 'u' }), namesake('cus_2', { userId: 'u' })];
    expect(subscribed({ ...NO_FACTS, namesakes: both }, 'u')).toHaveLength(2);
    expect(isAmbiguous(factsForIdentifier({ ...NO_FACTS, namesakes: both }, 'u'))).toBe(true);
    expect(isAmbiguous(factsForIdentifier({ ...NO_FACTS, namesakes: both.slice(1) }, 'u'))).toBe(false);
  });
});

describe('active facts', () => {
  const believing = workspace.chain((rows) => fc.tuple(factsOf(rows), fc.subarray(ACCOUNTS)));

  it('are the same object if every account in them is connected', () => {
    fc.assert(
      fc.property(believing, ([facts]) => {
        expect(activeFacts(facts, ACCOUNTS)).toBe(facts);
        const byHand = { version: facts.version, grants: facts.grants, overrides: facts.overrides };
        expect(activeFacts(byHand, undefined)).toBe(byHand);
      }),
    );
  });

  it('contain connected accounts only, and activeFacts is idempotent', () => {
    fc.assert(
      fc.property(believing, ([facts, connected]) => {
        const active = activeFacts(facts, connected);
        const named = [active.aliasOf, active.stripe].flatMap((each) => each ?? []);
        for (const { integrationId } of [...named, ...(active.namesakes ?? [])])
          expect(connected).toContain(integrationId);
        expect(active.version).toBe(facts.version);
        expect(activeFacts(active, connected)).toBe(active);
      }),
    );
  });

  it('exclude entries of the email together with the customer that it is an alias of', () => {
    fc.assert(
      fc.property(believing, ([facts, connected]) => {
        const active = activeFacts(facts, connected);
        const isKept = !facts.stripe || connected.includes(facts.stripe.integrationId);
        const left = <Said extends { isFromEmail?: true }>(said: readonly Said[]) =>
          isKept ? said : said.filter(({ isFromEmail }) => isFromEmail === undefined);
        expect(active.grants).toEqual(left(facts.grants));
        expect(active.overrides).toEqual(left(facts.overrides));
      }),
    );
  });

  it('make an email an alias of their own customer only', () => {
    fc.assert(
      fc.property(believing, ([facts]) => {
        expect(isAliasOf(facts, 'ada@tests.example')).toBe(facts.stripe?.isNamedByEmail === true);
        expect(isAliasOf(facts, 'eve@tests.example')).toBe(false);
      }),
    );
  });
});

describe('facts of an earlier release', () => {
  const former = {
    ...NO_FACTS,
    version: 3,
    grants: [
      { planId: 'plan_1', until: null, isOfEmail: true },
      { planId: 'plan_2', until: 5 },
    ],
    nameOf: { integrationId: 'int_a', customerId: 'cus_1' },
  };
  const upgraded = {
    ...NO_FACTS,
    version: 3,
    grants: [
      { planId: 'plan_1', until: null, isFromEmail: true },
      { planId: 'plan_2', until: 5 },
    ],
    aliasOf: { integrationId: 'int_a', customerId: 'cus_1' },
  };

  it('are read under their former field names', () => {
    expect(upgradeFacts(former)).toEqual(upgraded);
    expect(upgradeFacts(upgradeFacts(former))).toEqual(upgraded);
  });

  it('are read where a caller sends them under the former name', () => {
    const caller = { version: 3, learnt: { token: 't', facts: former } };
    expect(loadedFactsOf(caller)).toEqual({ token: 't', facts: upgraded });
    expect(loadedFactsOf({ version: 3 })).toBeUndefined();
  });

  it('are the same facts where they use the current names', () => {
    fc.assert(
      fc.property(
        workspace.chain((rows) => factsOf(rows)),
        (facts) => {
          expect(upgradeFacts(facts)).toEqual(facts);
        },
      ),
    );
  });
});

/** The compiler asks for a new field. */
const EACH_FACT: Required<Omit<CustomerFacts, 'version'>> = {
  grants: [{ planId: 'plan_1', until: null }],
  overrides: [{ propertyId: 'prop_1', value: 1, until: null }],
  balances: [
    {
      ...{ id: 'bal_1', propertyId: 'prop_1', amount: 1, category: 'paid', startsAt: 0, endsAt: null },
      priority: 50,
    },
  ],
  entityBalances: [
    {
      ...{ id: 'bal_m_1', propertyId: 'prop_1', amount: 1, category: 'paid', startsAt: 0, endsAt: null },
      ...{ priority: 50, entity: 'user_7' },
    },
  ],
  aliasOf: { integrationId: 'int_1', customerId: 'cus_1' },
  stripe: {
    integrationId: 'int_1',
    customerId: 'cus_1',
    email: null,
    isNamedByEmail: false,
    subscriptions: [],
  },
  provisioned: { id: 'ada', email: null },
  namesakes: [{ integrationId: 'int_1', customerId: 'cus_2', subscriptions: [] }],
  userIds: [{ id: 'user_1', integrationId: 'int_1' }],
  isInOtherMode: true,
};

it.each(Object.entries(EACH_FACT))('facts that say %s alone say something', (field, value) => {
  expect(isEmptyFacts(NO_FACTS)).toBe(true);
  expect(isEmptyFacts({ ...NO_FACTS, [field]: value })).toBe(false);
});
