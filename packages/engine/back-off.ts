/** Exponential back-off: after each failure in a row, the pause before the next attempt doubles. */

/** In one unit, which `pauseAfter` returns too. */
export interface Pauses {
  readonly first: number;
  readonly longest: number;
}

/** @param failures in a row, at least 1 */
export function pauseAfter(failures: number, { first, longest }: Pauses): number {
  return Math.min(longest, first * 2 ** (failures - 1));
}

interface BackOffEffects {
  now(): number;
  /** In [0, 1). */
  random(): number;
}

/** Counts failures in memory. With jitter: each pause lasts between half and all of its nominal length. */
export class BackOff {
  readonly #pauses: Pauses;
  readonly #effects: BackOffEffects;
  #failures = 0;
  #until = 0;

  /** @param pauses in milliseconds */
  constructor(pauses: Pauses, effects: BackOffEffects) {
    this.#pauses = pauses;
    this.#effects = effects;
  }

  /** Epoch milliseconds, whole like an alarm's, before which nothing may be tried; 0 without failures. */
  get until(): number {
    return this.#until;
  }

  get isOver(): boolean {
    return this.#until <= this.#effects.now();
  }

  /** @returns the number of consecutive failures */
  fail(): number {
    this.#failures += 1;
    const pauseMs = pauseAfter(this.#failures, this.#pauses);
    this.#until = Math.ceil(this.#effects.now() + pauseMs * (0.5 + this.#effects.random() / 2));
    return this.#failures;
  }

  succeed(): void {
    this.#failures = 0;
    this.#until = 0;
  }
}
