// Prices are written as the specification writes them, and additional calls cost what it says.
import { expect, test } from 'vitest';
import { additionalCost, formatPounds, formatThousands } from '../../web/features/billing/price-words.ts';

test('prices are in pounds, with pence only where there are any', () => {
  expect([formatPounds(1_800), formatPounds(20), formatPounds(2_269), formatPounds(0)]).toEqual([
    '£18',
    '£0.20',
    '£22.69',
    '£0',
  ]);
  expect([formatThousands(100_000), formatThousands(10_000)]).toEqual(['100k', '10k']);
});

test('the first 100,000 calls are free, and each 10,000 more cost 20 pence', () => {
  expect([0, 100_000, 110_000, 1_100_000].map(additionalCost)).toEqual([0, 0, 20, 2_000]);
  expect(additionalCost(102_500)).toBe(5);
});
