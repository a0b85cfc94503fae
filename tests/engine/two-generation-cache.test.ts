import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TwoGenerationCache } from '#engine/entitlements/two-generation-cache';

test('what is asked for again and again is never forgotten', () => {
  const cache = new TwoGenerationCache<number>(4);
  cache.set('kept', 1);
  for (let index = 0; index < 100; index++) {
    cache.set(`passing ${index}`, index);
    expect(cache.get('kept')).toBe(1);
  }
  expect(cache.get('passing 0')).toBeUndefined();
});

test('it answers what was set last or nothing, remembers the latest entries, and never holds more than two fillings', () => {
  const step = fc.record({
    key: fc.constantFrom('__proto__', 'constructor', 'a', 'b', 'c', 'd', 'e'),
    isSet: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 60 }), (capacity, steps) => {
      const cache = new TwoGenerationCache<number>(capacity);
      const latest = new Map<string, number>();
      steps.forEach(({ key, isSet }, index) => {
        if (isSet) {
          cache.set(key, index);
          latest.set(key, index);
          expect(cache.get(key)).toBe(index);
        } else expect([undefined, latest.get(key)]).toContain(cache.get(key));
        expect(cache.size).toBeLessThanOrEqual(capacity * 2);
      });
    }),
    { numRuns: 500 },
  );
});
