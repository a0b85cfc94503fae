import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Overage } from '#contracts/public/overage';
import type { Rollover } from '#contracts/public/rollover';
import {
  type Meter,
  type MeterableValue,
  meterableValueSchema,
  numberBoundsSchema,
  type PropertyType,
} from '#contracts/public/values';
import { mergeValues } from '#engine/merge/merge-values';
import { multiplyValue } from '#engine/merge/multiply-value';
import { checkBounds } from '#engine/values/check-bounds';
import { DEFAULT_METER, withPeriodType, withState } from '#engine/values/kinds/change-meterable';
import { checkValue } from '#engine/values/kinds/check-value';
import { kindOf } from '#engine/values/kinds/kinds';
import { normaliseValue } from '#engine/values/kinds/normalise-value';
import { typeOfValue } from '#engine/values/kinds/type-of-value';
import { rolloverWords } from '#engine/values/rollover-words';
import { HOSTILE_NAMES, meterable, propertyType, valueOfType } from '../arbitraries.ts';

const meter: Meter = {
  limit: 1,
  periodType: 'rolling',
  periodCount: 1,
  periodLength: 'day',
  uniqueResourceIds: false,
};
const metered = (changes: object) => ({ state: 'metered' as const, meter: { ...meter, ...changes } });
const billing = (changes: object) => metered({ periodType: 'billing', periodLength: 'month', ...changes });
const whole = { min: -2, max: 5, allowDecimal: false };

describe('checking a value', () => {
  test.each<[string, Parameters<typeof checkValue>[0], unknown, string, string]>([
    ['below the minimum', { type: 'number', bounds: whole }, -3, '', 'Must be greater than or equal to -2'],
    ['above the maximum', { type: 'number', bounds: whole }, 6, '', 'Must be less than or equal to 5'],
    ['a fraction', { type: 'number', bounds: whole }, 1.5, '', 'Must be a whole number'],
    ['text for a number', { type: 'number' }, '1', '', 'Must be a number'],
    ['NaN', { type: 'number' }, Number.NaN, '', 'Must be a number'],
    ['infinity', { type: 'number', bounds: null }, Number.POSITIVE_INFINITY, '', 'Must be a number'],
    [
      'a number that doubles cannot count',
      { type: 'number' },
      2 ** 53,
      '',
      'Must be between -9,007,199,254,740,991 and 9,007,199,254,740,991',
    ],
    ['a number for a boolean', { type: 'boolean' }, 1, '', 'Must be true or false'],
    ['null for text', { type: 'string' }, null, '', 'Must be text'],
    ['text too long', { type: 'string' }, 'x'.repeat(2001), '', 'Must be at most 2,000 characters'],
    ['a boolean for a meterable', { type: 'meterable' }, true, '', 'Must be on, off or metered'],
    ['a list for a meterable', { type: 'meterable' }, ['on'], '', 'Must be on, off or metered'],
    [
      'an unknown state',
      { type: 'meterable' },
      { state: 'constructor' },
      'state',
      'Must be on, off or metered',
    ],
    [
      'a meter beside on',
      { type: 'meterable' },
      { state: 'on', meter },
      'meter',
      'Only a metered value has a meter',
    ],
    [
      'a limit of entities below zero',
      { type: 'meterable' },
      { state: 'on', perEntity: { limit: -1, periodType: 'lifetime' } },
      'perEntity.limit',
      'Must be greater than or equal to 0',
    ],
    [
      'a limit of entities without a length',
      { type: 'meterable' },
      { ...metered({}), perEntity: { limit: 1, periodType: 'rolling' } },
      'perEntity.periodLength',
      'Please select a meter length',
    ],
    [
      'a limit of entities of what is off',
      { type: 'meterable' },
      { state: 'off', perEntity: { limit: 1, periodType: 'lifetime' } },
      'perEntity',
      'What is off has no limit',
    ],
    ['no meter', { type: 'meterable' }, { state: 'metered' }, 'meter', 'A metered value needs a meter'],
    [
      'a limit below zero',
      { type: 'meterable' },
      metered({ limit: -1 }),
      'meter.limit',
      'Must be greater than or equal to 0',
    ],
    ['half a limit', { type: 'meterable' }, metered({ limit: 0.5 }), 'meter.limit', 'Must be a whole number'],
    ['no limit', { type: 'meterable' }, metered({ limit: undefined }), 'meter.limit', 'Must be a number'],
    [
      'a count below zero',
      { type: 'meterable' },
      metered({ periodCount: -1 }),
      'meter.periodCount',
      'Must be greater than or equal to 0',
    ],
    [
      'a count too large',
      { type: 'meterable' },
      metered({ periodCount: 1001 }),
      'meter.periodCount',
      'Must be less than or equal to 1,000',
    ],
    [
      'a period without length',
      { type: 'meterable' },
      metered({ periodType: 'fixed', periodLength: undefined }),
      'meter.periodLength',
      'Please select a meter length',
    ],
    [
      'a length of no kind',
      { type: 'meterable' },
      metered({ periodLength: 'toString' }),
      'meter.periodLength',
      'Please select a meter length',
    ],
    [
      'an unknown period',
      { type: 'meterable' },
      metered({ periodType: 'weekly' }),
      'meter.periodType',
      'Must be fixed, rolling, billing or lifetime',
    ],
    [
      'a billing period of more than a year',
      { type: 'meterable' },
      billing({ periodCount: 13 }),
      'meter.periodCount',
      'Must be less than or equal to 12',
    ],
    [
      'a billing period of days',
      { type: 'meterable' },
      billing({ periodLength: 'day' }),
      'meter.periodLength',
      'Must be month',
    ],
    [
      'no word on resources',
      { type: 'meterable' },
      metered({ uniqueResourceIds: 1 }),
      'meter.uniqueResourceIds',
      'Must be true or false',
    ],
  ])('refuses %s, saying where and why', (_, definition, value, path, message) => {
    expect(checkValue(definition, value)).toEqual([{ path, message }]);
  });

  it('accepts the bounds themselves, fractions where they are allowed, and the longest text', () => {
    for (const value of [-2, 0, 5]) expect(checkValue({ type: 'number', bounds: whole }, value)).toEqual([]);
    expect(checkValue({ type: 'number', bounds: { allowDecimal: true } }, 0.1)).toEqual([]);
    expect(checkValue({ type: 'string' }, 'x'.repeat(2000))).toEqual([]);
    expect(checkValue({ type: 'meterable' }, metered({ periodCount: 0 }))).toEqual([]);
  });

  it('accepts every value of a type, its default, and none of another', () => {
    const typed = propertyType.chain((type) => fc.tuple(fc.constant(type), valueOfType(type)));
    fc.assert(
      fc.property(typed, propertyType, ([type, value], other) => {
        expect(checkValue({ type }, value)).toEqual([]);
        expect(checkValue({ type }, kindOf(type).defaultValue)).toEqual([]);
        expect(checkValue({ type: other }, value).length === 0).toBe(type === other);
      }),
    );
  });

  it('agrees with the wire contract on what is a meterable value', () => {
    const part = fc.constantFrom(
      undefined,
      null,
      0,
      1,
      -1,
      1.5,
      12,
      13,
      1001,
      true,
      'day',
      'fixed',
      'billing',
      'lifetime',
      'month',
    );
    const limit = { limit: part, periodType: part, periodCount: part, periodLength: part };
    const rollover = fc.record(
      { max: part, share: part, lasts: fc.oneof(part, fc.record({ months: part })), times: part },
      { requiredKeys: [] },
    );
    const parts = {
      ...limit,
      ...{ uniqueResourceIds: part, trialLimit: part, rollover: fc.oneof(part, rollover) },
      overage: fc.oneof(part, fc.constantFrom('none', 'allow'), fc.record({ upTo: part })),
    };
    const perEntity = fc.oneof(fc.record({ ...limit, seats: part }, { requiredKeys: [] }), part);
    const wild = fc.record(
      {
        state: fc.constantFrom('metered', 'on', 'off'),
        meter: fc.record(parts, { requiredKeys: [] }),
        perEntity,
      },
      { requiredKeys: ['state'] },
    );
    fc.assert(
      fc.property(fc.oneof(wild, meterable), (drawn) => {
        const value: unknown = JSON.parse(JSON.stringify(drawn));
        const parsed = meterableValueSchema.safeParse(value);
        expect(checkValue({ type: 'meterable' }, value).length === 0).toBe(parsed.success);
        if (parsed.success) expect(normaliseValue(parsed.data)).toEqual(parsed.data);
      }),
      { numRuns: 1000 },
    );
  });

  it('survives any input', () => {
    fc.assert(
      fc.property(propertyType, fc.anything({ withNullPrototype: true }), (type: PropertyType, value) => {
        expect(Array.isArray(checkValue({ type }, value))).toBe(true);
      }),
    );
    for (const name of HOSTILE_NAMES)
      expect(checkValue({ type: 'meterable' }, { state: name })).not.toEqual([]);
  });
});

describe('checking bounds', () => {
  it('agrees with the wire contract, messages and all', () => {
    const bound = fc.constantFrom(undefined, -1, 0, 0.5, 1, 2.5);
    fc.assert(
      fc.property(fc.record({ min: bound, max: bound, allowDecimal: fc.boolean() }), (bounds) => {
        const parsed = numberBoundsSchema.safeParse(bounds);
        const expected = (parsed.error?.issues ?? []).map(({ path, message }) => ({
          path: path.join('.'),
          message,
        }));
        expect(checkBounds(bounds)).toEqual(expected);
      }),
    );
  });

  it('finds nothing wrong with none', () => {
    expect(checkBounds(null)).toEqual([]);
  });
});

describe('normalising', () => {
  it('is idempotent and keeps what fits fitting', () => {
    const typed = propertyType.chain((type) => fc.tuple(fc.constant(type), valueOfType(type)));
    fc.assert(
      fc.property(typed, ([type, value]) => {
        const once = normaliseValue(value);
        expect(normaliseValue(once)).toEqual(once);
        expect(checkValue({ type }, once)).toEqual([]);
        expect(kindOf(type).normalise(value)).toEqual(once);
        expect(typeOfValue(value)).toBe(type);
      }),
    );
  });

  it('gives a lifetime no period, any other a count, and no number a negative zero', () => {
    const lifetime = { ...meter, periodType: 'lifetime' } as const;
    expect(normaliseValue({ state: 'metered', meter: lifetime })).toEqual({
      state: 'metered',
      meter: { limit: 1, periodType: 'lifetime', uniqueResourceIds: false },
    });
    expect(normaliseValue({ state: 'metered', meter: { ...meter, periodCount: 0 } })).toEqual(metered({}));
    expect(Object.is(normaliseValue(-0), 0)).toBe(true);
  });
});

describe('what is left rolls over', () => {
  const monthly = { ...meter, periodType: 'rolling', periodLength: 'month' } as const;
  const rolling = (rollover: Rollover) => metered({ ...monthly, rollover });

  it('of limits every month alone, and errors name the field', () => {
    const rollover = { max: 5, lasts: { months: 1 } };
    const issuesOf = (changed: object) =>
      checkValue({ type: 'meterable' }, { state: 'metered', meter: { ...monthly, rollover, ...changed } });
    expect(issuesOf({})).toEqual([]);
    expect(issuesOf({ periodType: 'billing' })).toEqual([]);
    const onlyMonths = [
      { path: 'meter.rollover', message: 'Only limits every month or billing month roll over' },
    ];
    for (const other of [{ periodType: 'fixed' }, { periodLength: 'day' }, { uniqueResourceIds: true }])
      expect(issuesOf(other)).toEqual(onlyMonths);
    expect(issuesOf({ periodType: 'lifetime', periodLength: undefined })).toEqual(onlyMonths);
    const wrong = { max: 0, share: 101, lasts: { months: 13 }, times: 0 };
    expect(issuesOf({ rollover: wrong }).map(({ path }) => path)).toEqual([
      'meter.rollover.max',
      'meter.rollover.share',
      'meter.rollover.times',
      'meter.rollover.lasts.months',
    ]);
    expect(issuesOf({ rollover: { max: 1, lasts: 'forever', times: 2 } })).toEqual([
      { path: 'meter.rollover.times', message: 'What never ends rolls over once' },
    ]);
  });

  it('in one spelling: what is as it would be anyway is left out', () => {
    expect(normaliseValue(rolling({ max: 'all', share: 100, lasts: { months: 1 }, times: 1 }))).toEqual(
      rolling({ max: 'all', lasts: { months: 1 } }),
    );
  });

  it('more of it is more, and of limits that add up the largest rollover applies', () => {
    const [none, some, all] = [
      metered(monthly),
      rolling({ max: 5, lasts: { months: 1 } }),
      rolling({ max: 'all', lasts: { months: 1 } }),
    ] as const;
    expect(mergeValues('meterable', 'higher', [some, none])).toEqual(some);
    expect(mergeValues('meterable', 'higher', [all, some])).toEqual(all);
    expect(mergeValues('meterable', 'lower', [all, none])).toEqual(none);
    for (const order of [
      [none, some, all],
      [all, none, some],
    ])
      expect(mergeValues('meterable', 'sum', order)).toEqual(
        metered({ ...monthly, limit: 3 * monthly.limit, rollover: { max: 'all', lasts: { months: 1 } } }),
      );
  });

  it('times the quantity, as the limit', () => {
    const doubled = { ...monthly, limit: 2 * monthly.limit, rollover: { max: 10, lasts: { months: 1 } } };
    expect(multiplyValue('meterable', rolling({ max: 5, lasts: { months: 1 } }), 2)).toEqual(
      metered(doubled),
    );
  });

  it('in words', () => {
    const wordsOf = (rollover: Rollover) => rolloverWords(rollover);
    expect(wordsOf({ max: 2000, lasts: { months: 1 } })).toBe('up to 2,000 roll over for 1 month');
    expect(wordsOf({ max: 'all', lasts: 'forever' })).toBe('all that is left rolls over for good');
    expect(wordsOf({ max: 9, share: 50, lasts: { months: 3 }, times: 2 })).toBe(
      '50%, up to 9 rolls over for 3 months, up to 2 times',
    );
  });
});

describe('overage', () => {
  const over = (overage: Overage, limit = meter.limit) => metered({ limit, overage });

  it('is none, any amount, or up to one, and errors name the field', () => {
    const issuesOf = (overage: unknown) =>
      checkValue({ type: 'meterable' }, { state: 'metered', meter: { ...meter, overage } });
    for (const overage of ['none', 'allow', { upTo: 1 }]) expect(issuesOf(overage)).toEqual([]);
    expect(issuesOf('some')).toEqual([{ path: 'meter.overage', message: 'Must be none, allow or upTo' }]);
    expect(issuesOf({ upTo: 0 })).toEqual([
      { path: 'meter.overage.upTo', message: 'Must be greater than or equal to 1' },
    ]);
    expect(normaliseValue(over('none' as never))).toEqual(metered({}));
  });

  it('decides between equal limits alone: the most is the most generous', () => {
    const [none, some, any] = [metered({}), over({ upTo: 5 }), over('allow')] as const;
    expect(mergeValues('meterable', 'higher', [some, any, none])).toEqual(any);
    expect(mergeValues('meterable', 'lower', [some, any, none])).toEqual(none);
    expect(mergeValues('meterable', 'higher', [any, metered({ limit: meter.limit + 1 })])).toEqual(
      metered({ limit: meter.limit + 1 }),
    );
  });

  it('adds up and is multiplied as the limit', () => {
    const sum = (...values: MeterableValue[]) => mergeValues('meterable', 'sum', values);
    expect(sum(over({ upTo: 5 }, 2), over({ upTo: 7 }, 3), metered({ limit: 4 }))).toEqual(
      over({ upTo: 12 }, 9),
    );
    expect(sum(over('allow', 2), over({ upTo: 7 }, 3))).toEqual(over('allow', 5));
    expect(multiplyValue('meterable', over({ upTo: 5 }, 2), 3)).toEqual(over({ upTo: 15 }, 6));
    expect(multiplyValue('meterable', over('allow', 2), 3)).toEqual(over('allow', 6));
    expect(multiplyValue('meterable', over({ upTo: 5 }, 2), 0)).toEqual(metered({ limit: 0 }));
  });
});

describe('changing a meterable in its editor', () => {
  it('starts metering with one in a lifetime and keeps a meter that is there', () => {
    expect(withState({ state: 'on' }, 'metered')).toEqual({ state: 'metered', meter: DEFAULT_METER });
    expect(withState({ state: 'metered', meter }, 'metered')).toEqual({ state: 'metered', meter });
    expect(withState({ state: 'metered', meter }, 'off')).toEqual({ state: 'off' });
  });

  it('sets one month where a period is missing, keeps one that is there, and clears it for a lifetime', () => {
    expect(withPeriodType(DEFAULT_METER, 'fixed')).toMatchObject({ periodCount: 1, periodLength: 'month' });
    expect(withPeriodType(meter, 'fixed')).toEqual({ ...meter, periodType: 'fixed' });
    expect(withPeriodType(meter, 'lifetime')).toEqual({
      limit: 1,
      periodType: 'lifetime',
      uniqueResourceIds: false,
    });
  });
});
