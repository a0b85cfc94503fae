import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedCache } from '#engine/cache/bounded-cache';

test('an entry in use is never evicted', () => {
  const cache = new BoundedCache<string, number>(4);
  cache.set('kept', 1);
  for (let index = 0; index < 100; index++) {
    cache.set(`passing ${index}`, index);
    expect(cache.get('kept')).toBe(1);
  }
  expect(cache.get('passing 0')).toBeUndefined();
});

test('a get returns the last value set or nothing, keeps the latest entry, and the size never exceeds twice the capacity', () => {
  const step = fc.record({
    key: fc.constantFrom('__proto__', 'constructor', 'a', 'b', 'c', 'd', 'e'),
    isSet: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 60 }), (capacity, steps) => {
      const cache = new BoundedCache<string, number>(capacity);
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

test('weights bound the cache, and a replaced or deleted entry frees its weight', () => {
  const cache = new BoundedCache<string, string>(10, (_key, text) => text.length);
  cache.set('a', 'wwwwww');
  cache.set('a', 'www');
  cache.set('b', 'wwwwwww');
  expect([cache.get('a'), cache.get('b')]).toEqual(['www', 'wwwwwww']);
  cache.delete('b');
  expect(cache.get('b')).toBeUndefined();
  cache.set('c', 'wwwwwww');
  for (const key of ['d', 'e']) cache.set(key, 'wwwwwwwwwwwwwww');
  expect(['a', 'c', 'd', 'e'].filter((key) => cache.get(key) !== undefined)).toEqual(['d', 'e']);
  cache.clear();
  expect(cache.size).toBe(0);
});
