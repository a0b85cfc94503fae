/**
 * Group commit: writes many items in one transaction, because a commit costs more than the rows in it. One commit at a time: the next
 * group starts when the last one is durable, and gathers briefly under load. Items that arrive one after the other, so that nothing
 * can be gathered, mostly skip the wait: it costs as much as the commit. No caller gets a result before its group is written.
 */
export interface GroupCommitEffects<Item, Result> {
  /** Writes all items in one transaction, or throws and writes none. Returns one result per item. */
  write(items: readonly Item[]): readonly Result[];
  /**
   * Resolves when the group just written is durable. Results do not depend on it: the platform holds back what an object sends until
   * everything is durable that it wrote before.
   */
  durable(): Promise<void>;
  wait(ms: number): Promise<void>;
}

/** Long enough to merge the calls of tens of connections, which would otherwise form two or three groups. */
const BUSY_GATHER_MS = 1;
/** Of this many consecutive lone items, one waits for others to join. */
const QUIET_ITEMS = 8;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class GroupCommit<Item, Result> {
  readonly #effects: GroupCommitEffects<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  /** A write is scheduled, or the last group is not durable yet. */
  #isBusy = false;
  #lastSize = 0;
  /** Lone items that may be written before the next one waits to see whether others arrive. 0 under load. */
  #quietItems = 0;

  constructor(effects: GroupCommitEffects<Item, Result>) {
    this.#effects = effects;
  }

  /**
   * @returns the result at once, if the item need not wait for others
   * @throws the error of `write`, or rejects with it
   */
  commit(item: Item): Result | Promise<Result> {
    if (!this.#isBusy && this.#lastSize <= 1) return this.#writeAlone(item);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isBusy) this.#schedule();
    });
  }

  #writeAlone(item: Item): Result {
    try {
      return this.#effects.write([item])[0] as Result;
    } finally {
      this.#follow(1);
    }
  }

  #schedule(): void {
    this.#isBusy = true;
    if (this.#waiting.length <= 1 && this.#lastSize <= 1) this.#writeGroup();
    else void this.#effects.wait(BUSY_GATHER_MS).then(() => this.#writeGroup());
  }

  #writeGroup(): void {
    const group = this.#waiting;
    this.#waiting = [];
    try {
      const results = this.#effects.write(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    this.#follow(group.length);
  }

  /** After a group was written: when may the next one be? */
  #follow(size: number): void {
    this.#lastSize = size;
    const isQuiet = size === 1 && this.#quietItems > 0;
    this.#quietItems = isQuiet ? this.#quietItems - 1 : 0;
    this.#isBusy = !isQuiet;
    if (isQuiet) return;
    const next = () => {
      this.#isBusy = false;
      if (this.#waiting.length > 0) this.#schedule();
      else if (size === 1) this.#quietItems = QUIET_ITEMS;
    };
    this.#effects.durable().then(next, next);
  }
}
