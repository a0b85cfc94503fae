// The zone of a version: every way to a calendar window has it, and nothing that people set does.
import { expect, it } from 'vitest';
import type { PropertyValue } from '#contracts/public/values';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { explain } from '#engine/entitlements/explain';
import { overrideValues } from '#engine/entitlements/override-values';
import { planSetOf } from '#engine/entitlements/plan-set';
import { prepare } from '#engine/entitlements/prepare';
import { renderFeatures } from '#engine/entitlements/render-features';
import { configuredValue, resolve } from '#engine/entitlements/resolve';
import { usageReadsOf } from '#engine/entitlements/usage-reads';
import { unzonedValue } from '#engine/entitlements/zoned-values';
import { SMALL } from '../small-workspace.ts';

const zone = 'Asia/Kolkata';
const monthly = (limit: number): PropertyValue => ({
  state: 'metered',
  meter: { limit, periodType: 'rolling', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
  perEntity: { limit: 1, periodType: 'rolling', periodCount: 1, periodLength: 'day' },
});
const prepared = prepare(
  compileArtifact({
    ...SMALL,
    zone,
    properties: SMALL.properties.map((row) => (row.isSystem ? { ...row, value: true } : row)),
    planValues: [
      ...[1, 2].map((each) => ({
        ...{ planId: SMALL.plans[each - 1]!.id, featureId: 'feat_analytics' },
        ...{ propertyId: 'prop_exports', value: monthly(100 * each) },
      })),
    ],
  }),
);
const exported = prepared.propertyById.get('prop_exports')!;
const NOW = Date.parse('2026-03-31T20:00Z');
const resetsAt = Date.parse('2026-04-30T18:30Z');

it('answers, reads, overrides and explanations follow it, and what workflows get does not say it', () => {
  const resolution = resolve(prepared, planSetOf([0, 1]));
  const answered = { limit: 200, resetsAt };
  const { features } = evaluateResolution(resolution, new Map(), NOW);
  expect(features.analytics?.properties.exports).toMatchObject(answered);
  expect(JSON.parse(renderFeatures(resolution, null, NOW).json).analytics.properties.exports).toMatchObject(
    answered,
  );
  const read = usageReadsOf(resolution, undefined).reads.find(
    ({ propertyId }) => propertyId === 'prop_exports',
  );
  expect(read?.meter.zone).toBe(zone);
  expect(explain(resolution).find(({ property }) => property === 'exports')?.reason).toContain(
    '200 / month (Asia/Kolkata), 1 / day (Asia/Kolkata) for each entity',
  );

  const { perEntity: _, ...own } = monthly(7) as { perEntity: object };
  const set = [{ propertyId: 'prop_exports', value: own, source: 'override' }];
  const overridden = overrideValues(resolution, set);
  expect(overridden.refused).toEqual([]);
  expect(
    evaluateResolution(overridden.resolution, new Map(), NOW).features.analytics?.properties.exports,
  ).toMatchObject({ limit: 7, resetsAt });
  // A workflow may return what it was given.
  expect(unzonedValue(configuredValue(resolution, exported))).toEqual(monthly(200));
  expect(unzonedValue(configuredValue(overridden.resolution, exported))).toEqual(own);
});
