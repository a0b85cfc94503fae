import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BalanceFacts, CustomerFacts } from '#contracts/internal/customer-facts';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { attachBalances } from '#engine/entitlements/attach-balances';
import { explain, readUsage } from '#engine/entitlements/explain';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import { resolve } from '#engine/entitlements/resolve';
import { subjectOf, workspace } from '../arbitraries.ts';
import { propertyRow, SMALL } from '../small-workspace.ts';

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

  it('says what is left of the quota and of each balance, once usage was read', () => {
    const now = Date.UTC(2026, 10, 29);
    const prepared = preparedOf(SMALL);
    const balance = (id: string, more: Partial<BalanceFacts> = {}): BalanceFacts => ({
      ...{ id, propertyId: 'prop_exports', amount: 10_000, category: 'paid', startsAt: 0, endsAt: null },
      ...{ priority: 50, ...more },
    });
    const reasonOf = (balances: BalanceFacts[], used: number, grants: Record<string, number>) => {
      const plans = plansOf(prepared, { isAuthenticated: true, grantedPlanIds: ['plan_pro'] });
      const resolution = attachBalances(
        resolve(prepared, plans),
        { balances } as unknown as CustomerFacts,
        0,
      );
      const inWindow = Object.values(grants).reduce((sum, each) => sum + each, 0);
      const readings = new Map([['prop_exports', { used, draws: { inWindow, grants } }]]);
      const all = explain(resolution, undefined, readUsage(readings, now));
      return all.find(({ property }) => property === 'exports')?.reason;
    };
    const rule = 'Pro sets 10 / month, Free sets off; a limit wins over off.';
    const bought = balance('bal_1', { name: 'inv-118', endsAt: Date.UTC(2027, 10, 28) });
    expect(reasonOf([bought], 2_160, { bal_1: 2_150 })).toBe(
      `${rule} All 10 of Pro are used; 2,150 of 10,000 (inv-118) are used, 7,850 left until 28 Nov 2027.`,
    );
    expect(reasonOf([balance('bal_2', { amount: 1, priority: 10 })], 4, { bal_2: 1 })).toBe(
      `${rule} All 1 (bal_2) is used; 3 of 10 of Pro are used, 7 left until 1 Dec 2026.`,
    );
    expect(reasonOf([balance('bal_1', { amount: 5 })], 17, { bal_1: 5 })).toBe(
      `${rule} All 10 of Pro are used; all 5 (bal_1) are used; 2 above them.`,
    );
    const many = Array.from({ length: 8 }, (_, index) => balance(`bal_${index}`));
    expect(reasonOf(many, 0, {})).toContain('0 of 10,000 (bal_3) are used, 10,000 left; 4 more.');
    expect(reasonOf([], 3, {})).toBe(rule);
  });

  it('says what each one costs, and what is left to pay for it', () => {
    const lifetime = { limit: 100, periodType: 'lifetime', uniqueResourceIds: false } as const;
    const prepared = preparedOf({
      ...SMALL,
      properties: [
        ...SMALL.properties.map((row) =>
          row.key === 'exports' ? { ...row, costs: { propertyId: 'prop_credits', thousandths: 250 } } : row,
        ),
        propertyRow({
          ...{ id: 'prop_credits', key: 'credits', type: 'meterable' },
          value: { state: 'metered', meter: lifetime },
        }),
      ],
    });
    const plans = plansOf(prepared, { isAuthenticated: true, grantedPlanIds: ['plan_pro'] });
    const reasonOf = (...given: Parameters<typeof readUsage>) =>
      explain(resolve(prepared, plans), undefined, readUsage(...given)).find(
        ({ property }) => property === 'exports',
      )?.reason;
    const rule = 'Pro sets 10 / month, Free sets off; a limit wins over off.';
    expect(reasonOf(null, 0)).toBe(`${rule} Each one costs 0.25 of analytics.credits.`);
    expect(reasonOf(new Map([['prop_credits', { used: 93 }]]), 0)).toBe(
      `${rule} Each one costs 0.25 of analytics.credits, which has 7 left.`,
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
