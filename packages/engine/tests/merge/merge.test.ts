import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { MeterableValue, PropertyType, PropertyValue } from '#contracts/public/values';
import { mergeValues } from '#engine/merge/merge-values';
import { compareText } from '#engine/text/compare-text';
import { kindOf } from '#engine/values/kinds/kinds';
import { perEntityOf } from '#engine/values/kinds/per-entity';
import { limitOrder, meterable, propertyType, valueOfType } from '../arbitraries.ts';

function withoutEntities(value: MeterableValue): MeterableValue {
  return value.state === 'off' ? value : { ...value, perEntity: undefined };
}

const oneOf = fc.constantFrom('higher' as const, 'lower' as const);
const threeValues = propertyType.chain((type) =>
  fc.tuple(fc.constant(type), limitOrder, valueOfType(type), valueOfType(type), valueOfType(type)),
);

describe('the order of values', () => {
  it('is total: only equal values compare equal, and reversing the arguments reverses the sign', () => {
    fc.assert(
      fc.property(threeValues, ([type, limits, one, other]) => {
        const order = kindOf(type).compare(one, other, limits);
        expect(Math.sign(kindOf(type).compare(other, one, limits))).toBe(0 - Math.sign(order));
        expect(order === 0).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 2000 },
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(threeValues, ([type, limits, ...values]) => {
        const compare = (one: PropertyValue, other: PropertyValue) =>
          kindOf(type).compare(one, other, limits);
        const [low, middle, high] = values.toSorted(compare);
        expect(compare(low!, high!)).toBeLessThanOrEqual(0);
        expect(compare(low!, middle!)).toBeLessThanOrEqual(0);
        expect(compare(middle!, high!)).toBeLessThanOrEqual(0);
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
      fc.property(threeValues, oneOf, ([type, limits, a, b, c], rule) => {
        const merge = (...values: PropertyValue[]) => mergeValues(type, rule, values, limits)!;
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

  const byRate: [string, PropertyValue[]][] = [
    [
      '1,000 an hour above 5,000 a month',
      [metered(5_000, 'rolling', 1, 'month'), metered(1_000, 'rolling', 1, 'hour')],
    ],
    [
      'a lifetime as ten years',
      [metered(119, 'lifetime'), metered(1, 'rolling', 1, 'month'), metered(121, 'lifetime')],
    ],
    [
      'equal rates as they were: the larger limit first, then the shorter period',
      [metered(1, 'fixed', 1, 'hour'), metered(24, 'fixed', 1, 'day'), metered(24, 'fixed', 24, 'hour')],
    ],
    ['nothing below something', [metered(0, 'rolling', 1, 'hour'), metered(1, 'lifetime')]],
    [
      'the largest limits exactly',
      [metered(9007199254740990, 'lifetime'), metered(9007199254740991, 'lifetime')],
    ],
  ];

  test.each(byRate)('by limits over time ranks %s', (_, ascending) => {
    expect(
      ascending.toReversed().toSorted((one, other) => kindOf('meterable').compare(one, other, 'rate')),
    ).toEqual(ascending);
    expect(mergeValues('meterable', 'higher', ascending, 'rate')).toEqual(ascending.at(-1));
  });

  it('adds numbers up, whatever their order, and never beyond what is exact', () => {
    expect(mergeValues('number', 'sum', [5, 10, 10, 10])).toBe(35);
    expect(mergeValues('number', 'sum', [0.1, 0.2])).toBe(0.3);
    expect(mergeValues('number', 'sum', [7])).toBe(7);
    expect(mergeValues('number', 'sum', [9e15, 9e15])).toBe(Number.MAX_SAFE_INTEGER);
    expect(mergeValues('number', 'sum', [])).toBeUndefined();
    fc.assert(
      fc.property(fc.array(valueOfType('number'), { minLength: 1 }), (values) => {
        expect(mergeValues('number', 'sum', values)).toBe(mergeValues('number', 'sum', values.toReversed()));
      }),
    );
  });

  it('adds limits of one window up; unlimited wins, off adds nothing, and among windows the highest applies', () => {
    const daily = metered(10, 'fixed', 1, 'day');
    expect(mergeValues('meterable', 'sum', [daily, daily, off])).toEqual(metered(20, 'fixed', 1, 'day'));
    expect(mergeValues('meterable', 'sum', [daily, on])).toEqual(on);
    expect(mergeValues('meterable', 'sum', [off, off])).toEqual(off);
    const monthly = metered(250, 'rolling', 1, 'month');
    expect(mergeValues('meterable', 'sum', [daily, monthly, daily], 'limit')).toEqual(monthly);
    expect(mergeValues('meterable', 'sum', [daily, monthly, daily], 'rate')).toEqual(
      metered(20, 'fixed', 1, 'day'),
    );
    fc.assert(
      fc.property(fc.array(meterable, { minLength: 1 }), limitOrder, (values, limits) => {
        const sum = mergeValues('meterable', 'sum', values, limits) as MeterableValue;
        expect(mergeValues('meterable', 'sum', values.toReversed(), limits)).toEqual(sum);
        for (const value of values) {
          // Who does not limit entities adds nothing to the limits of those who do.
          const compared = perEntityOf(value) === undefined ? withoutEntities(sum) : sum;
          expect(kindOf('meterable').compare(compared, value, limits)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
