// The end of a grant or override, as people write it.
import { describe, expect, test } from 'vitest';
import { readInstant, writeInstant } from '../../web/domains/customers/manual/written-instant.ts';

const local = (...parts: [number, number, number, number?, number?]) => {
  const [year, month, day, hour = 0, minute = 0] = parts;
  return new Date(year, month - 1, day, hour, minute).getTime();
};

describe('the end of an entry', () => {
  test.each([
    ['2026-12-31 18:05', local(2026, 12, 31, 18, 5)],
    ['2026-12-31T18:05', local(2026, 12, 31, 18, 5)],
    ['  2026-1-2   9:30 ', local(2026, 1, 2, 9, 30)],
    ['2028-02-29', local(2028, 3, 1)],
    ['2026-12-31', local(2027, 1, 1)],
  ])('reads %j', (text, at) => expect(readInstant(text)).toBe(at));

  test.each([
    '',
    'tomorrow',
    '31.12.2026',
    '2026-02-29',
    '2026-13-01',
    '2026-12-31 24:01',
    '2026-12-31 12:60',
    '2026-12',
  ])('does not read %j', (text) => expect(readInstant(text)).toBeNaN());

  test('of a start is the beginning of a day', () => {
    expect(readInstant('2026-12-31', true)).toBe(local(2026, 12, 31));
    expect(readInstant('2026-12-31 18:05', true)).toBe(local(2026, 12, 31, 18, 5));
  });

  test('is read as it is written', () => {
    for (let day = 0; day < 400; day++) {
      const at = local(2026, 1, 1, 8, 15) + day * 86_400_000;
      expect(readInstant(writeInstant(at))).toBe(at);
    }
  });
});
