import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { prepare } from '#engine/entitlements/prepare';
import { shuffled, workspace } from '../arbitraries.ts';
import { propertyRow, SMALL } from '../small-workspace.ts';

describe('compiling a workspace', () => {
  it('never depends on the order of its rows', () => {
    fc.assert(
      fc.property(
        workspace.chain((rows) => fc.tuple(fc.constant(rows), shuffled(rows))),
        ([rows, others]) => {
          expect(canonicalJson(compileArtifact(others))).toBe(canonicalJson(compileArtifact(rows)));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('survives being written and read', () => {
    fc.assert(
      fc.property(workspace, (rows) => {
        const content = compileArtifact(rows);
        expect(JSON.parse(canonicalJson(content))).toEqual(content);
      }),
      { numRuns: 100 },
    );
  });

  it('leaves out what plans say of a property that is gone, is another feature’s, or no longer takes the value', () => {
    const [value] = SMALL.planValues.filter(
      ({ planId, propertyId }) => planId === 'plan_pro' && propertyId === 'prop_seats',
    );
    const values = (rows: Partial<Workspace>) =>
      compileArtifact({ ...SMALL, planValues: [value!], ...rows }).plans.flatMap((plan) => plan.values);
    const seats = (bounds: object) => [
      propertyRow({
        id: 'prop_seats',
        key: 'seats',
        type: 'number',
        value: 0,
        bounds: { allowDecimal: false, ...bounds },
      }),
    ];
    expect(values({})).toHaveLength(1);
    expect(values({ properties: seats({ max: 5 }) })).toHaveLength(1);
    expect(values({ properties: seats({ max: 4 }) })).toEqual([]);
    expect(values({ properties: [] })).toEqual([]);
    expect(values({ features: [] })).toEqual([]);
    expect(values({ plans: [] })).toEqual([]);
    for (const strange of [
      { value: '5' },
      { value: null },
      { featureId: 'feat_other' },
      { propertyId: '__proto__' },
      { planId: 'plan_gone' },
    ]) {
      expect(values({ planValues: [{ ...value!, ...strange }] })).toEqual([]);
    }
  });

  it('takes enabled workflows that have code and their feature, and no others', () => {
    const row = {
      name: 'W',
      type: 'feature-behaviour',
      featureId: 'feat_analytics',
      enabled: true,
      source: 'typed code',
      compiled: 'code',
    } as const;
    const { workflows } = compileArtifact({
      ...SMALL,
      workflows: [
        { ...row, id: 'wf_5', type: 'dynamic-provisioning', featureId: null },
        { ...row, id: 'wf_4', enabled: false },
        { ...row, id: 'wf_3', compiled: null },
        { ...row, id: 'wf_2', featureId: 'feat_gone' },
        { ...row, id: 'wf_1' },
      ],
    });
    expect(workflows.map(({ id, featureId }) => [id, featureId])).toEqual([
      ['wf_1', 'feat_analytics'],
      ['wf_5', null],
    ]);
  });

  it('makes content that can always be prepared', () => {
    fc.assert(
      fc.property(workspace, (rows) => {
        expect(() => prepare(compileArtifact(rows))).not.toThrow();
      }),
      { numRuns: 100 },
    );
  });
});

describe('canonical JSON', () => {
  const json = fc.jsonValue({ noUnicodeString: false });

  it('does not depend on the order of keys', () => {
    const pairs = fc.uniqueArray(fc.tuple(fc.string(), json), { selector: ([key]) => key });
    const orders = pairs.chain((own) =>
      fc.tuple(fc.constant(own), fc.shuffledSubarray(own, { minLength: own.length })),
    );
    fc.assert(
      fc.property(orders, ([one, other]) => {
        expect(canonicalJson(Object.fromEntries(other))).toBe(canonicalJson(Object.fromEntries(one)));
      }),
    );
  });

  it('says what JSON says, and says it again after a round trip', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('sorts by UTF-16 units and keeps an own __proto__', () => {
    const value = JSON.parse('{"ﬁ":1,"😀":2,"b":{"__proto__":{"z":1,"a":2}},"10":3,"9":4}');
    expect(canonicalJson(value)).toBe('{"10":3,"9":4,"b":{"__proto__":{"a":2,"z":1}},"😀":2,"ﬁ":1}');
    expect(canonicalJson(Object.assign(Object.create(null), { b: 1, a: -0 }))).toBe('{"a":0,"b":1}');
  });

  it('leaves undefined members out and refuses what JSON cannot say', () => {
    expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
    const unsayable = [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      undefined,
      [undefined],
      Array(1),
      1n,
      Symbol('s'),
      () => 1,
    ];
    for (const value of [...unsayable, new Map(), new Date(0), { a: { b: Number.NaN } }]) {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    }
  });
});
