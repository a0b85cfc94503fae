// Which runner a sandbox's next run goes to, by what its runs cost.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunCost } from '#contracts/internal/workflow-run';
import { RunnerChoice } from '#worker/domains/workflows/runner-choice';

const SHORT: RunCost = { countedMs: 0.6, elapsedMs: 0.6 };
const LONG: RunCost = { countedMs: 10, elapsedMs: 15 };
/** As on a busy machine: few steps, but much time. */
const SLOW: RunCost = { countedMs: 0.6, elapsedMs: 15 };

function recordRuns(choice: RunnerChoice, sandboxId: string, count: number, cost: RunCost | null): void {
  for (let index = 0; index < count; index++) choice.record(sandboxId, cost);
}

describe('the runner of a sandbox', () => {
  it('is that for long runs while its runs are unknown, and always for code that is used once', () => {
    const choice = new RunnerChoice();
    expect([choice.runnerOf('new'), choice.runnerOf(null)]).toEqual(['long', 'long']);
    recordRuns(choice, 'new', 7, SHORT);
    expect(choice.runnerOf('new')).toBe('long');
    choice.record('new', SHORT);
    expect([choice.runnerOf('new'), choice.runnerOf('other')]).toEqual(['short', 'long']);
  });

  it.each([
    ['by its steps, even where the clock stops while code runs', { countedMs: 2.5, elapsedMs: 0 }],
    ['because it broke, or did not return', null],
  ])('changes with one run that is long %s, and twice as many short ones change it back', (_why, cost) => {
    const choice = new RunnerChoice();
    recordRuns(choice, 'sandbox', 8, SHORT);
    choice.record('sandbox', cost);
    expect(choice.runnerOf('sandbox')).toBe('long');
    recordRuns(choice, 'sandbox', 15, SHORT);
    expect(choice.runnerOf('sandbox')).toBe('long');
    choice.record('sandbox', SHORT);
    expect(choice.runnerOf('sandbox')).toBe('short');
  });

  it('does not change with two slow runs, but with three in a row', () => {
    const choice = new RunnerChoice();
    recordRuns(choice, 'sandbox', 8, SHORT);
    for (let round = 0; round < 5; round++) {
      recordRuns(choice, 'sandbox', 2, SLOW);
      expect(choice.runnerOf('sandbox')).toBe('short');
      choice.record('sandbox', SHORT);
    }
    recordRuns(choice, 'sandbox', 3, SLOW);
    expect(choice.runnerOf('sandbox')).toBe('long');
    recordRuns(choice, 'sandbox', 100, SLOW);
    expect(choice.runnerOf('sandbox')).toBe('long');
    recordRuns(choice, 'sandbox', 8, SHORT);
    expect(choice.runnerOf('sandbox')).toBe('short');
  });

  it('is remembered for a bounded number of sandboxes; a forgotten one is unknown again', () => {
    const choice = new RunnerChoice();
    recordRuns(choice, 'first', 8, SHORT);
    for (let index = 0; index < 20_000; index++) choice.record(`other ${index}`, SHORT);
    expect(choice.runnerOf('first')).toBe('long');
  });
});

it('code that tries to game it gets few long runs into the runner for short ones: each takes twice as many short runs as the last', () => {
  /** What the code does next: it may know where it runs. */
  const strategy = fc.array(
    fc.record({
      inShort: fc.constantFrom(SHORT, SLOW, LONG, null),
      inLong: fc.constantFrom(SHORT, SLOW, LONG),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(strategy, fc.nat(4_000), (steps, patience) => {
      const choice = new RunnerChoice();
      let shortRuns = 0;
      let intrusions = 0;
      const run = (cost: RunCost | null) => {
        if (cost === SHORT) shortRuns += 1;
        else if (cost !== SLOW && choice.runnerOf('sandbox') === 'short') intrusions += 1;
        choice.record('sandbox', cost);
        if (cost !== SHORT && cost !== SLOW) expect(choice.runnerOf('sandbox')).toBe('long');
      };
      for (const { inShort, inLong } of steps) {
        // As many short runs as the strategy has patience for, and then what it is up to.
        for (let waited = 0; waited < patience && choice.runnerOf('sandbox') === 'long'; waited++) run(SHORT);
        run(choice.runnerOf('sandbox') === 'short' ? inShort : inLong);
      }
      let needed = 0;
      for (let index = 0; index < intrusions; index++) needed += Math.min(8 * 2 ** index, 1024);
      expect(shortRuns).toBeGreaterThanOrEqual(needed);
    }),
    { numRuns: 200 },
  );
});
