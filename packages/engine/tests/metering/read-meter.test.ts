import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Overage } from '#contracts/public/overage';
import type { Meter } from '#contracts/public/values';
import { type MeteredAnswer, readMeter } from '#engine/metering/read-meter';
import { instant, meter } from '../arbitraries.ts';

const monthly: Meter = {
  limit: 3,
  periodType: 'rolling',
  periodCount: 1,
  periodLength: 'month',
  uniqueResourceIds: false,
};
const now = Date.UTC(2025, 0, 15);

describe('the answer for a meterable property', () => {
  it('always allows `on`, and never `off`, whatever is used', () => {
    expect(readMeter({ state: 'on' }, { used: 1e15 }, now)).toEqual({
      state: 'on',
      allowed: true,
      used: 1e15,
    });
    expect(readMeter({ state: 'off' }, undefined, now)).toEqual({ state: 'off', allowed: false });
  });

  it('allows `metered` while less is used than the limit', () => {
    const allowed = [0, 1, 2, 3, 4].map(
      (used) => readMeter({ state: 'metered', meter: monthly }, { used }, now).allowed,
    );
    expect(allowed).toEqual([true, true, true, false, false]);
    expect(readMeter({ state: 'metered', meter: { ...monthly, limit: 0 } }, undefined, now).allowed).toBe(
      false,
    );
  });

  it('is of the quota alone for a customer without balances, whatever ended ones have paid in the period', () => {
    const [draws, value] = [
      { inWindow: 5, grants: { bal_1: 9 } },
      { state: 'metered', meter: monthly } as const,
    ];
    expect(readMeter(value, { used: 7, draws }, now)).toMatchObject({ allowed: true, used: 2, remaining: 1 });
    const held = { amount: 6, until: now + 1, draws: { ...draws, inWindow: 4 } };
    expect(readMeter(value, { used: 7, draws, held }, now)).toMatchObject({ used: 0, held: 2, remaining: 1 });
    expect(readMeter({ state: 'on' }, { used: 7, draws, held }, now)).toMatchObject({ used: 1, held: 6 });
  });

  it('allows overage as far as the meter says, and names it', () => {
    const read = (overage: Overage | undefined, used: number) => {
      const answer = readMeter({ state: 'metered', meter: { ...monthly, overage } }, { used }, now);
      const { allowed, remaining, overage: above, overageLimit } = answer as MeteredAnswer;
      return { allowed, remaining, above, overageLimit };
    };
    const nothing = { remaining: 0, above: undefined };
    expect(read(undefined, 5)).toEqual({ ...nothing, allowed: false, overageLimit: undefined });
    expect(read({ upTo: 2 }, 3)).toEqual({ ...nothing, allowed: true, overageLimit: 2 });
    expect(read({ upTo: 2 }, 4)).toEqual({ allowed: true, remaining: 0, above: 1, overageLimit: 2 });
    expect(read({ upTo: 2 }, 5)).toEqual({ allowed: false, remaining: 0, above: 2, overageLimit: 2 });
    expect(read('allow', 1e9)).toEqual({ allowed: true, remaining: 0, above: 1e9 - 3, overageLimit: null });
  });

  it('returns all nine fields of a meter', () => {
    expect(readMeter({ state: 'metered', meter: monthly }, { used: 2 }, now)).toEqual({
      state: 'metered',
      allowed: true,
      limit: 3,
      used: 2,
      remaining: 1,
      periodType: 'rolling',
      periodCount: 1,
      periodLength: 'month',
      resetsAt: Date.UTC(2025, 1, 1),
    });
    const lifetime: Meter = { limit: 3, periodType: 'lifetime', uniqueResourceIds: true };
    expect(readMeter({ state: 'metered', meter: lifetime }, undefined, now)).toEqual({
      state: 'metered',
      allowed: true,
      limit: 3,
      used: 0,
      remaining: 3,
      periodType: 'lifetime',
      periodCount: null,
      periodLength: null,
      resetsAt: null,
    });
  });

  it('never shows usage or a remainder below zero', () => {
    fc.assert(
      fc.property(meter, fc.oneof(fc.integer(), fc.constant(Number.NaN)), instant, (value, used, at) => {
        const answer = readMeter({ state: 'metered', meter: value }, { used }, at);
        if (answer.state !== 'metered') throw new Error('not metered');
        expect(answer.used).toBeGreaterThanOrEqual(0);
        expect(answer.remaining).toBeGreaterThanOrEqual(0);
        const { overage = 0, overageLimit = 0 } = answer;
        expect(answer.allowed).toBe(
          answer.remaining > 0 || overage < (overageLimit ?? Number.POSITIVE_INFINITY),
        );
      }),
    );
  });

  it('returns when the oldest usage leaves a trailing window, if that is known and in the future', () => {
    const resetOf = (used: number, resetsAt: number | null | undefined) => {
      const value = { state: 'metered', meter: { ...monthly, periodType: 'fixed' } } as const;
      const answer = readMeter(value, { used, resetsAt }, now);
      return answer.state === 'metered' ? answer.resetsAt : undefined;
    };
    expect(resetOf(2, now + 5)).toBe(now + 5);
    expect([resetOf(0, now + 5), resetOf(2, now), resetOf(2, null), resetOf(2, undefined)]).toEqual(
      Array(4).fill(null),
    );
  });
});
