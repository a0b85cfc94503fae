// Values of properties in the console: in words, as typed, and checked before anything is sent.
import { describe, expect, test } from 'vitest';
import type { LimitOrder } from '#engine/artifacts/artifact-content';
import { mergeValues } from '#engine/merge/merge-values';
import { checkValueForm, readValue } from '../../web/values/check-value-form.ts';
import { viewOf } from '../../web/values/kinds/views.ts';
import { readNumber } from '../../web/values/number-text.ts';
import { boundsLabel, meterLabel } from '../../web/values/value-labels.ts';
import { windowKind } from '../../web/values/window-kind.ts';

describe('in words', () => {
  test.each([
    [{ limit: 500, periodType: 'fixed', periodCount: 30, periodLength: 'day' }, '500 in the last 30 days'],
    [{ limit: 10, periodType: 'rolling', periodCount: 1, periodLength: 'month' }, '10 / month'],
    [{ limit: 10, periodType: 'rolling', periodCount: 0, periodLength: 'month' }, '10 / month'],
    [{ limit: 0, periodType: 'rolling', periodLength: 'hour' }, '0 / hour'],
    [{ limit: 2, periodType: 'rolling', periodCount: 6, periodLength: 'hour' }, '2 / 6 hours'],
    [{ limit: 100, periodType: 'billing', periodCount: 1, periodLength: 'month' }, '100 / billing month'],
    [{ limit: 5, periodType: 'billing', periodCount: 3, periodLength: 'month' }, '5 / 3 billing months'],
    [{ limit: 3, periodType: 'lifetime' }, '3 total'],
    [{ limit: 1234567, periodType: 'lifetime' }, '1,234,567 total'],
  ] as const)('a meter reads as its limit and its window: %j', (meter, words) => {
    expect(meterLabel({ ...meter, uniqueResourceIds: false })).toBe(words);
  });

  test.each([
    [{ periodType: 'fixed', periodCount: 1, periodLength: 'month' }, 'a trailing month'],
    [{ periodType: 'rolling', periodCount: 0, periodLength: 'month' }, 'a calendar month'],
    [{ periodType: 'rolling', periodCount: null }, 'a calendar month'],
    [{ periodType: 'fixed', periodCount: 30, periodLength: 'day' }, '30 trailing days'],
    [{ periodType: 'rolling', periodCount: 6, periodLength: 'hour' }, '6 clock hours'],
    [{ periodType: 'billing', periodCount: 1, periodLength: 'month' }, 'a billing month'],
    [{ periodType: 'lifetime' }, null],
  ] as const)('a window says where it begins and ends: %j', (period, words) => {
    expect(windowKind(period)).toBe(words);
  });

  test('bounds say what they leave', () => {
    expect(boundsLabel({ min: 1, max: 100, allowDecimal: false })).toBe('1 to 100');
    expect(boundsLabel({ min: -5, allowDecimal: false })).toBe('at least -5');
    expect(boundsLabel({ max: 1000, allowDecimal: true })).toBe('at most 1,000');
    expect(boundsLabel({ allowDecimal: true })).toBeNull();
    expect(boundsLabel(null)).toBeNull();
  });
});

/** Two limits, the one that the label names first. */
test('the rule for several plans names the limit that the workspace’s order lets win', () => {
  const anHour = {
    limit: 1000,
    periodType: 'rolling',
    periodLength: 'hour',
    uniqueResourceIds: false,
  } as const;
  const aMonth = { ...anHour, limit: 5000, periodLength: 'month' } as const;
  const [hourly, monthly] = [anHour, aMonth].map((meter) => ({ state: 'metered' as const, meter }));
  const merged = (rule: 'higher' | 'lower', order: LimitOrder) =>
    mergeValues('meterable', rule, [hourly!, monthly!], order);
  expect(viewOf('meterable').ruleLabel('higher', 'rate')).toBe(
    'The limit that allows more in the same time wins',
  );
  expect(merged('higher', 'rate')).toBe(hourly);
  expect(viewOf('meterable').ruleLabel('higher', 'limit')).toBe('The larger limit wins');
  expect(merged('higher', 'limit')).toBe(monthly);
  expect(viewOf('meterable').ruleLabel('lower', 'rate')).toBe(
    'The limit that allows less in the same time wins',
  );
  expect(merged('lower', 'rate')).toBe(monthly);
  expect(viewOf('meterable').ruleLabel('lower', 'limit')).toBe('The smaller limit wins');
  expect(merged('lower', 'limit')).toBe(hourly);
  expect(viewOf('meterable').ruleLabel('higher', undefined)).toBe('The limit that allows more wins');
});

describe('as typed', () => {
  test.each([
    ['', null],
    ['  ', null],
    ['0', 0],
    ['-12.5', -12.5],
    ['\u221212', -12],
    ['1 000\u202f000', 1_000_000],
    ['1,000,000.5', 1_000_000.5],
    ['.5', 0.5],
    ['1,5', Number.NaN],
    ['12a', Number.NaN],
    ['-', Number.NaN],
    ['0x10', Number.NaN],
  ])('%j is the number %j', (text, value) => {
    expect(readNumber(text)).toBe(value);
  });
});

describe('checked', () => {
  test('a number is asked for where none was entered, and held to its bounds', () => {
    const definition = { type: 'number', bounds: { min: 1, max: 5, allowDecimal: false } } as const;
    expect(checkValueForm(definition, null)).toEqual({ '': 'Required' });
    expect(checkValueForm(definition, Number.NaN)).toEqual({ '': 'Must be a number' });
    expect(checkValueForm(definition, 0)).toEqual({ '': 'Must be greater than or equal to 1' });
    expect(checkValueForm(definition, 9)).toEqual({ '': 'Must be less than or equal to 5' });
    expect(checkValueForm(definition, 1.5)).toEqual({ '': 'Must be a whole number' });
    expect(checkValueForm(definition, 5)).toEqual({});
  });

  test('each field of a meter has its own message', () => {
    const meter = { limit: null, periodType: 'fixed', periodCount: null, uniqueResourceIds: false } as const;
    expect(checkValueForm({ type: 'meterable' }, { state: 'metered', meter })).toEqual({
      'meter.limit': 'Required',
      'meter.periodCount': 'Required',
      'meter.periodLength': 'Please select a meter length',
    });
  });

  test('what fits is read in its one spelling, what does not is not read', () => {
    const meter = { limit: 3, periodType: 'lifetime', periodCount: 2, uniqueResourceIds: true } as const;
    expect(readValue({ type: 'meterable' }, { state: 'metered', meter })).toEqual({
      state: 'metered',
      meter: { limit: 3, periodType: 'lifetime', uniqueResourceIds: true },
    });
    expect(readValue({ type: 'number' }, -0)).toBe(0);
    expect(readValue({ type: 'number' }, null)).toBeNull();
  });
});
