import { expect, test } from 'vitest';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { compareResolutions, leadingChanges, worstKind } from '#engine/entitlements/compare-resolutions';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import { resolve } from '#engine/entitlements/resolve';
import { propertyRow, SMALL } from '../small-workspace.ts';

const featureId = 'feat_analytics';

/** What somebody on the pro plan has. */
function ofPro(workspace: Workspace) {
  const prepared = prepare(compileArtifact(workspace));
  return resolve(prepared, plansOf(prepared, { isAuthenticated: true, grantedPlanIds: ['plan_pro'] }));
}

const changesTo = (workspace: Workspace, from: Workspace = SMALL) =>
  compareResolutions(ofPro(from), ofPro(workspace));
const shown = (changes: ReturnType<typeof changesTo>) =>
  changes.map(({ kind, property: { property }, before, after }) => [kind, property.key, before, after]);
const withValue = (propertyId: string, value: unknown): Workspace => ({
  ...SMALL,
  planValues: SMALL.planValues.map((each) =>
    each.planId === 'plan_pro' && each.propertyId === propertyId ? { ...each, value } : each,
  ) as Workspace['planValues'],
});
const withProperty = (row: Parameters<typeof propertyRow>[0]): Workspace => ({
  ...SMALL,
  properties: [...SMALL.properties, propertyRow(row)],
});

test('equal versions change nothing', () => {
  expect(changesTo(SMALL)).toEqual([]);
});

test('a higher and a lower number are more and less; by the rule "lower" it is the other way round', () => {
  expect(shown(changesTo(withValue('prop_seats', 8)))).toEqual([['more', 'seats', 5, 8]]);
  expect(shown(changesTo(withValue('prop_seats', 3)))).toEqual([['less', 'seats', 5, 3]]);
  const price = { id: 'prop_price', key: 'price', type: 'number', conflictResolution: 'lower' } as const;
  const [cheap, dear] = [2, 9].map((value) => withProperty({ ...price, value }));
  expect(shown(changesTo(dear!, cheap))).toEqual([['less', 'price', 2, 9]]);
  expect(shown(changesTo(cheap!, dear))).toEqual([['more', 'price', 9, 2]]);
});

test('a limit that falls is less, one that is turned off is lost, and "on" is more than any limit', () => {
  const exports = (value: unknown) => changesTo(withValue('prop_exports', value)).map(({ kind }) => kind);
  const meter = { periodType: 'rolling', periodCount: 1, periodLength: 'month', uniqueResourceIds: false };
  expect(exports({ state: 'metered', meter: { ...meter, limit: 4 } })).toEqual(['less']);
  expect(exports({ state: 'off' })).toEqual(['loses']);
  expect(exports({ state: 'on' })).toEqual(['more']);
});

test('texts only change', () => {
  const [one, other] = ['basic', 'gold'].map((value) =>
    withProperty({ id: 'prop_level', key: 'level', type: 'string', value }),
  );
  expect(shown(changesTo(other!, one))).toEqual([['changes', 'level', 'basic', 'gold']]);
});

test('a property with another type only changes', () => {
  const seats = SMALL.properties.map((each) =>
    each.id === 'prop_seats' ? { ...each, type: 'string' as const, value: '' } : each,
  );
  const planValues = SMALL.planValues.filter(({ propertyId }) => propertyId !== 'prop_seats');
  const kinds = changesTo({ ...SMALL, properties: seats, planValues }).map(({ kind }) => kind);
  expect(kinds).toEqual(['changes']);
});

test('a property that is new or gone counts with its default where it is absent', () => {
  const row = { id: 'prop_sso', key: 'sso', type: 'boolean', value: false } as const;
  const idle = withProperty(row);
  const used = {
    ...idle,
    planValues: [...idle.planValues, { planId: 'plan_pro', featureId, propertyId: 'prop_sso', value: true }],
  };
  expect(changesTo(idle)).toEqual([]);
  expect(changesTo(SMALL, idle)).toEqual([]);
  expect(shown(changesTo(used))).toEqual([['gains', 'sso', null, true]]);
  expect(shown(changesTo(SMALL, used))).toEqual([['loses', 'sso', true, null]]);
});

test('a feature that is turned off says so for all of its properties', () => {
  const off: Workspace = {
    ...SMALL,
    planValues: SMALL.planValues.map((each) =>
      each.propertyId === 'prop_enabled' ? { ...each, value: false } : each,
    ),
  };
  const changes = changesTo(off);
  expect(changes.length).toBeGreaterThan(1);
  expect(shown([...leadingChanges(changes)])).toEqual([['loses', 'enabled', true, false]]);
  expect(worstKind(changes)).toBe('loses');
  expect(worstKind([])).toBeUndefined();
});

test('what one direction takes, the other gives', () => {
  const opposite = { loses: 'gains', less: 'more', changes: 'changes', more: 'less', gains: 'loses' };
  for (const value of [{ state: 'on' }, { state: 'off' }]) {
    const other = withValue('prop_exports', value);
    const back = changesTo(SMALL, other).map(({ kind }) => kind);
    const there = changesTo(other).map(({ kind }) => kind);
    // From "on" to a limit is less, and from "off" to a limit is a gain.
    expect(back).toEqual(there.map((kind) => opposite[kind]));
  }
});

const meter = { limit: 10, periodType: 'lifetime', uniqueResourceIds: false };

/** Exports that cost credits or tokens. @param credits that pro has */
function costing(costs: { propertyId: string; thousandths: number } | null, credits: unknown = 'on') {
  const payers = ['credits', 'tokens'].map((key) =>
    propertyRow({ id: `prop_${key}`, key, type: 'meterable', value: { state: 'on' } }),
  );
  const properties = SMALL.properties.map((each) => (each.id === 'prop_exports' ? { ...each, costs } : each));
  const value = credits === 'on' ? { state: 'on' } : credits;
  return {
    ...SMALL,
    properties: [...properties, ...payers],
    planValues: [...SMALL.planValues, { planId: 'plan_pro', featureId, propertyId: 'prop_credits', value }],
  } as Workspace;
}
const two = { propertyId: 'prop_credits', thousandths: 2_000 };
const costsShown = (from: Workspace, to: Workspace) =>
  changesTo(to, from).map(({ kind, property, costs }) => [
    `${kind} ${property.property.key}`,
    costs && [costs.before?.thousandths ?? null, costs.after?.thousandths ?? null],
  ]);

test('what each one costs is a change of its own: more is less, and nothing is most', () => {
  const [none, cheap, dear] = [costing(null), costing(two), costing({ ...two, thousandths: 4_000 })];
  expect(changesTo(cheap, cheap)).toEqual([]);
  expect(costsShown(cheap, dear)).toEqual([['less exports', [2_000, 4_000]]]);
  expect(costsShown(dear, cheap)).toEqual([['more exports', [4_000, 2_000]]]);
  expect(costsShown(none, cheap)).toEqual([['less exports', [null, 2_000]]]);
  expect(costsShown(cheap, none)).toEqual([['more exports', [2_000, null]]]);
  const tokens = costing({ propertyId: 'prop_tokens', thousandths: 2_000 });
  expect(costsShown(cheap, tokens)).toEqual([['changes exports', [2_000, 2_000]]]);
});

test('what costs a meter that is off is lost; of a meter that is off itself, the costs do not matter', () => {
  const off = costing(two, { state: 'off' });
  expect(costsShown(costing(null, { state: 'off' }), off)).toEqual([['loses exports', [null, 2_000]]]);
  expect(costsShown(off, costing(null, { state: 'off' }))).toEqual([['gains exports', [2_000, null]]]);
  expect(costsShown(off, costing(two, { state: 'metered', meter }))).toEqual([['gains credits', undefined]]);
  expect(changesTo(costing({ ...two, thousandths: 4_000 }, { state: 'off' }), off)).toEqual([]);
  const [free, paid] = [costing(null), costing(two)].map((workspace) => ({
    ...workspace,
    planValues: workspace.planValues.map((each) =>
      each.propertyId === 'prop_exports' ? { ...each, value: { state: 'off' } } : each,
    ),
  }));
  expect(changesTo(paid!, free)).toEqual([]);
});
