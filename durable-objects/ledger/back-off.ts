/** Exponential back-off with jitter: each pause doubles, and lasts between half and all of its nominal length. */
export interface BackOffEffects {
  now(): number;
  /** In [0, 1). */
  random(): number;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

export class BackOff {
  readonly #effects: BackOffEffects;
  #failures = 0;
  #until = 0;

  constructor(effects: BackOffEffects) {
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
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
    this.#until = Math.ceil(this.#effects.now() + pauseMs * (0.5 + this.#effects.random() / 2));
    return this.#failures;
  }

  succeed(): void {
    this.#failures = 0;
    this.#until = 0;
  }
}
