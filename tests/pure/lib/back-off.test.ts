import { expect, test } from 'vitest';
import { BackOff, pauseAfter } from '#engine/back-off';
import { CALL_PAUSES_MS } from '#objects/lib/in-flight';

const NOW = 1_700_000_000_000;

test('pauses double from the first one to the longest, however many failures there were', () => {
  const pauses = { first: 2, longest: 300 };
  expect([1, 2, 3, 8, 9, 5_000].map((failures) => pauseAfter(failures, pauses))).toEqual([
    2, 4, 8, 256, 300, 300,
  ]);
});

test('between objects, pauses last between half and all of 0.5 to 60 seconds', () => {
  for (const [random, share] of [
    [0, 0.5],
    [0.5, 0.75],
  ] as const) {
    const backOff = new BackOff(CALL_PAUSES_MS, { now: () => NOW, random: () => random });
    const pauses = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000];
    for (const [index, pauseMs] of pauses.entries()) {
      expect(backOff.fail()).toBe(index + 1);
      expect(backOff.until).toBe(NOW + pauseMs * share);
      expect(backOff.isOver).toBe(false);
    }
    backOff.succeed();
    expect(backOff.isOver).toBe(true);
  }
});

test('the pause after a failure ends at a whole millisecond, like the alarm that is set for its end', () => {
  const backOff = new BackOff(CALL_PAUSES_MS, { now: () => NOW, random: () => 0.3333 });
  backOff.fail();
  expect(backOff.until).toBe(NOW + 334);
});
