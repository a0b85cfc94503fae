import { describe, expect, it } from 'vitest';
import type { PropertyAnswer } from '#contracts/public/access';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { explainRecorded, isSameAnswer } from '#engine/entitlements/explain-recorded';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import { renderFeatures } from '#engine/entitlements/render-features';
import { resolve } from '#engine/entitlements/resolve';
import { SMALL } from '#tests/engine/small-workspace';

const prepared = prepare(compileArtifact(SMALL));
const subject = { isAuthenticated: true, grantedPlanIds: ['plan_pro'] };
const answered = () => {
  const resolution = resolve(prepared, plansOf(prepared, subject));
  return {
    plans: resolution.planSlugs,
    features: JSON.parse(renderFeatures(resolution, null, 0).json) as Record<
      string,
      { properties: Record<string, PropertyAnswer> }
    >,
  };
};

describe('explaining a recorded answer', () => {
  it('names the plans that decided each value', () => {
    const { plans, features } = answered();
    const explained = explainRecorded(prepared, plans, features);
    expect(explained.map(({ property, decidedBy }) => [property, decidedBy])).toEqual([
      ['enabled', ['free', 'pro']],
      ['exports', ['pro']],
      ['seats', ['pro']],
    ]);
  });

  it('attributes a value that the plans do not explain to something else', () => {
    const { plans, features } = answered();
    const [slug] = Object.entries(features).find(([, { properties }]) => 'seats' in properties)!;
    const changed = { [slug]: { properties: { ...features[slug]!.properties, seats: 4711 } } };
    expect(
      explainRecorded(prepared, plans, changed).find(({ property }) => property === 'seats'),
    ).toMatchObject({
      decidedBy: 'other',
      value: 4711,
    });
  });

  it('leaves out what the version does not have, whatever its name', () => {
    const features = JSON.parse(
      '{"__proto__":{"properties":{"seats":1}},"constructor":{"properties":{}},"gone":{"properties":{"x":1}}}',
    );
    expect(explainRecorded(prepared, ['gone', '__proto__'], features)).toEqual([]);
  });
});

describe('comparing answers', () => {
  const meter = (used: number, limit = 10): PropertyAnswer => ({
    ...{ state: 'metered', allowed: used < limit, limit, used, remaining: Math.max(0, limit - used) },
    ...{ periodType: 'lifetime', periodCount: null, periodLength: null, resetsAt: null },
  });

  it('ignores how much of a meter is used, not whether it allows more', () => {
    expect(isSameAnswer(meter(1), meter(2))).toBe(true);
    expect(isSameAnswer(meter(1), meter(10))).toBe(false);
    expect(isSameAnswer(meter(1), meter(1, 11))).toBe(false);
    expect(isSameAnswer(meter(1), { state: 'on', allowed: true })).toBe(false);
    expect(isSameAnswer(true, true)).toBe(true);
    expect(isSameAnswer('1', 1)).toBe(false);
  });
});
