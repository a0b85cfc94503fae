import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { evaluate } from '#engine/entitlements/evaluate';
import { planSetOf } from '#engine/entitlements/plan-set';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import type { PreparedArtifact } from '#engine/entitlements/prepared-artifact';
import { configuredValue, resolve } from '#engine/entitlements/resolve';
import { mergeValues } from '#engine/merge/merge-values';
import { kindOf } from '#engine/values/kinds/kinds';
import { instant, shuffled, subjectOf, workspace } from '../arbitraries.ts';
import { SMALL } from '../small-workspace.ts';

const preparedOf = (rows: Workspace) => prepare(compileArtifact(rows));

/** Some plans of an artifact, as indexes. */
const planIndexes = ({ plans }: PreparedArtifact) =>
  fc.subarray(plans.map((_, index) => index)).map((indexes) => indexes.sort((one, other) => one - other));

describe('resolving a set of plans', () => {
  it('gives each property the merged value of the plans that configure it, or its default', () => {
    const cases = workspace.chain((rows) => {
      const prepared = preparedOf(rows);
      return fc.tuple(fc.constant(prepared), planIndexes(prepared));
    });
    fc.assert(
      fc.property(cases, ([prepared, indexes]) => {
        const resolution = resolve(prepared, planSetOf(indexes));
        for (const entry of prepared.properties) {
          const { id, type, conflictResolution, value } = entry.property;
          const configured = indexes.flatMap((index) =>
            prepared.plans[index]!.plan.values.filter((own) => own.propertyId === id).map((own) => own.value),
          );
          expect(configuredValue(resolution, entry)).toEqual(
            mergeValues(type, conflictResolution, configured, prepared.limitOrder) ?? value,
          );
        }
      }),
      { numRuns: 200 },
    );
  });

  it('never depends on the order in which features, plans and values are stored', () => {
    const cases = workspace.chain((rows) =>
      fc.tuple(fc.constant(rows), shuffled(rows), subjectOf(rows), instant),
    );
    fc.assert(
      fc.property(cases, ([rows, others, subject, now]) => {
        const reordered = {
          ...subject,
          products: subject.products?.toReversed(),
          grantedPlanIds: subject.grantedPlanIds?.toReversed(),
          provisioned: subject.provisioned?.toReversed(),
        };
        expect(evaluate(preparedOf(others), reordered, null, now)).toEqual(
          evaluate(preparedOf(rows), subject, null, now),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('with one plan more never lowers a `higher` property nor raises a `lower` one that a plan configured', () => {
    const cases = workspace
      .filter(({ plans }) => plans.length > 0)
      .chain((rows) => {
        const prepared = preparedOf(rows);
        return fc.tuple(fc.constant(prepared), planIndexes(prepared), fc.nat(prepared.plans.length - 1));
      });
    fc.assert(
      fc.property(cases, ([prepared, indexes, added]) => {
        const before = resolve(prepared, planSetOf(indexes));
        const after = resolve(prepared, planSetOf([...new Set([...indexes, added])].sort((a, b) => a - b)));
        const configured = new Set(
          indexes.flatMap((index) => prepared.plans[index]!.plan.values.map(({ propertyId }) => propertyId)),
        );
        for (const entry of prepared.properties) {
          if (!configured.has(entry.property.id)) continue;
          const [now, then] = [configuredValue(after, entry), configuredValue(before, entry)];
          const order = kindOf(entry.type).compare(now, then, prepared.limitOrder);
          const { conflictResolution } = entry.property;
          if (conflictResolution === 'higher') expect(order).toBeGreaterThanOrEqual(0);
          if (conflictResolution === 'lower') expect(order).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is computed once per set of plans', () => {
    const prepared = preparedOf(SMALL);
    const subject = { isAuthenticated: true, grantedPlanIds: ['plan_pro'] };
    const first = resolve(prepared, plansOf(prepared, subject));
    expect(resolve(prepared, plansOf(prepared, subject))).toBe(first);
    expect(first.planSlugs).toEqual(['free', 'pro']);
    expect(first.plansText).toBe('"plans":["free","pro"]');
  });

  it('caches a bounded number of plan sets, and recomputes an evicted one correctly', () => {
    const plans = Array.from({ length: 14 }, (_, index) => ({
      ...SMALL.plans[0]!,
      id: `plan_${String(index).padStart(2, '0')}`,
      slug: `p${index}`,
    }));
    const prepared = preparedOf({
      ...SMALL,
      plans,
      planValues: plans.map(({ id }, index) => ({
        planId: id,
        featureId: 'feat_analytics',
        propertyId: 'prop_seats',
        value: index,
      })),
    });
    for (let round = 0; round < 2; round++) {
      for (let mask = 1; mask < 2 ** 14; mask += 3) {
        const indexes = plans.flatMap((_, index) => (mask & (1 << index) ? [index] : []));
        const resolution = resolve(prepared, planSetOf(indexes));
        expect(configuredValue(resolution, prepared.propertyById.get('prop_seats')!)).toBe(indexes.at(-1));
      }
    }
    expect(prepared.resolutions.size).toBeLessThan(2 ** 14 / 3);
    expect(prepared.resolutions.weight).toBeLessThanOrEqual(4 * 1024 * 1024);
  });
});
