import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { explain } from '#engine/entitlements/explain';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import { resolve } from '#engine/entitlements/resolve';
import { subjectOf, workspace } from '../arbitraries.ts';
import { SMALL } from '../small-workspace.ts';

const preparedOf = (rows: Workspace) => prepare(compileArtifact(rows));

describe('explaining', () => {
  it('names the plans that decided, the default, or the rule that settled a difference', () => {
    const prepared = preparedOf(SMALL);
    const reasons = (subject: Parameters<typeof plansOf>[1]) =>
      explain(resolve(prepared, plansOf(prepared, subject))).map(({ property, decidedBy, reason }) => [
        property,
        decidedBy,
        reason,
      ]);
    expect(reasons({ isAuthenticated: true, grantedPlanIds: ['plan_pro'] })).toEqual([
      ['enabled', ['free', 'pro'], "Set by the plans 'free' and 'pro'."],
      ['exports', ['pro'], 'Pro sets 10 / month, Free sets off; a limit wins over off.'],
      ['seats', ['pro'], 'Pro sets 5, Free sets 1; the highest wins.'],
    ]);
  });

  it('names all plans whose values add up', () => {
    const prepared = preparedOf({
      ...SMALL,
      properties: SMALL.properties.map((row) =>
        row.key === 'seats' ? { ...row, conflictResolution: 'sum' } : row,
      ),
    });
    const subject = { isAuthenticated: true, grantedPlanIds: ['plan_pro'] };
    expect(explain(resolve(prepared, plansOf(prepared, subject)))).toContainEqual(
      expect.objectContaining({
        property: 'seats',
        value: 6,
        decidedBy: ['free', 'pro'],
        reason: 'Free sets 1, Pro sets 5; they add up to 6.',
      }),
    );
  });

  it('names for every property the plans that configure its value, or the default if none does', () => {
    const cases = workspace.chain((rows) => fc.tuple(fc.constant(preparedOf(rows)), subjectOf(rows)));
    fc.assert(
      fc.property(cases, ([prepared, subject]) => {
        const sums = new Set(
          prepared.properties
            .filter((each) => each.property.conflictResolution === 'sum')
            .map(({ feature, property }) => `${feature.slug} ${property.key}`),
        );
        for (const { feature, property, decidedBy, candidates, value, reason } of explain(
          resolve(prepared, plansOf(prepared, subject)),
        )) {
          if (reason === 'The feature is off, so its meters are off.')
            expect(value).toEqual({ state: 'off' });
          else if (decidedBy === 'default') expect(candidates).toEqual([]);
          else {
            const deciding = candidates.filter((candidate) =>
              (decidedBy as string[]).includes(candidate.plan),
            );
            expect(deciding.length).toBeGreaterThan(0);
            if (!sums.has(`${feature} ${property}`))
              for (const candidate of deciding) expect(candidate.value).toEqual(value);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
