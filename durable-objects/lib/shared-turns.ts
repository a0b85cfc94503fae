/**
 * Lets calls that arrive shortly after each other go on together: the first one at once, those within the pause after it at its end.
 */
export interface TurnEffects {
  wait(ms: number): Promise<void>;
  now(): number;
}

export class SharedTurns {
  readonly #pauseMs: number;
  readonly #effects: TurnEffects;
  #lastAt = Number.NEGATIVE_INFINITY;
  #next: Promise<void> | null = null;

  constructor(pauseMs: number, effects: TurnEffects) {
    this.#pauseMs = pauseMs;
    this.#effects = effects;
  }

  async next(): Promise<void> {
    // A clock that was set back makes nobody wait longer.
    const waitMs = Math.min(this.#lastAt + this.#pauseMs - this.#effects.now(), this.#pauseMs);
    if (this.#next === null && waitMs > 0) {
      this.#next = this.#effects.wait(waitMs).then(() => {
        this.#next = null;
        this.#lastAt = this.#effects.now();
      });
    } else if (this.#next === null) this.#lastAt = this.#effects.now();
    await this.#next;
  }
}
