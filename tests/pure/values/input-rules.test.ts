// The shapes of input: what the page proposes the Worker accepts, and a refusal names the field and the rule.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { nameSchema, propertyKeySchema, slugSchema } from '#contracts/public/text';
import { propertyValueSchema } from '#contracts/public/values';
import { propertyKeyFrom, slugFrom } from '#engine/slugs/slug';
import { checkValue } from '#engine/values/kinds/check-value';
import { ApiError } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';

test('every slug and key derived from a name is accepted if it is long enough and not only hyphens', () => {
  const isUsable = (text: string) => text.length >= 3 && /[^-]/.test(text);
  fc.assert(
    fc.property(fc.string({ maxLength: 60, unit: fc.constantFrom(...'aZ9 .-_é🚀ß') }), (name) => {
      const [slug, key] = [slugFrom(name), propertyKeyFrom(name)];
      if (isUsable(slug)) expect(slugSchema.safeParse(slug).success).toBe(true);
      if (isUsable(key)) expect(propertyKeySchema.safeParse(key).success).toBe(true);
    }),
  );
  for (const name of ['.NET support', 'Trailing dot.', 'A name that is longer than thirty two characters']) {
    expect(slugSchema.safeParse(slugFrom(name)).success).toBe(true);
  }
});

test('no slug or key is a special object member such as __proto__', () => {
  for (const name of ['__proto__', '__defineGetter__', '___', '_private']) {
    expect(slugSchema.safeParse(name).success).toBe(false);
    expect(propertyKeySchema.safeParse(name).success).toBe(false);
  }
});

test('a name of invisible or broken characters is refused, one in any script is not', () => {
  const isName = (name: string) => nameSchema.safeParse(name).success;
  expect(['a\0bc', 'a\nbc', 'a\u0085bc', 'abc\udfff', '\u0000\u0000\u0000'].map(isName)).toEqual(
    Array(5).fill(false),
  );
  expect(['שלום', 'Ünïcødé', '機能一覧', '👩‍👩‍👧 plan'].map(isName)).toEqual(Array(4).fill(true));
});

test('every value that the engine accepts for a type passes the shape of values', () => {
  const count = fc.integer({ min: 0, max: 1000 });
  const meter = fc.record({
    limit: fc.maxSafeNat(),
    periodType: fc.constantFrom('fixed', 'rolling', 'lifetime'),
    periodCount: fc.option(count, { nil: undefined }),
    periodLength: fc.option(fc.constantFrom('hour', 'day', 'month'), { nil: undefined }),
    uniqueResourceIds: fc.boolean(),
  });
  const meterable = fc.oneof(
    fc.constantFrom({ state: 'on' }, { state: 'off' }),
    fc.record({ state: fc.constant('metered'), meter }),
  );
  const value = fc.oneof(fc.double(), fc.integer(), fc.boolean(), fc.string({ maxLength: 50 }), meterable);
  fc.assert(
    fc.property(value, fc.constantFrom('number', 'boolean', 'string', 'meterable'), (candidate, type) => {
      if (checkValue({ type }, candidate).length > 0) return;
      expect(propertyValueSchema.safeParse(candidate).success).toBe(true);
    }),
  );
});

const shape = z.strictObject({
  text: z.string().max(3),
  number: z.number().min(1).optional(),
  list: z.array(z.boolean()).optional(),
  choice: z.enum(['a', 'b']).optional(),
  value: propertyValueSchema.optional(),
});

test.each<[unknown, string[]]>([
  [undefined, [': Required']],
  [null, [': Must be an object']],
  ['text', [': Must be an object']],
  [{}, ['text: Required']],
  [{ text: 1 }, ['text: Must be text']],
  [{ text: 'long' }, ['text: Must be at most 3 characters']],
  [{ text: 'a', number: 0 }, ['number: Must be greater than or equal to 1']],
  [{ text: 'a', number: Number.POSITIVE_INFINITY }, ['number: Must be a number']],
  [{ text: 'a', list: {} }, ['list: Must be a list']],
  [{ text: 'a', list: [true, 'x'] }, ['list.1: Must be true or false']],
  [{ text: 'a', choice: 'c' }, ['choice: Must be one of a, b']],
  [{ text: 'a', constructor: 1, extra: 2 }, ['constructor: Unknown property', 'extra: Unknown property']],
  [
    { text: 'a', value: null },
    ['value: Must be a number, true or false, text, or a state of on, off or metered'],
  ],
  [
    {
      text: 'a',
      value: { state: 'metered', meter: { limit: 'x', periodType: 'lifetime', uniqueResourceIds: true } },
    },
    ['value.meter.limit: Must be a whole number'],
  ],
])('%j is refused as %j', (input, issues) => {
  let refusal: unknown;
  try {
    parse(shape, input);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(ApiError);
  const { status, detail } = refusal as ApiError;
  expect(status).toBe(400);
  expect(detail.issues?.map(({ path, message }) => `${path}: ${message}`)).toEqual(issues);
});
