// Remembered answers equal new ones to the letter, whatever is asked in which order.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { overrideValues } from '#engine/entitlements/override-values';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import { type Readings, renderFeatures } from '#engine/entitlements/render-features';
import { RenderedTexts } from '#engine/entitlements/rendered-texts';
import { resolve } from '#engine/entitlements/resolve';
import { instant, subjectOf, workspace } from '../arbitraries.ts';
import { SMALL } from '../small-workspace.ts';

const prepared = prepare(compileArtifact(SMALL));
const pro = resolve(prepared, plansOf(prepared, { isAuthenticated: true, grantedPlanIds: ['plan_pro'] }));
const NOW = Date.UTC(2025, 0, 15);

describe('a remembered answer', () => {
  it('equals a new one, for any customers, readings, features and instants, in a memory of any size', () => {
    const cases = workspace.chain((rows) => {
      const own = prepare(compileArtifact(rows));
      const reading = fc.record({
        used: fc.integer({ min: -2, max: 8 }),
        resetsAt: fc.constantFrom(null, -5, 5, 30_000, 70_000),
      });
      return fc.record({
        own: fc.constant(own),
        start: instant,
        subjects: fc.array(subjectOf(rows), { minLength: 1, maxLength: 3 }),
        customers: fc.array(fc.dictionary(fc.constantFrom(...own.propertyById.keys(), 'none'), reading), {
          minLength: 1,
          maxLength: 4,
        }),
        only: fc.option(fc.subarray([...own.featureBySlug.keys()])),
        bytes: fc.constantFrom(1, 2_000, 1_000_000),
        asked: fc.array(
          fc.record({
            subject: fc.nat(),
            customer: fc.nat(),
            isPart: fc.boolean(),
            // Also backwards, and beyond resets and the ends of windows.
            at: fc.constantFrom(0, 1, -1, 4, 5, 6, 59_999, 60_001, 3_600_000, 86_400_000 * 40),
          }),
          { minLength: 2, maxLength: 12 },
        ),
      });
    });
    fc.assert(
      fc.property(cases, ({ own, start, subjects, customers, only, bytes, asked }) => {
        const texts = new RenderedTexts(bytes);
        const readings = customers.map(
          (each): Readings =>
            new Map(
              Object.entries(each).map(([id, { used, resetsAt }]) => [
                id,
                { used, resetsAt: resetsAt === null ? null : start + resetsAt },
              ]),
            ),
        );
        for (const { subject, customer, isPart, at } of asked) {
          const resolution = resolve(own, plansOf(own, subjects[subject % subjects.length]!));
          const part = isPart && only !== null ? new Set(only) : undefined;
          const theirs = readings[customer % readings.length]!;
          const now = start + at;
          expect(texts.render(resolution, theirs, now, part)).toEqual(
            renderFeatures(resolution, theirs, now, part),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is the same string while no meter in it resets, so that nothing is written twice', () => {
    const texts = new RenderedTexts(1_000_000);
    const readings = new Map([['prop_exports', { used: 3 }]]);
    const first = texts.render(pro, readings, NOW);
    const again = texts.render(pro, readings, NOW + 900);
    expect(again).toEqual({ ...first, validUntil: NOW + 60_900 });
  });

  it('belongs to one resolution: overrides of the same plans have another text', () => {
    const texts = new RenderedTexts(1_000_000);
    const readings = new Map([['prop_exports', { used: 3 }]]);
    const overrides = [{ propertyId: 'prop_seats', value: 99, source: 'override' }];
    const { resolution } = overrideValues(pro, overrides);
    expect(texts.render(pro, readings, NOW).json).not.toBe(texts.render(resolution, readings, NOW).json);
    expect(texts.render(resolution, readings, NOW)).toEqual(renderFeatures(resolution, readings, NOW));
  });
});
