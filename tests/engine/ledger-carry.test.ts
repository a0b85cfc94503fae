// What was used under other names of a customer counts with the customer, once: random histories of names, retries under
// another name, carries that are lost, repeated and late, in up to three locations, in the same ledger and in another one.
// To play one again: LEDGER_SEED=<the seed printed> vitest run … ledger-carry
import { expect, it } from 'vitest';
import { CarryHistory } from './ledger-carry-history';

const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;
const HISTORIES = Number(env.LEDGER_HISTORIES ?? 400);
const STEPS = 60;

it('the customer has used what was used under all of the names, whatever happened', {
  timeout: 120_000,
}, () => {
  const first = Number(env.LEDGER_SEED ?? 1);
  const count = env.LEDGER_SEED === undefined ? HISTORIES : 1;
  let acknowledged = 0;
  for (let seed = first; seed < first + count; seed++) {
    try {
      const history = new CarryHistory(seed);
      for (let step = 0; step < STEPS; step++) history.step();
      history.heal();
      history.check();
      acknowledged += history.acknowledged;
    } catch (error) {
      throw new Error(`History LEDGER_SEED=${seed}: ${String(error)}`, { cause: error });
    }
  }
  expect(acknowledged).toBeGreaterThan(count * 10);
});
