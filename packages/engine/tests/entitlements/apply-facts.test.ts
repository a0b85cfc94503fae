import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { prepare } from '#engine/entitlements/prepare';
import { SMALL } from '../small-workspace.ts';

const prepared = prepare(compileArtifact(SMALL));
const subject = { isAuthenticated: true };
const NOW = 1_000;

const seatsBy = (facts: Partial<CustomerFacts>, now = NOW) => {
  const applied = applyFacts(
    prepared,
    subject,
    { version: 1, grants: [], overrides: [], ...facts },
    { environmentType: 'preview' },
    now,
  );
  const { features } = evaluateResolution(applied.resolution, null, now);
  return { ...applied, seats: features.analytics!.properties.seats };
};

describe('manual grants and overrides', () => {
  it('add to the other plans, and overrides take precedence over all plans', () => {
    const grants = [{ planId: 'plan_pro', until: null }];
    expect(seatsBy({ grants }).resolution.planSlugs).toEqual(['free', 'pro']);
    expect(seatsBy({ grants }).seats).toBe(5);
    const overrides = [{ propertyId: 'prop_seats', value: 2, until: null }];
    expect(seatsBy({ grants, overrides }).seats).toBe(2);
  });

  it('have no effect after their end, and the first end limits the validity of an answer', () => {
    const times = fc.integer({ min: 0, max: 2_000 });
    fc.assert(
      fc.property(times, times, times, (granted, overridden, now) => {
        const { seats, until } = seatsBy(
          {
            grants: [{ planId: 'plan_pro', until: granted }],
            overrides: [{ propertyId: 'prop_seats', value: 9, until: overridden }],
          },
          now,
        );
        expect(seats).toBe(now < overridden ? 9 : now < granted ? 5 : 1);
        const ends = [granted, overridden].filter((end) => end > now);
        expect(until).toBe(Math.min(Number.POSITIVE_INFINITY, ...ends));
      }),
    );
  });

  it('of plans and properties that the version does not have are ignored', () => {
    const { seats, refused } = seatsBy({
      grants: [{ planId: '__proto__', until: null }],
      overrides: [{ propertyId: 'constructor', value: 3, until: null }],
    });
    expect([seats, refused]).toEqual([1, []]);
  });

  it('that do not fit their property are ignored and reported', () => {
    const { seats, refused } = seatsBy({
      overrides: [{ propertyId: 'prop_seats', value: 'many', until: null }],
    });
    expect(seats).toBe(1);
    expect(refused.map(({ property }) => property.property.key)).toEqual(['seats']);
  });

  it('give anonymous subjects no plan', () => {
    const facts = { version: 1, grants: [{ planId: 'plan_pro', until: null }], overrides: [] };
    const { resolution } = applyFacts(
      prepared,
      { isAuthenticated: false },
      facts,
      { environmentType: 'preview' },
      NOW,
    );
    expect(resolution.planSlugs).toEqual(['free']);
  });
});
