// Compares random histories with a list of updates. Histories contain releases, negative updates, retries in another location,
// lost, repeated and reordered messages, restarts, crashes before a commit, partitions, locations that are disabled and enabled
// again, and time that crosses window boundaries. To replay one: LEDGER_SEED=<the printed seed> vitest run … ledger-model
import { expect, it } from 'vitest';
import { History, type HistoryKind } from './ledger-history.ts';

const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;
const FIRST = Number(env.LEDGER_SEED ?? 1);
const HISTORIES = Number(env.LEDGER_HISTORIES ?? (env.LEDGER_SEED === undefined ? 150 : 1));
const STEPS = 70;

function play(seed: number, ...kinds: readonly HistoryKind[]): History {
  const history = new History(seed, undefined, kinds);
  for (let step = 0; step < STEPS; step++) history.step();
  history.heal();
  history.check();
  return history;
}

// One that few histories meet: a location that was alone deletes a key that another, enabled meanwhile, has accepted.
it.each([13_130])('history %i agrees with the list of updates', (seed) => {
  expect(play(seed).acknowledged).toBeGreaterThan(10);
});

it('after healing, all locations agree with the list of updates', {
  timeout: 600_000,
}, () => {
  let acknowledged = 0;
  for (let seed = FIRST; seed < FIRST + HISTORIES; seed++) {
    try {
      acknowledged += play(seed).acknowledged;
    } catch (error) {
      throw new Error(`History LEDGER_SEED=${seed}: ${String(error)}`, { cause: error });
    }
  }
  expect(acknowledged).toBeGreaterThan(HISTORIES * 10);
});

it('registers that ledgers write are the same everywhere, and go when their time has passed', () => {
  for (let seed = FIRST; seed < FIRST + HISTORIES / 4; seed++) {
    try {
      play(seed, 'registers');
    } catch (error) {
      throw new Error(`History LEDGER_SEED=${seed} with registers: ${String(error)}`, { cause: error });
    }
  }
});

it('usage by billing window is the list of updates, also where it drew from grants', {
  timeout: 600_000,
}, () => {
  for (let seed = FIRST; seed < FIRST + HISTORIES / 5; seed++) {
    for (const kinds of [['billing'], ['billing', 'grants']] as const) {
      try {
        play(seed, ...kinds);
      } catch (error) {
        throw new Error(`History LEDGER_SEED=${seed} of ${kinds}: ${String(error)}`, { cause: error });
      }
    }
  }
});

it('what updates drew from grants is the same everywhere, to the unit', { timeout: 600_000 }, () => {
  for (let seed = FIRST; seed < FIRST + HISTORIES / 2; seed++) {
    try {
      play(seed, 'grants');
    } catch (error) {
      throw new Error(`History LEDGER_SEED=${seed} with grants: ${String(error)}`, { cause: error });
    }
  }
});

it('what is held, and what is left of it, is the same everywhere', { timeout: 600_000 }, () => {
  for (let seed = FIRST; seed < FIRST + HISTORIES / 3; seed++) {
    for (const kinds of [['holds'], ['holds', 'grants'], ['holds', 'billing']] as const) {
      try {
        play(seed, ...kinds);
      } catch (error) {
        throw new Error(`History LEDGER_SEED=${seed} of ${kinds}: ${String(error)}`, { cause: error });
      }
    }
  }
});

it('what updates and holds also count is the same everywhere, on other meters and entities', {
  timeout: 600_000,
}, () => {
  for (let seed = FIRST; seed < FIRST + HISTORIES / 4; seed++) {
    for (const kinds of [['also'], ['also', 'holds'], ['also', 'grants']] as const) {
      try {
        play(seed, ...kinds);
      } catch (error) {
        throw new Error(`History LEDGER_SEED=${seed} of ${kinds}: ${String(error)}`, { cause: error });
      }
    }
  }
});

it('what rolls over is the same everywhere, and what was left by the list of updates', {
  timeout: 600_000,
}, () => {
  for (let seed = FIRST; seed < FIRST + HISTORIES / 4; seed++) {
    for (const kinds of [['rollover'], ['rollover', 'billing'], ['rollover', 'also']] as const) {
      try {
        play(seed, ...kinds);
      } catch (error) {
        throw new Error(`History LEDGER_SEED=${seed} of ${kinds}: ${String(error)}`, { cause: error });
      }
    }
  }
});
