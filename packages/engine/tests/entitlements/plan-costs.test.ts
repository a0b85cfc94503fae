// What each one costs by a plan: of several plans, whichever limit applies, the lowest.
import { describe, expect, it, test } from 'vitest';
import type { ConflictResolution, MeterableValue } from '#contracts/public/values';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { compareResolutions } from '#engine/entitlements/compare-resolutions';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { explain } from '#engine/entitlements/explain';
import { overrideValues } from '#engine/entitlements/override-values';
import { planSetOf } from '#engine/entitlements/plan-set';
import { prepare } from '#engine/entitlements/prepare';
import { resolve } from '#engine/entitlements/resolve';
import { planRow, propertyRow } from '../small-workspace.ts';

const featureId = 'feat_images';
const limited = (limit: number, costs?: { per: number }): MeterableValue => ({
  state: 'metered',
  meter: { limit, periodType: 'lifetime', uniqueResourceIds: false },
  ...(costs && { costs }),
});
const ON: MeterableValue = { state: 'on' };

/** Images that cost 4 credits. @param values of images in the plans p0, p1… */
function workspace(
  values: readonly MeterableValue[],
  { rule = 'higher', isFree = false }: { rule?: ConflictResolution; isFree?: boolean } = {},
): Workspace {
  const images = propertyRow({ id: 'images', key: 'images', type: 'meterable', value: ON, featureId });
  return {
    features: [{ id: featureId, slug: 'images', name: 'Images', description: null }],
    properties: [
      {
        ...{ ...images, conflictResolution: rule },
        costs: isFree ? null : { propertyId: 'credits', thousandths: 4_000 },
      },
      propertyRow({ id: 'credits', key: 'credits', type: 'meterable', value: limited(100), featureId }),
    ],
    plans: values.map((_, index) => planRow(`p${index}`, `p${index}`, false, false)),
    planValues: values.map((value, index) => ({
      planId: `p${index}`,
      featureId,
      propertyId: 'images',
      value,
    })),
    ...{ planProducts: [], workflows: [], limitOrder: 'limit' },
  };
}

function resolved(...given: Parameters<typeof workspace>) {
  const prepared = prepare(compileArtifact(workspace(...given)));
  return (plans: readonly number[]) => resolve(prepared, planSetOf([...plans]));
}

const imagesOf = (resolution: ReturnType<ReturnType<typeof resolved>>) =>
  evaluateResolution(resolution, new Map(), 0).features.images?.properties.images as {
    limit?: number;
    costs?: { per: number };
  };

describe('a plan’s cost', () => {
  const of = resolved([
    limited(10, { per: 3 }),
    limited(50),
    ON,
    { ...ON, costs: { per: 6 } },
    { state: 'off' },
  ]);
  const per = (...plans: number[]) => imagesOf(of(plans)).costs?.per;

  it('applies instead of the property’s, which plans have that say nothing', () => {
    expect([per(), per(0), per(1), per(2), per(3)]).toEqual([4, 3, 4, 4, 6]);
  });

  it('is the lowest of those of several plans, whichever limit applies', () => {
    expect(imagesOf(of([0, 1]))).toMatchObject({ limit: 50, costs: { per: 3 } });
    expect([per(2, 3), per(0, 3), per(0, 1, 2, 3)]).toEqual([4, 3, 3]);
  });

  it('is not that of a plan which turns the meter off', () => {
    expect(per(3, 4)).toBe(6);
  });

  it('is the highest by the rule lower', () => {
    const lower = resolved([limited(10, { per: 3 }), limited(50)], { rule: 'lower' });
    expect(imagesOf(lower([0, 1]))).toMatchObject({ limit: 10, costs: { per: 4 } });
  });

  it('is said by explanations, and stays where an override sets the value', () => {
    const free = overrideValues(of([0]), [{ propertyId: 'images', value: ON, source: 'override' }]);
    expect(imagesOf(free.resolution)).toMatchObject({ state: 'on', costs: { per: 3 } });
    const [, images] = explain(of([0]));
    expect(images?.reason).toContain('Each one costs 3 of images.credits');
    const own = { propertyId: 'images', value: { ...ON, costs: { per: 1 } }, source: 'override' };
    expect(overrideValues(of([0]), [own]).refused[0]?.issues).toEqual([
      { path: 'costs', message: 'Only plans say what each one costs' },
    ]);
  });

  it('changes what customers pay', () => {
    const dear = resolved([limited(10, { per: 5 })]);
    const [change] = compareResolutions(of([0]), dear([0]));
    expect(change).toMatchObject({
      kind: 'less',
      costs: { before: { thousandths: 3_000 }, after: { thousandths: 5_000 } },
    });
  });
});

test('what a version holds of it requires a release that knows it, and is nothing where the property costs nothing', () => {
  const contentOf = (isFree: boolean) => compileArtifact(workspace([limited(10, { per: 3 })], { isFree }));
  const [paid, free] = [contentOf(false), contentOf(true)].map(({ features, plans }) => ({
    requires: features[0]?.properties.find(({ id }) => id === 'images')?.requires,
    value: plans[0]?.values[0]?.value,
  }));
  expect(paid).toEqual({ requires: ['costs', 'plan-costs'], value: limited(10, { per: 3 }) });
  expect(free).toEqual({ requires: undefined, value: limited(10) });
});
