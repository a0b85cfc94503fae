// A version of a later release: what this one cannot decide is off, and everything else is as it was.
import { expect, it } from 'vitest';
import type { PropertyValue } from '#contracts/public/values';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { requirementsOf } from '#engine/artifacts/requirements';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { planSetOf } from '#engine/entitlements/plan-set';
import { prepare } from '#engine/entitlements/prepare';
import { resolve } from '#engine/entitlements/resolve';
import { propertyRow, SMALL } from '../small-workspace.ts';

const content = compileArtifact(SMALL);

function requiring(propertyId: string, requires: readonly string[]): ArtifactContent {
  const features = content.features.map((feature) => ({
    ...feature,
    properties: feature.properties.map((property) =>
      property.id === propertyId ? { ...property, requires } : property,
    ),
  }));
  return { ...content, features };
}

/** Of nobody’s plans, one, the other and both. */
function answersOf(given: ArtifactContent) {
  const prepared = prepare(given);
  return [[], [0], [1], [0, 1]].map((indexes) => {
    const { features } = evaluateResolution(resolve(prepared, planSetOf(indexes)), new Map(), 0);
    const { exports, seats, enabled } = features.analytics?.properties ?? {};
    return { exports, seats, enabled };
  });
}

it('is off where it requires what this release does not know, whatever plans say, and leaves other properties alone', () => {
  const off = answersOf(content).map((each) => ({ ...each, exports: { state: 'off', allowed: false } }));
  expect(answersOf(requiring('prop_exports', ['something-later']))).toEqual(off);
});

it('requires costs where a meter costs another, and nothing where it costs a property that is gone', () => {
  const requiresOf = (payer: string) =>
    compileArtifact({
      ...SMALL,
      properties: [
        ...SMALL.properties.map((row) =>
          row.id === 'prop_exports' ? { ...row, costs: { propertyId: payer, thousandths: 250 } } : row,
        ),
        propertyRow({ id: 'prop_credits', key: 'credits', type: 'meterable', value: { state: 'on' } }),
      ],
    }).features.flatMap(({ properties }) => properties.map(({ requires }) => requires));
  expect(requiresOf('prop_credits').filter((each) => each !== undefined)).toEqual([['costs']]);
  expect(requiresOf('prop_gone').filter((each) => each !== undefined)).toEqual([]);
});

it('is no other version if it requires nothing, or is no meter', () => {
  expect(answersOf(requiring('prop_exports', []))).toEqual(answersOf(content));
  expect(answersOf(requiring('prop_seats', ['something-later']))).toEqual(answersOf(content));
});

it('is known to be needed where a plan or the default rolls over', () => {
  const meter = { limit: 1, periodType: 'billing', periodLength: 'month', uniqueResourceIds: false } as const;
  const rollover = { max: 'all', lasts: 'forever' } as const;
  expect(requirementsOf({}, [{ state: 'on' }, { state: 'metered', meter }], null)).toEqual([]);
  expect(
    requirementsOf({}, [{ state: 'off' }, { state: 'metered', meter: { ...meter, rollover } }], null),
  ).toEqual(['rollover']);
});

it('is known to be needed where a period of the calendar follows another zone than UTC, of a customer or of each entity', () => {
  const every = { limit: 1, periodType: 'rolling', periodLength: 'day' } as const;
  const last = { ...every, periodType: 'fixed' } as const;
  const values: readonly [PropertyValue, string[]][] = [
    [{ state: 'metered', meter: { ...every, uniqueResourceIds: false } }, ['zone']],
    [{ state: 'metered', meter: { ...last, uniqueResourceIds: false } }, []],
    [{ state: 'on', perEntity: every }, ['entities', 'zone']],
    [{ state: 'on', perEntity: last }, ['entities']],
  ];
  for (const [value, requires] of values) {
    expect(requirementsOf({}, [value], 'Asia/Kolkata')).toEqual(requires);
    expect(requirementsOf({}, [value], null)).toEqual(requires.filter((each) => each !== 'zone'));
  }
  const rows = SMALL.planValues.map((row) => ({ ...row, value: values[0]?.[0] }));
  const requiresIn = (zone?: string) =>
    compileArtifact({ ...SMALL, planValues: rows, ...(zone && { zone }) }).features.flatMap(
      ({ properties }) => properties.flatMap(({ requires = [] }) => requires),
    );
  expect(requiresIn()).toEqual([]);
  expect(requiresIn('UTC')).toEqual([]);
  expect(new Set(requiresIn('Asia/Kolkata'))).toEqual(new Set(['zone']));
});

it('is known to be needed where a plan limits entities, and where they need a seat', () => {
  const perEntity = { limit: 1, periodType: 'lifetime' } as const;
  expect(requirementsOf({}, [{ state: 'on', perEntity }])).toEqual(['entities']);
  const seated = { ...perEntity, seats: 'prop_seats' };
  expect(requirementsOf({}, [{ state: 'on', perEntity: seated }])).toEqual(['entities', 'seats']);
});
