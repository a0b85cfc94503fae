import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { propertyKeySchema, slugSchema } from '#contracts/public/text';
import { propertyKeyFrom, slugFrom } from '#engine/slugs/slug';

const isSlug = (text: string) => slugSchema.safeParse(text).success;
const isPropertyKey = (text: string) => propertyKeySchema.safeParse(text).success;

import { HOSTILE_NAMES } from '../arbitraries.ts';

describe('the slug of a name', () => {
  test.each([
    ['Advanced Analytics', 'advanced-analytics'],
    ['Élan Vital', 'elan-vital'],
    ['İstanbul', 'istanbul'],
    ['v2.0 Exports', 'v2-0-exports'],
    ['A  .  B', 'a-b'],
    ['A - B', 'a-b'],
    ['Tabs\tand\nlines', 'tabs-and-lines'],
    ['Rock & Roll', 'rock-roll'],
    ['100% (new!)', '100-new'],
    ['under_score', 'underscore'],
    ['日本語', ''],
    ['x'.repeat(40), 'x'.repeat(32)],
  ])('%j is %s', (name, slug) => {
    expect(slugFrom(name)).toBe(slug);
  });

  it('is a fixed point of the rule, short enough, and valid once it is long enough', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 })),
        (name) => {
          const slug = slugFrom(name);
          const key = propertyKeyFrom(name);
          expect(slugFrom(slug)).toBe(slug);
          expect(propertyKeyFrom(key)).toBe(key);
          expect(slug).toMatch(/^[a-z0-9-]{0,32}$/);
          expect(slug).not.toContain('--');
          expect(key).toBe(slug.slice(0, 25));
          if (slug.length >= 3) expect(isSlug(slug)).toBe(true);
          if (key.length >= 3) expect(isPropertyKey(key)).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

test('slugs are 3 to 32 lower-case letters, digits, hyphens and underscores', () => {
  for (const slug of ['abc', 'a-b', '123', 'constructor', 'a_b', 'x'.repeat(32), '-a-'])
    expect(isSlug(slug)).toBe(true);
  for (const text of ['ab', 'x'.repeat(33), 'Abc', '_ab', 'a b', 'abc\n', '---', 'äbc'])
    expect(isSlug(text)).toBe(false);
});

test('property keys are 3 to 25 letters, digits, hyphens and underscores, case kept', () => {
  for (const key of ['abc', 'maxSeats', 'max_seats', 'x'.repeat(25)]) expect(isPropertyKey(key)).toBe(true);
  for (const text of ['ab', 'x'.repeat(26), '_ab', 'a b', 'abc\n', '---'])
    expect(isPropertyKey(text)).toBe(false);
});

test('__proto__ is neither a slug nor a key', () => {
  expect(HOSTILE_NAMES.filter((name) => isSlug(name) || isPropertyKey(name))).not.toContain('__proto__');
});
