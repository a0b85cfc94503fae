/** Plans times a quantity: values are multiplied first and merged then, whatever the rule. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SubscriptionFacts } from '#contracts/internal/customer-facts';
import type { PropertyType, PropertyValue } from '#contracts/public/values';
import type { ArtifactPlan } from '#engine/artifacts/artifact-content';
import { compileArtifact, type PlanProductRow, type Workspace } from '#engine/artifacts/compile-artifact';
import { activeProducts } from '#engine/entitlements/active-products';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { explain } from '#engine/entitlements/explain';
import { explainRecorded } from '#engine/entitlements/explain-recorded';
import { planSources, withheldPlans } from '#engine/entitlements/plan-sources';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import { configuredValue, resolve } from '#engine/entitlements/resolve';
import { subscriptionStates } from '#engine/entitlements/subscription-states';
import { mergeValues } from '#engine/merge/merge-values';
import { multiplyValue } from '#engine/merge/multiply-value';
import { workspace } from '../arbitraries.ts';
import { SMALL } from '../small-workspace.ts';

const link = (fields: Partial<PlanProductRow>): PlanProductRow => ({
  planId: 'plan_pro',
  integrationId: 'int_1',
  productId: 'prod_1',
  ...fields,
});

const item = (priceId: string, quantity: number | null, productId = 'prod_1') => ({
  productId,
  priceId,
  quantity,
  periodStartAt: 0,
  periodEndAt: 1,
});

const subscription = (items: SubscriptionFacts['items'], id = 'sub_1'): SubscriptionFacts => ({
  id,
  integrationId: 'int_1',
  status: 'active',
  livemode: true,
  productIds: [...new Set(items?.map(({ productId }) => productId) ?? ['prod_1'])],
  ...(items === undefined ? {} : { items }),
});

const factsWith = (subscriptions: SubscriptionFacts[]) => ({
  version: 1,
  grants: [],
  overrides: [],
  stripe: {
    integrationId: 'int_1',
    customerId: 'cus_1',
    email: null,
    isNamedByEmail: false,
    subscriptions,
  },
});

/** By the sources, and the plans that are withheld, of a live environment. */
function resolved(planProducts: PlanProductRow[], ...subscriptions: SubscriptionFacts[]) {
  const prepared = prepare(compileArtifact({ ...SMALL, planProducts }));
  const facts = factsWith(subscriptions);
  const { resolution } = applyFacts(
    prepared,
    { isAuthenticated: true },
    facts,
    { environmentType: 'live' },
    0,
  );
  const sources = planSources(prepared, { isAuthenticated: true }, facts, { environmentType: 'live' }, 0);
  const withheld = withheldPlans(prepared, facts, { environmentType: 'live' }, 0);
  const all = explain(resolution, sources, null, withheld);
  const seats = all.find(({ property }) => property === 'seats')!;
  return { prepared, resolution, seats };
}

describe('a plan that is linked times its quantity', () => {
  it('gives seven times its seats and limits for seven, and says so', () => {
    const { resolution, seats } = resolved(
      [link({ timesQuantity: true })],
      subscription([item('price_a', 7)]),
    );
    expect(seats).toMatchObject({
      value: 35,
      decidedBy: ['pro'],
      candidates: [
        { plan: 'free', value: 1 },
        { plan: 'pro', value: 35, from: [{ kind: 'subscription', productId: 'prod_1', quantity: 7 }] },
      ],
    });
    expect(seats.reason).toBe(
      "Pro sets 35, Free sets 1; the highest wins. 'pro' comes with prod_1 of sub_1, times 7.",
    );
    expect(resolution.plansText).toBe('"plans":["free","pro"],"quantities":{"pro":[7]}');
    const exports = resolution.prepared.properties.find(({ property }) => property.key === 'exports')!;
    expect(configuredValue(resolution, exports)).toMatchObject({
      meter: { limit: 70, periodLength: 'month' },
    });
  });

  it('counts as it is without the link’s mark, with a metered price, and by facts of an earlier release', () => {
    const seatsOf = (links: PlanProductRow[], own: SubscriptionFacts) => resolved(links, own).seats.value;
    expect(seatsOf([link({})], subscription([item('price_a', 7)]))).toBe(5);
    expect(seatsOf([link({ timesQuantity: true })], subscription([item('price_a', null)]))).toBe(5);
    expect(seatsOf([link({ timesQuantity: true })], subscription(undefined))).toBe(5);
  });

  it.each([true, false])(
    'gives nothing with a quantity of 0, and says so (times quantity: %s)',
    (timesQuantity) => {
      const links = [link({ timesQuantity }), link({ planId: 'plan_free' })];
      const own = subscription([item('price_a', 0)]);
      const { resolution, seats } = resolved(links, own);
      expect(resolution.planSlugs).toEqual(['free']);
      expect(seats.reason).toBe("Set by the plan 'free'. 'pro' of sub_1 does not count: its quantity is 0.");
      expect(subscriptionStates(factsWith([own]), { environmentType: 'live' }, 0)).toMatchObject([
        { status: 'active', isGranting: false, items: [{ price: 'price_a', quantity: 0 }] },
      ]);
      const both = resolved(links, own, subscription([item('price_a', 2)], 'sub_2'));
      expect(both.resolution.planSlugs).toEqual(['free', 'pro']);
      expect(both.seats.reason).not.toContain('does not count');
    },
  );

  it('counts by the most specific link: to the price, or else to the product', () => {
    const links = (ofProduct: boolean, ofPrice: boolean) => [
      link({ timesQuantity: ofProduct }),
      link({ priceId: 'price_a', timesQuantity: ofPrice }),
    ];
    const seatsOf = (rows: PlanProductRow[], priceId: string) =>
      resolved(rows, subscription([item(priceId, 7)])).seats;
    expect(seatsOf(links(false, true), 'price_a').value).toBe(35);
    expect(seatsOf(links(false, true), 'price_b').value).toBe(5);
    expect(seatsOf(links(true, false), 'price_a').value).toBe(5);
    expect(seatsOf(links(true, false), 'price_b').value).toBe(35);
    expect(seatsOf(links(false, true), 'price_a').candidates[1]).toMatchObject({
      plan: 'pro',
      from: [{ productId: 'prod_1', priceId: 'price_a', quantity: 7 }],
    });
  });

  it('comes with its price only if it is linked to a price', () => {
    const links = [link({ priceId: 'price_a', timesQuantity: true })];
    expect(resolved(links, subscription([item('price_a', 3)])).seats.value).toBe(15);
    expect(resolved(links, subscription([item('price_b', 3)])).resolution.planSlugs).toEqual(['free']);
    expect(resolved(links, subscription(undefined)).resolution.planSlugs).toEqual(['free']);
  });

  it('counts once for each of several items, subscriptions and links', () => {
    const both = [
      link({ priceId: 'price_a', timesQuantity: true }),
      link({ priceId: 'price_b', timesQuantity: true }),
    ];
    const two = subscription([item('price_a', 3), item('price_b', 4)]);
    const { resolution, seats } = resolved(both, two, subscription([item('price_a', 1)], 'sub_2'));
    expect(seats.value).toBe(20);
    expect(resolution.quantities).toEqual(new Map([[1, [1, 3, 4]]]));
    expect(seats.candidates.map(({ value, from }) => [value, from.length])).toEqual([
      [1, 1],
      [5, 1],
      [15, 1],
      [20, 1],
    ]);
  });

  it('names each of two subscriptions of equal quantity once, where values add up and where they do not', () => {
    const own = factsWith([
      subscription([item('price_a', 2), item('price_b', 2)]),
      subscription([item('price_a', 2)], 'sub_2'),
    ]);
    const seatsWith = (conflictResolution: 'sum' | 'higher') => {
      const properties = SMALL.properties.map((row) =>
        row.key === 'seats' ? { ...row, conflictResolution } : row,
      );
      const planProducts = [link({ timesQuantity: true })];
      const prepared = prepare(compileArtifact({ ...SMALL, properties, planProducts }));
      const who = { isAuthenticated: true };
      const { resolution } = applyFacts(prepared, who, own, { environmentType: 'live' }, 0);
      const sources = planSources(prepared, who, own, { environmentType: 'live' }, 0);
      return explain(resolution, sources).find(({ property }) => property === 'seats')!;
    };
    const comes = (id: string) => `'pro' comes with prod_1 of ${id}, times 2.`;
    const summed = seatsWith('sum');
    expect(summed.reason).toBe(
      `Free sets 1, Pro sets 10, Pro sets 10, Pro sets 10; they add up to 31. ${comes('sub_1')} ${comes('sub_1')} ${comes('sub_2')}`,
    );
    expect(summed.candidates.slice(1).map(({ from }) => from.map((each) => each.subscriptionId))).toEqual([
      ['sub_1'],
      ['sub_1'],
      ['sub_2'],
    ]);
    const highest = seatsWith('higher');
    expect(highest.reason).toBe(
      "Pro sets 10, Free sets 1; the highest wins. 'pro' comes with prod_1 of sub_1 and prod_1 of sub_2, times 2.",
    );
    expect(highest.candidates).toHaveLength(2);
  });

  it('adds up for several items, of the same quantity too, with a base that counts once', () => {
    const prepared = prepare(
      compileArtifact({
        ...SMALL,
        properties: SMALL.properties.map((row) =>
          row.key === 'seats' ? { ...row, conflictResolution: 'sum' } : row,
        ),
        planProducts: [link({ timesQuantity: true }), link({ priceId: 'price_a', timesQuantity: true })],
      }),
    );
    const facts = factsWith([
      subscription([item('price_a', 2)]),
      subscription([item('price_a', 2), item('price_b', 1)], 'sub_2'),
    ]);
    const { resolution } = applyFacts(
      prepared,
      { isAuthenticated: true },
      facts,
      { environmentType: 'live' },
      0,
    );
    const seats = explain(resolution).find(({ property }) => property === 'seats')!;
    expect(resolution.quantities).toEqual(new Map([[1, [1, 2, 2]]]));
    expect(seats.value).toBe(1 + 5 * 5);
    expect(seats.reason).toBe(
      "Free sets 1, Pro sets 5, Pro sets 10, Pro sets 10; they add up to 26. 'pro' counts times 2. 'pro' counts times 2.",
    );
  });

  it('explains a recorded answer by the quantities in it', () => {
    const { prepared } = resolved([link({ timesQuantity: true })], subscription([item('price_a', 7)]));
    const features = { analytics: { properties: { seats: 35 } } };
    const customer = { plans: ['free', 'pro'], quantities: { pro: [7] } };
    expect(explainRecorded(prepared, customer, features, [])).toMatchObject([{ decidedBy: ['pro'] }]);
    expect(explainRecorded(prepared, { plans: ['free', 'pro'] }, features, [])).toMatchObject([
      { decidedBy: { override: 'override' } },
    ]);
  });
});

describe('multiplying a value', () => {
  it('is exact for decimals, leaves what is no number or limit, and ends at the largest safe integer', () => {
    expect(multiplyValue('number', 0.1, 3)).toBe(0.3);
    expect(multiplyValue('number', -2, 0)).toBe(0);
    expect(multiplyValue('number', Number.MAX_SAFE_INTEGER, 2)).toBe(Number.MAX_SAFE_INTEGER);
    for (const [type, value] of [
      ['boolean', true],
      ['string', 'text'],
      ['meterable', { state: 'on' }],
      ['meterable', { state: 'off' }],
    ] as [PropertyType, PropertyValue][]) {
      expect(multiplyValue(type, value, 9)).toBe(value);
    }
  });
});

/** Links to two prices and to any price of the product, with and without the mark. */
const links = ({ plans }: Workspace) =>
  fc.uniqueArray(
    fc.record({
      planId: fc.constantFrom(...plans.map(({ id }) => id)),
      integrationId: fc.constant('int_1'),
      productId: fc.constantFrom('prod_1', 'prod_2'),
      priceId: fc.constantFrom('', 'price_a', 'price_b'),
      timesQuantity: fc.boolean(),
    }),
    {
      maxLength: 6,
      selector: ({ planId, productId, priceId }) => JSON.stringify([planId, productId, priceId]),
    },
  );

const items = fc.array(
  fc.record({
    productId: fc.constantFrom('prod_1', 'prod_2'),
    priceId: fc.constantFrom('price_a', 'price_b', 'price_c'),
    quantity: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
    periodStartAt: fc.constant(0),
    periodEndAt: fc.constant(1),
  }),
  { maxLength: 3 },
);

describe('any links and items', () => {
  it('come to the same as multiplying the values of every plan by itself and merging them all', () => {
    const cases = workspace
      .filter(({ plans }) => plans.length > 0)
      .chain((rows) => fc.tuple(fc.constant(rows), links(rows), fc.array(items, { maxLength: 3 })));
    fc.assert(
      fc.property(cases, ([rows, planProducts, lists]) => {
        const content = compileArtifact({ ...rows, planProducts });
        const prepared = prepare(content);
        const products = activeProducts(
          lists.map((list, index) => subscription(list, `sub_${index}`)),
          { environmentType: 'live' },
          0,
        );
        const resolution = resolve(prepared, plansOf(prepared, { isAuthenticated: true, products }));
        // Once for whatever gives the plan as it is, and once for each item that gives it times its quantity.
        const factorsOf = (plan: ArtifactPlan): number[] => {
          const own = planProducts.filter((each) => each.planId === plan.id);
          const linked = lists.flat().flatMap(({ productId, priceId, quantity }) => {
            const ofProduct = own.filter((each) => each.productId === productId);
            const mark = [priceId, ''].flatMap(
              (price) => ofProduct.find((each) => each.priceId === price) ?? [],
            );
            return mark[0] === undefined || quantity === 0
              ? []
              : [{ quantity: quantity ?? 1, isTimes: mark[0].timesQuantity }];
          });
          const isOnce = plan.grantToAuthenticatedUsers || linked.some(({ isTimes }) => !isTimes);
          const times = linked.flatMap(({ quantity, isTimes }) => (isTimes ? [quantity] : []));
          return isOnce ? [1, ...times] : times;
        };
        const has = content.plans.filter((plan) => factorsOf(plan).length > 0);
        const applied = has.some(({ isAddOn }) => !isAddOn) ? has : [];
        for (const entry of prepared.properties) {
          const { id, type, conflictResolution, value } = entry.property;
          const configured = applied.flatMap((plan) => {
            const own = plan.values.find(({ propertyId }) => propertyId === id);
            return own === undefined
              ? []
              : factorsOf(plan).map((quantity) => multiplyValue(type, own.value, quantity));
          });
          expect(configuredValue(resolution, entry)).toEqual(
            mergeValues(type, conflictResolution, configured, content.limitOrder) ?? value,
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});
