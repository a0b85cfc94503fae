/**
 * Commits in groups: what is asked for within a short time is written in one transaction, because a commit costs more
 * than what is in it. The first after a pause is written at once. Nobody is answered before the commit.
 */
export interface CommitEffects<Item, Result> {
  /** Writes all items in one transaction, or none; a result for each. */
  readonly write: (items: readonly Item[]) => readonly Result[];
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class GroupCommit<Item, Result> {
  readonly #effects: CommitEffects<Item, Result>;
  readonly #intervalMs: number;
  #waiting: Waiting<Item, Result>[] = [];
  #lastCommitAt = Number.NEGATIVE_INFINITY;

  /** @param intervalMs shortest time from one commit to the next */
  constructor(intervalMs: number, effects: CommitEffects<Item, Result>) {
    this.#intervalMs = intervalMs;
    this.#effects = effects;
  }

  /** @throws what `write` throws for this item alone */
  commit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length > 1) return;
      const pauseMs = this.#lastCommitAt + this.#intervalMs - this.#effects.now();
      if (pauseMs <= 0) this.#commitWaiting();
      else void this.#effects.wait(pauseMs).then(() => this.#commitWaiting());
    });
  }

  #commitWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#lastCommitAt = this.#effects.now();
    this.#write(waiting);
  }

  #write(waiting: readonly Waiting<Item, Result>[]): void {
    try {
      const results = this.#effects.write(waiting.map((each) => each.item));
      for (const [index, each] of waiting.entries()) each.resolve(results[index] as Result);
    } catch (error) {
      // One that cannot be written must not take the others along.
      if (waiting.length > 1) for (const each of waiting) this.#write([each]);
      else waiting[0]?.reject(error);
    }
  }
}
