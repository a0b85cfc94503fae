import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { diffArtifacts } from '#engine/artifacts/diff-artifacts';
import { limitOrder, workspace } from '../arbitraries.ts';
import { propertyRow, SMALL } from '../small-workspace.ts';

const summaryOf = (from: Partial<Workspace>, to: Partial<Workspace>) =>
  diffArtifacts(compileArtifact({ ...SMALL, ...from }), compileArtifact({ ...SMALL, ...to })).map(
    ({ type, itemType, itemName, changes }) => [type, itemType, itemName, changes],
  );

/** A workspace and another that shares some of its rows. */
const related = workspace.chain((rows) =>
  fc.record({
    one: fc.constant(rows),
    other: fc.record({
      features: fc
        .subarray([...rows.features])
        .map((features) => features.map((row) => ({ ...row, name: `${row.name}!` }))),
      properties: fc.subarray([...rows.properties]),
      plans: fc.subarray([...rows.plans]),
      planValues: fc.subarray([...rows.planValues]),
      planProducts: fc.subarray([...rows.planProducts]),
      workflows: fc.constant([]),
      limitOrder,
    }),
  }),
);

describe('a diff', () => {
  it('of equal artifacts is empty, and of different ones is not', () => {
    fc.assert(
      fc.property(related, ({ one, other }) => {
        const [from, to] = [compileArtifact(one), compileArtifact(other)];
        expect(diffArtifacts(from, from)).toEqual([]);
        expect(diffArtifacts(from, to).length === 0).toBe(canonicalJson(from) === canonicalJson(to));
      }),
      { numRuns: 150 },
    );
  });

  it('with a version of an earlier release says that features that are off now turn their meters off', () => {
    const { switchesMeters, ...earlier } = compileArtifact(SMALL);
    expect(switchesMeters).toBe(true);
    expect(canonicalJson(earlier)).not.toContain('switchesMeters');
    expect(diffArtifacts(earlier, earlier)).toEqual([]);
    expect(diffArtifacts(earlier, compileArtifact(SMALL))).toMatchObject([
      { type: 'modify', itemType: 'workspace', itemName: 'Features that are off' },
    ]);
  });

  it('names the property of each value, and where it is from', () => {
    const named = diffArtifacts(null, compileArtifact(SMALL));
    const property = { featureName: expect.any(String), name: expect.any(String), key: expect.any(String) };
    for (const item of named) {
      const isProperty = item.itemType === 'feature-property' || item.itemType === 'plan-value';
      expect(item.property).toEqual(isProperty ? property : null);
    }
    expect(named.map(({ itemType }) => itemType)).toEqual(
      expect.arrayContaining(['feature-property', 'plan-value', 'plan']),
    );
  });

  it('backwards mirrors the diff forwards', () => {
    fc.assert(
      fc.property(related, ({ one, other }) => {
        const [from, to] = [compileArtifact(one), compileArtifact(other)];
        const mirrored = diffArtifacts(from, to).map(({ type, itemType, itemId, changes }) => ({
          type: { add: 'remove', remove: 'add', modify: 'modify' }[type],
          itemType,
          itemId,
          changes: changes.map((change) => ({ path: change.path, from: change.to, to: change.from })),
        }));
        expect(diffArtifacts(to, from)).toEqual(mirrored.map((item) => expect.objectContaining(item)));
      }),
      { numRuns: 150 },
    );
  });

  it('from nothing adds every item', () => {
    fc.assert(
      fc.property(workspace, (rows) => {
        const items = diffArtifacts(null, compileArtifact(rows));
        const all = [rows.features, rows.properties, rows.plans, rows.planValues, rows.planProducts];
        expect(items.every(({ type }) => type === 'add')).toBe(true);
        expect(items).toHaveLength(all.reduce((sum, list) => sum + list.length, 0));
        expect(new Set(items.map(({ itemType, itemId }) => `${itemType} ${itemId}`)).size).toBe(items.length);
      }),
      { numRuns: 100 },
    );
  });

  it('names a plan value after its plan, feature and property, and shows the single field that changes', () => {
    const planValues = SMALL.planValues.map((row) =>
      row.planId === 'plan_pro' && row.propertyId === 'prop_exports'
        ? {
            ...row,
            value: {
              state: 'metered',
              meter: {
                limit: 25,
                periodType: 'rolling',
                periodCount: 1,
                periodLength: 'month',
                uniqueResourceIds: false,
              },
            },
          }
        : row,
    );
    expect(summaryOf({}, { planValues })).toEqual([
      [
        'modify',
        'plan-value',
        'Pro › Analytics › exports',
        [{ path: 'value.meter.limit', from: 10, to: 25 }],
      ],
    ]);
  });

  it('says in words what each one of a meter costs, by the names of the newer version', () => {
    const costing = (thousandths: number | null, key = 'credits'): Partial<Workspace> => ({
      properties: [
        ...SMALL.properties.map((row) =>
          row.id === 'prop_exports' && thousandths !== null
            ? { ...row, costs: { propertyId: 'prop_credits', thousandths } }
            : row,
        ),
        propertyRow({ id: 'prop_credits', key, type: 'meterable', value: { state: 'on' }, name: 'Credits' }),
      ],
    });
    const item = ['modify', 'feature-property', 'Analytics › exports'];
    const cost = (from: string | null, to: string | null) => [...item, [{ path: 'costs', from, to }]];
    expect(summaryOf(costing(null), costing(250))).toEqual([cost(null, '0.25 of analytics.credits')]);
    expect(summaryOf(costing(250), costing(null))).toEqual([cost('0.25 of analytics.credits', null)]);
    expect(summaryOf(costing(250), costing(1_500))).toEqual([
      cost('0.25 of analytics.credits', '1.5 of analytics.credits'),
    ]);
    expect(summaryOf(costing(250), costing(250, 'points')).map(([, , name]) => name)).toEqual([
      'Analytics › points',
    ]);
  });

  it('names the meter of which entities need a seat, and is not changed by its new name', () => {
    const seated = (seats: string | undefined, key = 'desks'): Partial<Workspace> => ({
      properties: [
        ...SMALL.properties,
        propertyRow({ id: 'prop_desks', key, type: 'meterable', value: { state: 'on' }, name: 'Desks' }),
      ],
      planValues: SMALL.planValues.map((row) =>
        row.planId === 'plan_pro' && row.propertyId === 'prop_exports'
          ? {
              ...row,
              value: {
                state: 'on',
                perEntity: { limit: 1, periodType: 'lifetime', ...(seats && { seats }) },
              },
            }
          : row,
      ),
    });
    expect(summaryOf(seated(undefined), seated('prop_desks'))).toEqual([
      [
        'modify',
        'plan-value',
        'Pro › Analytics › exports',
        [{ path: 'value.perEntity.seats', from: null, to: 'analytics.desks' }],
      ],
    ]);
    expect(summaryOf(seated('prop_desks'), seated('prop_desks', 'chairs')).map(([, , name]) => name)).toEqual(
      ['Analytics › chairs'],
    );
  });

  it('shows added, removed and changed items of every kind, what belongs together side by side', () => {
    const workflow = {
      id: 'wf_1',
      name: 'Route',
      type: 'dynamic-provisioning',
      featureId: null,
      enabled: true,
      source: 'typed',
      compiled: 'v1',
    } as const;
    const changed = summaryOf(
      { workflows: [workflow] },
      {
        features: [{ ...SMALL.features[0]!, name: 'Insights' }],
        properties: [
          ...SMALL.properties.filter(({ id }) => id !== 'prop_exports'),
          propertyRow({ id: 'prop_zones', key: 'zones', type: 'string', value: 'eu' }),
        ],
        plans: [SMALL.plans[0]!, { ...SMALL.plans[1]!, grantToAuthenticatedUsers: true }],
        planProducts: [{ planId: 'plan_pro', integrationId: 'int_1', productId: 'prod_2' }],
        workflows: [{ ...workflow, compiled: 'v2' }],
      },
    ).map(([type, itemType, itemName]) => `${type} ${itemType} ${itemName}`);
    expect(changed).toEqual([
      'modify feature Insights',
      'remove feature-property Analytics › exports',
      'add feature-property Insights › zones',
      'remove plan-value Free › Analytics › exports',
      'modify plan Pro',
      'remove plan-value Pro › Analytics › exports',
      'remove plan-product Pro › prod_1',
      'add plan-product Pro › prod_2',
      'modify workflow Route',
    ]);
  });
});
