// Usage under aliases counts with the customer, once. Random histories with retries under another identifier, and merges that
// are lost, repeated and late, in up to three locations, with the alias in the customer's ledger and in another one.
// To replay one: LEDGER_SEED=<the printed seed> vitest run … ledger-aliases
import { expect, it } from 'vitest';
import { AliasHistory } from './alias-history.ts';

const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;
const FIRST = Number(env.LEDGER_SEED ?? 1);
const HISTORIES = Number(env.LEDGER_HISTORIES ?? (env.LEDGER_SEED === undefined ? 250 : 1));
const STEPS = 60;

it("the customer's usage equals the usage under all identifiers after any random history", {
  timeout: 600_000,
}, () => {
  const differing: Record<string, string> = {};
  let acknowledged = 0;
  for (let seed = FIRST; seed < FIRST + HISTORIES; seed++) {
    const history = new AliasHistory(seed);
    try {
      for (let step = 0; step < STEPS; step++) history.step();
      history.heal();
      history.check();
    } catch (error) {
      differing[`LEDGER_SEED=${seed}`] = String(error);
    }
    acknowledged += history.acknowledged;
  }
  expect(differing).toEqual({});
  expect(acknowledged).toBeGreaterThan(HISTORIES * 10);
});
