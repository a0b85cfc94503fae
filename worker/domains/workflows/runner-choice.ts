/**
 * Chooses the runner of a sandbox's next run: the one for short runs, where nothing long delays them, once its runs are known to
 * be short; otherwise the one for long and unknown runs. See worker/README.md, "Workflows".
 */
import { type RunCost, SHORT_RUN_MS } from '#contracts/internal/workflow-run';
import { BoundedCache } from '#engine/cache/bounded-cache';

export type RunnerName = 'short' | 'long';

/** Short runs in a row after which a new sandbox moves to the runner for short runs. */
const FIRST_PROOF = 8;
/** Each long run that moves it back doubles the short runs that the next move takes, up to this number. */
const LONGEST_PROOF = 1024;
/** Runs in a row that are long by the clock alone, which a busy machine explains as well. */
const MAX_SLOW_RUNS = 3;
/** Sandboxes in one generation of the cache. A forgotten one is unknown again. */
const REMEMBERED = 10_000;

interface History {
  runner: RunnerName;
  /** In a row, in the runner for long runs. */
  shortRuns: number;
  /** In a row, in the runner for short runs. */
  slowRuns: number;
  /** Short runs in a row that a move to the runner for short runs takes. */
  proof: number;
}

export class RunnerChoice {
  readonly #histories = new BoundedCache<string, History>(REMEMBERED);

  /** @param sandboxId null: the code is used once */
  runnerOf(sandboxId: string | null): RunnerName {
    const history = sandboxId === null ? undefined : this.#histories.get(sandboxId);
    return history?.runner ?? 'long';
  }

  /** @param cost of one run, in whichever runner; null: it broke its isolate or its runner, or did not return in time */
  record(sandboxId: string, cost: RunCost | null): void {
    const history = this.#historyOf(sandboxId);
    const isLong = cost === null || cost.countedMs > SHORT_RUN_MS;
    const isSlow = cost === null || cost.elapsedMs > SHORT_RUN_MS;
    if (history.runner === 'long') {
      if (isLong) history.shortRuns = 0;
      else if (!isSlow) history.shortRuns += 1;
      if (history.shortRuns >= history.proof) Object.assign(history, { runner: 'short', slowRuns: 0 });
      return;
    }
    history.slowRuns = isSlow ? history.slowRuns + 1 : 0;
    if (!isLong && history.slowRuns < MAX_SLOW_RUNS) return;
    // A busy machine says nothing against the code.
    const proof = isLong ? Math.min(history.proof * 2, LONGEST_PROOF) : history.proof;
    Object.assign(history, { runner: 'long', shortRuns: 0, proof });
  }

  #historyOf(sandboxId: string): History {
    const known = this.#histories.get(sandboxId);
    if (known !== undefined) return known;
    const history: History = { runner: 'long', shortRuns: 0, slowRuns: 0, proof: FIRST_PROOF };
    this.#histories.set(sandboxId, history);
    return history;
  }
}
