import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { MeterableValue, PropertyType, PropertyValue } from '#contracts/public/values';
import { compareText } from '#engine/merge/compare-text';
import { compareValues } from '#engine/merge/compare-values';
import { mergeValues } from '#engine/merge/merge-values';
import { conflictResolution, propertyType, valueOfType } from '../arbitraries.ts';

const threeValues = propertyType.chain((type) =>
  fc.tuple(fc.constant(type), conflictResolution, valueOfType(type), valueOfType(type), valueOfType(type)),
);

describe('the order of values', () => {
  it('is total: only equal values compare equal, and reversing the arguments reverses the sign', () => {
    fc.assert(
      fc.property(threeValues, ([type, , one, other]) => {
        const order = compareValues(type, one, other);
        expect(Math.sign(compareValues(type, other, one))).toBe(0 - Math.sign(order));
        expect(order === 0).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 2000 },
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(threeValues, ([type, , ...values]) => {
        const [low, middle, high] = values.toSorted((one, other) => compareValues(type, one, other));
        expect(compareValues(type, low!, high!)).toBeLessThanOrEqual(0);
        expect(compareValues(type, low!, middle!)).toBeLessThanOrEqual(0);
        expect(compareValues(type, middle!, high!)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 1000 },
    );
  });

  it('of text is that of code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        const left = Array.from(one, (character) => character.codePointAt(0)!);
        const right = Array.from(other, (character) => character.codePointAt(0)!);
        const at = left.findIndex((point, index) => point !== right[index]);
        const expected = at === -1 ? left.length - right.length : left[at]! - (right[at] ?? -1);
        expect(Math.sign(compareText(one, other))).toBe(Math.sign(expected));
      }),
      { numRuns: 1000 },
    );
    expect(compareText('😀', 'ﬁ')).toBeGreaterThan(0);
  });
});

describe('merging', () => {
  it('is associative, commutative and idempotent', () => {
    fc.assert(
      fc.property(threeValues, ([type, rule, a, b, c]) => {
        const merge = (...values: PropertyValue[]) => mergeValues(type, rule, values)!;
        expect(merge(a, merge(b, c))).toEqual(merge(merge(a, b), c));
        expect(merge(a, b, c)).toEqual(merge(merge(a, b), c));
        expect(merge(a, b)).toEqual(merge(b, a));
        expect(merge(a, a)).toEqual(a);
      }),
      { numRuns: 2000 },
    );
  });

  it('of nothing is nothing, so that the default holds', () => {
    expect(mergeValues('number', 'higher', [])).toBeUndefined();
  });

  const metered = (limit: number, ...[periodType, periodCount, periodLength, uniqueResourceIds]: Period) =>
    ({
      state: 'metered',
      meter: { limit, periodType, periodCount, periodLength, uniqueResourceIds: uniqueResourceIds ?? false },
    }) satisfies MeterableValue;
  type Period = ['lifetime' | 'fixed' | 'rolling', number?, ('hour' | 'day' | 'month')?, boolean?];
  const on: MeterableValue = { state: 'on' };
  const off: MeterableValue = { state: 'off' };

  const cases: [string, PropertyType, PropertyValue[]][] = [
    ['numbers by size', 'number', [-10, -9.5, 0, 0.1, 9, 10, 100]],
    ['false below true', 'boolean', [false, true]],
    ['text by code point', 'string', ['', '10', '9', 'A', 'Z', 'a', 'aa', 'b', 'é', 'ﬁ', '😀']],
    ['off below metered below on', 'meterable', [off, metered(0, 'lifetime'), metered(9e15, 'lifetime'), on]],
    [
      'the larger limit whatever the period',
      'meterable',
      [metered(9, 'rolling', 1, 'hour'), metered(10, 'lifetime')],
    ],
    [
      'at equal limits the shorter period, a lifetime being the longest',
      'meterable',
      [
        metered(5, 'lifetime'),
        metered(5, 'rolling', 12, 'month'),
        metered(5, 'rolling', 31, 'day'),
        metered(5, 'rolling', 1, 'month'),
        metered(5, 'rolling', 30, 'day'),
        metered(5, 'rolling', 25, 'hour'),
        metered(5, 'rolling', 1, 'day'),
        metered(5, 'rolling', 1, 'hour'),
      ],
    ],
    [
      'at equal length calendar windows above trailing ones',
      'meterable',
      [metered(5, 'fixed', 1, 'day'), metered(5, 'rolling', 1, 'day'), metered(5, 'fixed', 23, 'hour')],
    ],
    [
      'unique resources above plain counts, and 24 hours above 1 day',
      'meterable',
      [
        metered(5, 'fixed', 1, 'day', false),
        metered(5, 'fixed', 24, 'hour', false),
        metered(5, 'fixed', 1, 'day', true),
      ],
    ],
  ];

  test.each(cases)('ranks %s: higher takes the last, lower the first', (_, type, ascending) => {
    for (let place = 1; place < ascending.length; place++) {
      const pair = [ascending[place - 1]!, ascending[place]!];
      for (const values of [pair, pair.toReversed()]) {
        expect(mergeValues(type, 'higher', values)).toEqual(ascending[place]);
        expect(mergeValues(type, 'lower', values)).toEqual(ascending[place - 1]);
      }
    }
    expect(mergeValues(type, 'higher', ascending)).toEqual(ascending.at(-1));
    expect(mergeValues(type, 'lower', ascending)).toEqual(ascending[0]);
  });
});
