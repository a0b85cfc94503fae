/**
 * Runs one piece of work at a time, in the order of arrival. A turn ends with its work and a pause, never by the clock, so no
 * work overlaps another.
 */
export class Turns {
  readonly #maxQueued: number;
  readonly #pause: () => Promise<void>;
  #last: Promise<void> = Promise.resolve();
  #queued = 0;

  /** @param maxQueued running and waiting */
  constructor(maxQueued: number, pause: () => Promise<void>) {
    this.#maxQueued = maxQueued;
    this.#pause = pause;
  }

  /** @returns null if too many wait; the work is then not run */
  take<T>(work: () => Promise<T>): Promise<T> | null {
    if (this.#queued >= this.#maxQueued) return null;
    this.#queued += 1;
    const turn = this.#last.then(work);
    this.#last = turn
      .then(
        () => undefined,
        () => undefined,
      )
      .then(this.#pause)
      .finally(() => {
        this.#queued -= 1;
      });
    return turn;
  }
}
