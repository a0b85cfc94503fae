// Plays random histories in which any set of regions follows any other (region-history.ts). To replay one:
// LEDGER_SEED=<the printed seed> npx vitest run … moving-regions
import { expect, it } from 'vitest';
import { RegionHistory } from './region-history.ts';

const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;
const FIRST = Number(env.LEDGER_SEED ?? 1);
const HISTORIES = Number(env.REGION_HISTORIES ?? (env.LEDGER_SEED === undefined ? 100 : 1));
const STEPS = 80;

it('every acknowledged update counts once in every enabled region, whichever regions followed which', {
  timeout: 3_600_000,
}, async () => {
  const differing: Record<string, readonly string[]> = {};
  let acknowledged = 0;
  for (let seed = FIRST; seed < FIRST + HISTORIES; seed++) {
    const history = new RegionHistory(seed);
    await history.play(STEPS).catch((error: unknown) => history.differences.push(String(error)));
    acknowledged += history.acknowledged;
    if (history.differences.length > 0) differing[`LEDGER_SEED=${seed}`] = history.differences.slice(0, 4);
  }
  expect(differing).toEqual({});
  expect(acknowledged).toBeGreaterThan(HISTORIES * 5);
});
