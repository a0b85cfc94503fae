import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { alternate } from '#lab/bench/alternation';
import { estimate, verdictOf } from '#lab/bench/verdict';

test('nothing of a load is in flight in the turn of another, and everybody ends', async () => {
  const connections = [3, 2];
  const inFlight = [0, 0];
  const sent = [0, 0];
  const shares = alternate(connections);
  let isOver = false;
  const clients = shares.flatMap((share, index) =>
    Array.from({ length: connections[index] ?? 0 }, async () => {
      while (!isOver) {
        await new Promise<void>((send) => share.take(send));
        if (isOver) return;
        inFlight[index] = (inFlight[index] ?? 0) + 1;
        sent[index] = (sent[index] ?? 0) + 1;
        expect(inFlight[1 - index]).toBe(0);
        await soon();
        inFlight[index] = (inFlight[index] ?? 0) - 1;
      }
    }),
  );
  await expect.poll(() => Math.min(...sent), { timeout: 10_000 }).toBeGreaterThan(500);
  isOver = true;
  for (const { end } of shares) end();
  await Promise.all(clients);
  expect(Math.min(...shares.map(({ seconds }) => seconds()))).toBeGreaterThan(0);
});

const even = Array.from({ length: 12 }, () => [100, 90] as const);
const uneven = even.map(([one], round) => [one, round % 2 === 0 ? 40 : 140] as const);

test('a ratio is that of all rounds together, with a margin that grows with their differences', () => {
  expect(estimate([...even.slice(1), [200, 90]])).toMatchObject({ ratio: 1080 / 1300 });
  expect(estimate(even)).toEqual({ ratio: 0.9, margin: 0 });
  expect(estimate(uneven).ratio).toBeCloseTo(0.9);
  expect(estimate(uneven).margin).toBeGreaterThan(0.25);
});

test('a verdict takes a control that equals itself, and a margin that allows it', () => {
  const quiet = { ratio: 1.02, margin: 0.02 };
  const verdict = (ratio: number, margin: number, aim?: number, control = quiet) =>
    verdictOf({ ratio, margin }, control, aim);
  expect(verdict(0.9, 0.02, 0.85)).toBe('met');
  expect(verdict(0.9, 0.02, 0.95)).toBe('missed');
  expect(verdict(0.9, 0.02, 0.91)).toBe('too close to tell');
  expect(verdict(0.9, 0.02, 0.87)).toBe('too close to tell');
  expect(verdict(0.9, 0.02)).toBe('');
  expect(verdict(0.9, 0.2, 0.5)).toBe('machine too busy');
  expect(verdict(0.9, 0.02, 0.85, { ratio: 1.06, margin: 0 })).toBe('machine too busy');
  expect(verdict(0.9, 0.02, 0.85, { ratio: 1, margin: 0.2 })).toBe('machine too busy');
  expect(verdict(Number.NaN, Number.NaN, 0.85)).toBe('machine too busy');
});
