/** Pauses after failures: each twice as long as the one before, somewhere between half and all of it. */
export interface BackOffEffects {
  now(): number;
  /** From 0 to 1. */
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

  /** Epoch milliseconds: not to be tried before; 0 where nothing failed. */
  get until(): number {
    return this.#until;
  }

  get isOver(): boolean {
    return this.#until <= this.#effects.now();
  }

  /** @returns how many failures there were in a row */
  fail(): number {
    this.#failures += 1;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
    this.#until = this.#effects.now() + pauseMs * (0.5 + this.#effects.random() / 2);
    return this.#failures;
  }

  succeed(): void {
    this.#failures = 0;
    this.#until = 0;
  }
}
