/** The sentence about several plans’ values, read by itself, comes to the value that applies. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Meter, MeterableValue, PerEntity, PropertyType, PropertyValue } from '#contracts/public/values';
import { mergeValues } from '#engine/merge/merge-values';
import { ruleWords } from '#engine/merge/rule-words';
import { valueWords } from '#engine/merge/value-words';
import { kindOf } from '#engine/values/kinds/kinds';
import { windowKey } from '#engine/values/kinds/meterable';
import { conflictResolution, limitOrder, propertyType, valueOfType } from '../arbitraries.ts';

const HOURS = { hour: 1, day: 24, month: 24 * 30.436875 };
const hoursOf = ({ periodType, periodCount = 1, periodLength = 'month' }: Meter) =>
  periodType === 'lifetime' ? Number.POSITIVE_INFINITY : periodCount * HOURS[periodLength];
const ten = 120 * HOURS.month;

/** How much rolls over, of the few that occur: the most first, then the share, then for how long. */
function rolloverOf({ rollover }: Meter): number {
  if (rollover === undefined) return 0;
  const { max, share = 100, lasts, times = 1 } = rollover;
  const months = lasts === 'forever' ? 99 : lasts.months;
  return (max === 'all' ? 9 : max) * 1e7 + share * 1e4 + months * 100 + times;
}

/** Of the few that occur. */
function overageOf({ overage }: Meter): number {
  if (overage === undefined) return 0;
  return overage === 'allow' ? 1e6 : overage.upTo;
}

/** What each phrase orders limits by: the larger number is the one that the phrase names. */
const READINGS: Record<string, (meter: Meter) => number> = {
  'the limit that allows more in the same time': (meter) => meter.limit / Math.min(hoursOf(meter), ten),
  'the limit that allows less in the same time': (meter) => -meter.limit / Math.min(hoursOf(meter), ten),
  'the larger limit': ({ limit }) => limit,
  'the smaller limit': ({ limit }) => -limit,
  'the shorter period': (meter) => -hoursOf(meter),
  'the longer period': hoursOf,
  'the billing period': ({ periodType }) => Number(periodType === 'billing'),
  'a calendar or trailing window': ({ periodType }) => Number(periodType !== 'billing'),
  'a calendar window': ({ periodType }) => Number(periodType === 'rolling'),
  'a trailing window': ({ periodType }) => Number(periodType === 'fixed'),
  'a count of unique resources': ({ uniqueResourceIds }) => Number(uniqueResourceIds),
  'a count of everything': ({ uniqueResourceIds }) => -Number(uniqueResourceIds),
  'the smaller unit': ({ periodLength }) => -HOURS[periodLength ?? 'month'],
  'the larger unit': ({ periodLength }) => HOURS[periodLength ?? 'month'],
  'the larger rollover': rolloverOf,
  'the smaller rollover': (meter) => -rolloverOf(meter),
  'the larger overage': overageOf,
  'the smaller overage': (meter) => -overageOf(meter),
};

const isOn = (value: PropertyValue) => value === true || (typeof value === 'object' && value.state === 'on');
const isOff = (value: PropertyValue) =>
  value === false || (typeof value === 'object' && value.state === 'off');
const meteredOf = (values: readonly PropertyValue[]) =>
  values.flatMap((value) => (typeof value === 'object' && value.state === 'metered' ? [value] : []));
/** The words that compare what entities may use, after those about the customer if there are any. */
const OF_ENTITIES = /^(?:(.*), then )?(the higher limit|the lower limit|no limit) of each entity( wins)?$/;
const isNear = (one: number, other: number) =>
  one === other || Math.abs(one - other) < 1e-9 * Math.abs(other);

/** The values that the words name: one, unless they are equal. */
function read(words: string, values: readonly PropertyValue[]): PropertyValue[] {
  const [, own, each] = OF_ENTITIES.exec(words) ?? [];
  if (each !== undefined) {
    const left = own === undefined ? values : read(own, values);
    if (each === 'no limit')
      return left.filter((value) => typeof value === 'object' && !('perEntity' in value));
    const { compare } = kindOf('meterable');
    const ordered = left.toSorted((one, other) => compare(one as never, other as never, 'limit'));
    return [ordered.at(each === 'the higher limit' ? -1 : 0)!];
  }
  if (words === 'on wins' || words === 'unlimited wins') return values.filter(isOn);
  if (words === 'off wins') return values.filter(isOff);
  if (words === 'the highest wins') return [Math.max(...values.map(Number))];
  if (words === 'the lowest wins') return [Math.min(...values.map(Number))];
  const points = (text: PropertyValue) =>
    [...String(text)].map((each) => each.codePointAt(0)!.toString(16).padStart(6, '0'));
  const sorted = () => values.toSorted((one, other) => (points(one).join() < points(other).join() ? -1 : 1));
  if (words === 'the last in character order wins') return sorted().slice(-1);
  if (words === 'the first in character order wins') return sorted().slice(0, 1);
  const meters = meteredOf(values);
  if (/^a limit wins over (off|unlimited)$/.test(words)) {
    const over = words.endsWith('off') ? isOff : isOn;
    expect(values.every((value) => over(value) || meteredOf([value]).length > 0)).toBe(true);
    return meters;
  }
  const phrases = words
    .split(', then ')
    .map((each, place) => (place === 0 ? each.replace(/ wins$/, '') : each));
  let left = meters;
  for (const phrase of phrases) {
    const rank = READINGS[phrase];
    if (rank === undefined) throw new Error(`Unknown words: ${words}`);
    const best = Math.max(...left.map(({ meter }) => rank(meter)));
    left = left.filter(({ meter }) => isNear(rank(meter), best));
  }
  return left;
}

/** The sums of the limits that count in the same window, with the largest rollover of them. */
function addUp(values: readonly PropertyValue[]): PropertyValue[] {
  const windows = Map.groupBy(meteredOf(values), ({ meter }) => windowKey(meter));
  const sums = [...windows.values()].map((own): PropertyValue => {
    const limit = own.reduce((sum, { meter }) => sum + meter.limit, 0);
    const perEntity = own.map((each) => each.perEntity).filter((each) => each !== undefined);
    const keyOf = (each: PerEntity) => `${each.seats} ${windowKey({ ...each, uniqueResourceIds: false })}`;
    const spans = Map.groupBy(perEntity, keyOf);
    const [highest] = [...spans.values()]
      .map((each): MeterableValue => {
        const total = each.reduce((sum, one) => sum + one.limit, 0);
        return { state: 'on', perEntity: { ...each[0]!, limit: total } };
      })
      .sort((one, other) => kindOf('meterable').compare(other as never, one as never, 'limit'));
    const [most] = own.toSorted((one, other) => rolloverOf(other.meter) - rolloverOf(one.meter));
    const { overage: _, ...kept } = most!.meter;
    const overages = own.map(({ meter: { overage } }) => (overage === 'allow' ? null : (overage?.upTo ?? 0)));
    const upTo = overages.reduce<number>((sum, each) => sum + (each ?? 0), 0);
    const meter = {
      ...{ ...kept, limit },
      ...(overages.includes(null) ? { overage: 'allow' as const } : upTo > 0 && { overage: { upTo } }),
    };
    return { state: 'metered', meter, ...(highest?.state === 'on' && { perEntity: highest.perEntity! }) };
  });
  return [...values.filter((value) => meteredOf([value]).length === 0), ...sums];
}

/** Half a character has no place in an alphabet. */
const isText = (value: PropertyValue) => typeof value !== 'string' || value.isWellFormed();

const situation = propertyType.chain((type) =>
  fc.tuple(
    fc.constant<PropertyType>(type),
    conflictResolution,
    fc.array(valueOfType(type).filter(isText), { minLength: 1, maxLength: 5 }),
    limitOrder,
  ),
);

const metered = (
  limit: number,
  periodLength: 'hour' | 'day' | 'month',
  rest: Partial<Meter> = {},
): PropertyValue => ({
  state: 'metered',
  meter: { limit, periodType: 'rolling', periodCount: 1, periodLength, uniqueResourceIds: false, ...rest },
});
const on: PropertyValue = { state: 'on' };
const each = (value: PropertyValue, limit: number): PropertyValue => ({
  ...(value as Exclude<MeterableValue, { state: 'off' }>),
  perEntity: { limit, periodType: 'lifetime' },
});
const off: PropertyValue = { state: 'off' };

describe('the words for what several plans set', () => {
  it.each([
    [
      'rate',
      'higher',
      [metered(1000, 'hour'), metered(5000, 'month')],
      'the limit that allows more in the same time wins',
    ],
    ['limit', 'higher', [metered(1000, 'hour'), metered(5000, 'month')], 'the larger limit wins'],
    [
      'rate',
      'lower',
      [metered(1000, 'hour'), metered(5000, 'month')],
      'the limit that allows less in the same time wins',
    ],
    ['rate', 'higher', [metered(24, 'day'), metered(1, 'hour')], 'the larger limit wins'],
    [
      'limit',
      'higher',
      [metered(5, 'day'), metered(5, 'hour'), metered(4, 'hour')],
      'the larger limit wins, then the shorter period',
    ],
    ['rate', 'higher', [on, metered(5, 'hour'), off], 'unlimited wins'],
    ['rate', 'higher', [off, metered(5, 'hour')], 'a limit wins over off'],
    ['rate', 'lower', [on, metered(5, 'hour')], 'a limit wins over unlimited'],
    ['rate', 'lower', [on, metered(5, 'hour'), off], 'off wins'],
    ['rate', 'sum', [metered(5, 'hour'), metered(5, 'hour'), off], 'they add up to 10 / hour'],
    [
      'rate',
      'sum',
      [metered(5, 'hour'), metered(5, 'hour'), metered(900, 'month')],
      'limits of one window add up, and the limit that allows more in the same time wins: 10 / hour',
    ],
    ['rate', 'sum', [on, on], null],
    ['rate', 'higher', [each(on, 5), on], 'no limit of each entity wins'],
    ['rate', 'lower', [each(on, 5), each(on, 3), metered(1, 'day')], 'a limit wins over unlimited'],
    [
      'limit',
      'higher',
      [each(metered(9, 'day'), 5), each(metered(9, 'day'), 3), metered(8, 'day')],
      'the larger limit wins, then the higher limit of each entity',
    ],
    [
      'rate',
      'sum',
      [each(metered(9, 'day'), 5), each(metered(9, 'day'), 3), metered(8, 'day')],
      'they add up to 26 / day, 8 total for each entity',
    ],
    ['rate', 'higher', [metered(5, 'hour'), metered(5, 'hour')], null],
  ] as const)('by %s, %s', (order, rule, values, words) => {
    expect(ruleWords('meterable', rule, values, order)).toBe(words);
  });

  it('lead a reader who knows nothing else to the value that applies', () => {
    fc.assert(
      fc.property(situation, ([type, rule, values, order]) => {
        const merged = mergeValues(type, rule, values, order);
        const words = ruleWords(type, rule, values, order);
        if (words === null) {
          for (const value of values) expect(value).toEqual(merged);
          return;
        }
        const [, total] = /^they add up to (.*)$/.exec(words) ?? [];
        if (total !== undefined) {
          expect(total).toBe(valueWords(type, merged!));
          return;
        }
        const [, choice, sum] = /^limits of one window add up, and (.*): (.*)$/.exec(words) ?? [];
        if (sum !== undefined) expect(sum).toBe(valueWords(type, merged!));
        const named = read(choice ?? words, type === 'meterable' && rule === 'sum' ? addUp(values) : values);
        expect(named.length).toBeGreaterThan(0);
        for (const value of named) expect(value).toEqual(merged);
      }),
      { numRuns: 2000 },
    );
  });
});
