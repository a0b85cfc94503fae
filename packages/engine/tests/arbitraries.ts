/** Random values, workspaces and subjects for the laws of the engine, hostile names among them. */
import fc from 'fast-check';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { Rollover } from '#contracts/public/rollover';
import type { Meter, MeterableValue, PerEntity, PropertyType, PropertyValue } from '#contracts/public/values';
import type { LimitOrder } from '#engine/artifacts/artifact-content';
import type {
  FeatureRow,
  PlanProductRow,
  PlanRow,
  PlanValueRow,
  PropertyRow,
  Workspace,
} from '#engine/artifacts/compile-artifact';
import type { Subject } from '#engine/entitlements/plans-of';
import { SYSTEM_PROPERTY } from '#engine/values/system-property';

/** Names that bite where data meets prototypes, JSON or separators. */
export const HOSTILE_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  'toJSON',
  'then',
  'length',
  '0',
  '42',
  '',
  '"',
  '\\',
  'a"b\\c',
  '</script>',
  '\u2028',
  '💥',
  'ﬁ',
  '\ud83d',
  ':',
  ',',
];

export const conflictResolution = fc.constantFrom('higher' as const, 'lower' as const, 'sum' as const);
export const limitOrder = fc.constantFrom<LimitOrder>('limit', 'rate');

const periodLength = fc.constantFrom('hour' as const, 'day' as const, 'month' as const);

const rollover: fc.Arbitrary<Rollover> = fc.record(
  {
    max: fc.constantFrom(1, 2, 'all' as const),
    share: fc.constantFrom(50, 99),
    lasts: fc.constantFrom({ months: 1 }, { months: 12 }),
    times: fc.constantFrom(2, 12),
  },
  { requiredKeys: ['max', 'lasts'] },
);
const rolling = fc.oneof(
  fc.constant({}),
  fc.record({ rollover }),
  fc.constant({ rollover: { max: 1, lasts: 'forever' as const } }),
);

const overage = fc.constantFrom<Pick<Meter, 'overage'>[]>(
  {},
  {},
  {},
  { overage: 'allow' },
  { overage: { upTo: 1 } },
  { overage: { upTo: 2 } },
);

/** Small ranges, so that equal limits and equal lengths are met often. */
const limited: fc.Arbitrary<Meter> = fc.oneof(
  fc.record({
    limit: fc.integer({ min: 0, max: 4 }),
    periodType: fc.constant('lifetime' as const),
    uniqueResourceIds: fc.boolean(),
  }),
  fc.record({
    limit: fc.integer({ min: 0, max: 4 }),
    periodType: fc.constantFrom('fixed' as const, 'rolling' as const),
    periodCount: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(24, 48, 30, 31)),
    periodLength,
    uniqueResourceIds: fc.boolean(),
  }),
  fc.record({
    limit: fc.integer({ min: 0, max: 4 }),
    periodType: fc.constant('billing' as const),
    periodCount: fc.constantFrom(1, 2, 12),
    periodLength: fc.constant('month' as const),
    uniqueResourceIds: fc.boolean(),
  }),
  fc
    .record({
      limit: fc.integer({ min: 0, max: 4 }),
      periodType: fc.constantFrom('billing' as const, 'rolling' as const),
      periodCount: fc.constantFrom(1, 2),
      periodLength: fc.constant('month' as const),
      uniqueResourceIds: fc.constant(false),
    })
    .chain((each) => rolling.map((more) => ({ ...each, ...more }))),
);

export const meter: fc.Arbitrary<Meter> = fc
  .tuple(limited, overage)
  .map(([each, more]) => ({ ...each, ...more }));

const perEntity: fc.Arbitrary<PerEntity> = fc
  .tuple(limited, fc.constantFrom({}, {}, { seats: 'prop_seats' }, { seats: 'prop_desks' }))
  .map(([{ uniqueResourceIds: _, rollover: __, ...each }, seats]) => ({ ...each, ...seats }));
const entities = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ perEntity }) },
);

export const meterable: fc.Arbitrary<MeterableValue> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<MeterableValue>({ state: 'off' }) },
  { weight: 1, arbitrary: entities.map((each): MeterableValue => ({ state: 'on', ...each })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(meter, entities)
      .map(([value, each]): MeterableValue => ({ state: 'metered', meter: value, ...each })),
  },
);

const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }).map((value) => value + 0),
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom(...HOSTILE_NAMES, 'ﬁ😀', '😀ﬁ'),
);

const VALUES: Readonly<Record<PropertyType, fc.Arbitrary<PropertyValue>>> = {
  number,
  boolean: fc.boolean(),
  string: text,
  meterable,
};

export const propertyType = fc.constantFrom(...(Object.keys(VALUES) as PropertyType[]));

/** A value of the type, in its one spelling. */
export function valueOfType(type: PropertyType): fc.Arbitrary<PropertyValue> {
  return VALUES[type];
}

const name = fc.oneof(fc.constantFrom(...HOSTILE_NAMES), fc.string({ maxLength: 6 }));

const featureParts = fc.record({
  slug: name,
  properties: fc.uniqueArray(
    fc.record({
      key: name.filter((key) => key !== SYSTEM_PROPERTY.key),
      type: propertyType,
      conflictResolution,
    }),
    { maxLength: 4, selector: (property) => property.key },
  ),
});

/** Rows whose plan values all fit; ids do not follow the order of rows. */
export const workspace: fc.Arbitrary<Workspace> = fc
  .record({
    features: fc.uniqueArray(featureParts, { maxLength: 5, selector: (feature) => feature.slug }),
    planSlugs: fc.uniqueArray(name, { maxLength: 5 }),
    salt: fc.integer({ min: 0, max: 999 }),
  })
  .chain(({ features, planSlugs, salt }) => {
    const id = (kind: string, index: number) => `${kind}_${((index + 1) * (salt + 7)) % 1009}_${index}`;
    const featureRows = features.map(
      (feature, index): FeatureRow => ({
        id: id('feat', index),
        slug: feature.slug,
        name: `Feature ${feature.slug}`,
        description: index % 2 === 0 ? null : 'What it does',
      }),
    );
    const definitions = features.flatMap((feature, index) => [
      { ...SYSTEM_PROPERTY, featureId: id('feat', index) },
      ...feature.properties.map((property) => ({
        ...property,
        name: `Property ${property.key}`,
        description: null,
        bounds: null,
        isSystem: false,
        featureId: id('feat', index),
      })),
    ]);
    const planIds = planSlugs.map((_, index) => id('plan', index));
    return fc
      .record({
        defaults: fc.tuple(...definitions.map(({ type }) => valueOfType(type))),
        plans: fc.tuple(
          ...planSlugs.map((slug, index) =>
            fc.record<PlanRow>({
              id: fc.constant(id('plan', index)),
              slug: fc.constant(slug),
              name: fc.constant(`Plan ${slug}`),
              description: fc.constant(null),
              grantToAnonymousSessions: fc.boolean(),
              grantToAuthenticatedUsers: fc.boolean(),
              isAddOn: fc.boolean(),
              isPublic: fc.boolean(),
            }),
          ),
        ),
        values: fc.tuple(
          ...planIds.map(() =>
            fc.tuple(...definitions.map(({ type }) => fc.option(valueOfType(type), { nil: undefined }))),
          ),
        ),
        limitOrder,
        costs: fc.tuple(...definitions.map(() => fc.option(cost, { freq: 2 }))),
        products: fc.tuple(
          ...planIds.map(() => fc.uniqueArray(product, { maxLength: 2, selector: JSON.stringify })),
        ),
      })
      .map(({ defaults, plans, values, products, costs, limitOrder: order }): Workspace => {
        const properties = definitions.map(
          (definition, index): PropertyRow => ({
            ...definition,
            id: id('prop', index),
            value: defaults[index] as PropertyValue,
          }),
        );
        return {
          features: featureRows,
          properties: withCosts(properties, costs),
          plans,
          planValues: values.flatMap((own, plan) =>
            own.flatMap((value, index): PlanValueRow[] => {
              const property = properties[index] as PropertyRow;
              if (value === undefined) return [];
              return [
                {
                  planId: planIds[plan] as string,
                  featureId: property.featureId,
                  propertyId: property.id,
                  value,
                },
              ];
            }),
          ),
          planProducts: products.flatMap((own, plan) =>
            own.map((reference): PlanProductRow => ({ planId: planIds[plan] as string, ...reference })),
          ),
          workflows: [],
          limitOrder: order,
        };
      });
  });

const cost = fc.record({
  payer: fc.nat({ max: 20 }),
  thousandths: fc.constantFrom(1, 250, 1000, 1001, 2000, 1_000_000_000),
});

/** Costs of some of the meters, one level deep. */
function withCosts(
  properties: readonly PropertyRow[],
  costs: readonly ({ readonly payer: number; readonly thousandths: number } | null)[],
): PropertyRow[] {
  const meters = properties.filter(({ type }) => type === 'meterable');
  const payers = new Set<string>();
  const costing = new Set<string>();
  return properties.map((row, index) => {
    const chosen = costs[index];
    const payer = meters[(chosen?.payer ?? 0) % Math.max(1, meters.length)];
    if (!chosen || !payer || row.type !== 'meterable' || payer.id === row.id) return row;
    if (payers.has(row.id) || costing.has(payer.id)) return row;
    payers.add(payer.id);
    costing.add(row.id);
    return { ...row, costs: { propertyId: payer.id, thousandths: chosen.thousandths } };
  });
}

const product = fc.record({
  integrationId: fc.constantFrom('int_a', 'int_b', '__proto__'),
  productId: fc.constantFrom('prod_1', 'prod_2', 'constructor'),
});

/** Subjects of any kind, naming plans of the workspace and plans that do not exist. */
export function subjectOf({ plans }: Workspace): fc.Arbitrary<Subject> {
  return fc.record({
    isAuthenticated: fc.boolean(),
    products: fc.array(product, { maxLength: 3 }),
    grantedPlanIds: fc.array(fc.constantFrom('plan_missing', ...plans.map((plan) => plan.id)), {
      maxLength: 2,
    }),
    provisioned: fc.array(
      fc.record({
        plans: fc.array(fc.constantFrom('no-such-plan', ...plans.map((plan) => plan.slug)), { maxLength: 2 }),
        mode: fc.constantFrom('add' as const, 'replace' as const),
      }),
      { maxLength: 2 },
    ),
  });
}

/** The same rows in some other order. */
export function shuffled(rows: Workspace): fc.Arbitrary<Workspace> {
  const any = <Row>(list: readonly Row[]) => fc.shuffledSubarray([...list], { minLength: list.length });
  return fc.record({
    features: any(rows.features),
    properties: any(rows.properties),
    plans: any(rows.plans),
    planValues: any(rows.planValues),
    planProducts: any(rows.planProducts),
    workflows: any(rows.workflows),
    limitOrder: fc.constant(rows.limitOrder),
  });
}

/** Instants of the years 1970 to 2120, those at the borders of months and days among them. */
export const instant: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: Date.UTC(2120, 0, 1) }),
  fc
    .tuple(
      fc.integer({ min: 1971, max: 2110 }),
      fc.integer({ min: 0, max: 11 }),
      fc.integer({ min: -2, max: 2 }),
    )
    .map(([year, month, offset]) => Date.UTC(year, month, 1) + offset),
);

export { periodLength };

const end = fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: null });
const ofEmail = fc.constantFrom({}, { isFromEmail: true as const });

/** What may be known of a customer at any instant up to 2,000: of accounts int_a, int_b and '__proto__'. */
export function factsOf({ plans, properties }: Workspace): fc.Arbitrary<CustomerFacts> {
  const account = fc.constantFrom('int_a', 'int_b', '__proto__');
  const subscription = fc.record({
    id: fc.constantFrom('sub_1', 'sub_2'),
    status: fc.constantFrom('active', 'trialing', 'past_due', 'canceled', 'unpaid', 'constructor'),
    livemode: fc.boolean(),
    productIds: fc.uniqueArray(fc.constantFrom('prod_1', 'prod_2', 'constructor')),
  });
  const stripe = fc
    .record({
      integrationId: account,
      isNamedByEmail: fc.boolean(),
      subscriptions: fc.array(subscription, { maxLength: 3 }),
    })
    .map(({ integrationId, isNamedByEmail, subscriptions }) => ({
      integrationId,
      customerId: 'cus_1',
      email: 'ada@tests.example',
      isNamedByEmail,
      subscriptions: subscriptions.map((each) => ({ ...each, integrationId })),
    }));
  const grant = fc.record({
    planId: fc.constantFrom('plan_missing', ...plans.map(({ id }) => id)),
    until: end,
  });
  const said = [{ id: 'prop_missing', value: 1 }, ...properties];
  const override = fc
    .tuple(fc.constantFrom(...said), end)
    .map(([{ id: propertyId, value }, until]) => ({ propertyId, value, until }));
  const tagged = <Said extends object>(said: fc.Arbitrary<Said>) =>
    fc.array(
      fc.tuple(said, ofEmail).map(([one, tag]) => ({ ...one, ...tag })),
      { maxLength: 3 },
    );
  const namesake = fc
    .record({
      integrationId: account,
      customerId: fc.constantFrom('cus_1', 'cus_2', 'cus_3'),
      subscriptions: fc.array(subscription, { maxLength: 2 }),
      isSeparate: fc.boolean(),
    })
    .map(({ isSeparate, integrationId, subscriptions, customerId }) => ({
      integrationId,
      customerId,
      ...(isSeparate ? { isSeparate: true as const } : {}),
      subscriptions: subscriptions.map((each) => ({ ...each, integrationId })),
    }));
  return fc.record({
    namesakes: fc.array(namesake, { maxLength: 3 }),
    version: fc.nat(),
    grants: tagged(grant),
    overrides: tagged(override),
    aliasOf: fc.option(fc.record({ integrationId: account, customerId: fc.constant('cus_1') }), {
      nil: null,
    }),
    stripe: fc.option(stripe, { nil: null }),
  });
}
