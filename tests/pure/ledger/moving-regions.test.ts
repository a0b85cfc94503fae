// Plays random histories in which any set of regions follows any other (region-history.ts). To replay one:
// LEDGER_SEED=<the printed seed> npx vitest run … moving-regions
import { expect, it } from 'vitest';
import { RegionHistory } from './region-history.ts';

const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;
const FIRST = Number(env.LEDGER_SEED ?? 1);
const HISTORIES = Number(env.REGION_HISTORIES ?? (env.LEDGER_SEED === undefined ? 100 : 1));
const STEPS = 80;
/**
 * Of the first 30,000, those in which a key counts twice: two locations with a decision each retired before either learned of the other's
 * (durable-objects/README.md, "Retiring a location"). A change of the histories gives other seeds.
 */
const LIMITS = [2859, 3212, 9112, 13_456, 17_778, 19_837, 22_435, 23_667, 24_884];

it('every acknowledged update counts once in every enabled region, whichever regions followed which', {
  timeout: 3_600_000,
}, async () => {
  const differing: Record<string, readonly string[]> = {};
  const limited: number[] = [];
  let acknowledged = 0;
  for (let seed = FIRST; seed < FIRST + HISTORIES; seed++) {
    const history = new RegionHistory(seed);
    await history.play(STEPS).catch((error: unknown) => history.differences.push(String(error)));
    acknowledged += history.acknowledged;
    if (HISTORIES > 1 && LIMITS.includes(seed)) {
      const isLimit = history.differences.every((text) => text.endsWith(' with a key counts 2 times'));
      if (isLimit && history.differences.length > 0) limited.push(seed);
    } else if (history.differences.length > 0)
      differing[`LEDGER_SEED=${seed}`] = history.differences.slice(0, 4);
  }
  expect(differing).toEqual({});
  expect(limited).toEqual(
    LIMITS.filter((seed) => seed >= FIRST && seed < FIRST + HISTORIES && HISTORIES > 1),
  );
  expect(acknowledged).toBeGreaterThan(HISTORIES * 5);
});

it('every hold that its client knows is settled, wherever its region has gone, and counts once', {
  timeout: 3_600_000,
}, async () => {
  const differing: Record<string, readonly string[]> = {};
  for (let seed = FIRST; seed < FIRST + HISTORIES; seed++) {
    const history = new RegionHistory(seed, ['holds']);
    await history.play(STEPS).catch((error: unknown) => history.differences.push(String(error)));
    if (history.differences.length > 0) differing[`LEDGER_SEED=${seed}`] = history.differences.slice(0, 4);
  }
  expect(differing).toEqual({});
});
