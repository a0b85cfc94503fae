// What a workflow reads of its feature's meters.
import { expect, it } from 'vitest';
import { workflowInputSchema } from '#contracts/console/workflow-runs';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import { resolve } from '#engine/entitlements/resolve';
import { SMALL } from '#engine/tests/small-workspace';
import { featureOf } from '#worker/domains/workflows/workflow-input';

it('what open holds have taken is no part of what is used, and absent without any', () => {
  const prepared = prepare(compileArtifact(SMALL));
  const plans = plansOf(prepared, { isAuthenticated: true, grantedPlanIds: ['plan_pro'] });
  const resolution = resolve(prepared, plans);
  const exportsOf = (held?: { amount: number; until: number }) => {
    const readings = new Map([['prop_exports', { used: 7, ...(held && { held }) }]]);
    const feature = featureOf(prepared.features[0]!, resolution, readings, 0);
    expect(workflowInputSchema.shape.feature.parse(feature)).toEqual(feature);
    return feature.meters.exports;
  };
  expect(exportsOf()).toEqual({ used: 7, limit: 10, remaining: 3 });
  expect(exportsOf({ amount: 2, until: 1_000 })).toEqual({ used: 5, held: 2, limit: 10, remaining: 3 });
});
