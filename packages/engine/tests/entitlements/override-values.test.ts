import { describe, expect, it } from 'vitest';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { explain } from '#engine/entitlements/explain';
import { overrideValues } from '#engine/entitlements/override-values';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import { renderFeatures } from '#engine/entitlements/render-features';
import { resolve } from '#engine/entitlements/resolve';
import { usageReadsOf } from '#engine/entitlements/usage-reads';
import { SMALL } from '../small-workspace.ts';

const preparedOf = (rows: Workspace) => prepare(compileArtifact(rows));

describe('overriding values', () => {
  it('changes what fits and nothing else, reports what does not, and does not change the cached resolution', () => {
    const prepared = preparedOf(SMALL);
    const resolution = resolve(prepared, plansOf(prepared, { isAuthenticated: false }));
    const before = renderFeatures(resolution, null, 5).json;
    const { resolution: changed, refused } = overrideValues(resolution, [
      { propertyId: 'prop_seats', value: 40, source: 'Give seats' },
      { propertyId: 'prop_seats', value: 'many', source: 'Give seats' },
      { propertyId: 'prop_missing', value: 1, source: 'Give seats' },
      { propertyId: '__proto__', value: 1, source: 'Give seats' },
    ]);
    expect(refused.map(({ override, issues }) => [override.propertyId, issues[0]!.message])).toEqual([
      ['prop_seats', 'Must be a number'],
      ['prop_missing', 'Unknown property'],
      ['__proto__', 'Unknown property'],
    ]);
    expect(evaluateResolution(changed, null, 5).features.analytics!.properties.seats).toBe(40);
    expect(JSON.parse(renderFeatures(changed, null, 5).json).analytics.properties).toEqual({
      enabled: true,
      exports: { state: 'off', allowed: false },
      seats: 40,
    });
    expect(renderFeatures(resolution, null, 5).json).toBe(before);
    expect(evaluateResolution(resolution, null, 5).features.analytics!.properties.seats).toBe(1);
    expect(resolve(prepared, plansOf(prepared, { isAuthenticated: false }))).toBe(resolution);
    expect(explain(changed).find(({ property }) => property === 'seats')!.decidedBy).toEqual({
      override: 'Give seats',
    });
  });

  it('may make a property metered, which then needs a reading', () => {
    const prepared = preparedOf(SMALL);
    const resolution = resolve(prepared, plansOf(prepared, { isAuthenticated: false }));
    const meter = { limit: 2, periodType: 'lifetime', uniqueResourceIds: false };
    const { resolution: changed } = overrideValues(resolution, [
      { propertyId: 'prop_exports', value: { state: 'metered', meter }, source: 'override' },
    ]);
    expect(usageReadsOf(changed, undefined)).toMatchObject({
      reads: [{ propertyId: 'prop_exports', meter }],
      isMetered: true,
    });
    const { json } = renderFeatures(changed, new Map([['prop_exports', { used: 2 }]]), 5);
    expect(JSON.parse(json).analytics.properties.exports).toMatchObject({ allowed: false, remaining: 0 });
  });
});
