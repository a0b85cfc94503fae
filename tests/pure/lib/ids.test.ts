// Ids: their order is that in which they were made, and no two are equal.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstIdAt, formatId, isIdOf, newId, timeOf } from '#runtime/ids';

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const random = fc.uint8Array({ minLength: 10, maxLength: 10 });

/** 48 bits of the instant in ten digits, then 80 random bits in sixteen. */
function inBase32(now: number, bytes: Uint8Array): string {
  let bits = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), BigInt(now));
  let text = '';
  for (let index = 0; index < 26; index++) {
    text = DIGITS[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return text;
}

test('an id is its instant and its random bytes in base 32', () => {
  fc.assert(
    fc.property(instant, random, (now, bytes) => {
      const id = formatId('evt', now, bytes);
      expect(id).toBe(`evt_${inBase32(now, bytes)}`);
      expect(isIdOf('evt', id)).toBe(true);
      expect(timeOf(id)).toBe(now);
      expect(firstIdAt('evt', now) <= id && id < firstIdAt('evt', now + 1)).toBe(true);
    }),
  );
});

test('no two ids are equal, and those of a millisecond sort in the order in which they were made', () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => newId('req', 1_700_000_000_000 + (index >> 7)));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.every((id) => isIdOf('req', id))).toBe(true);
});
