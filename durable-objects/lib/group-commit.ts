/**
 * Group commit: writes many items in one transaction, because a commit costs more than the rows in it. Items share rounds
 * (engine/shared-rounds.ts): the next round starts when the last one is durable, and gathers briefly under load. Items that arrive one
 * after the other, so that nothing can be gathered, mostly skip the wait: it costs as much as the commit. No caller gets a result before
 * its group is written.
 */
import { SharedRounds } from '#engine/shared-rounds';

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

export class GroupCommit<Item, Result> {
  readonly #effects: GroupCommitEffects<Item, Result>;
  readonly #rounds: SharedRounds<Item, Result>;
  /** Until the last group is durable. */
  #syncing: Promise<void> | null = null;
  #lastSize = 0;
  /** Lone items that may be written before the next one waits to see whether others arrive. 0 under load. */
  #quietItems = 0;

  constructor(effects: GroupCommitEffects<Item, Result>) {
    this.#effects = effects;
    this.#rounds = new SharedRounds(
      async (items) => this.#write(items),
      () => this.#gather(),
    );
  }

  /**
   * @returns the result at once, if the item need not wait for others
   * @throws the error of `write`, or rejects with it
   */
  commit(item: Item): Result | Promise<Result> {
    const isQuiet = this.#syncing === null && this.#rounds.waiting === 0 && this.#lastSize <= 1;
    return isQuiet ? (this.#write([item])[0] as Result) : this.#rounds.run(item);
  }

  async #gather(): Promise<void> {
    await this.#syncing;
    if (this.#rounds.waiting > 1 || this.#lastSize > 1) await this.#effects.wait(BUSY_GATHER_MS);
  }

  #write(items: readonly Item[]): readonly Result[] {
    try {
      return this.#effects.write(items);
    } finally {
      this.#follow(items.length);
    }
  }

  /** After a group was written: when may the next one be? */
  #follow(size: number): void {
    this.#lastSize = size;
    const isQuiet = size === 1 && this.#quietItems > 0;
    this.#quietItems = isQuiet ? this.#quietItems - 1 : 0;
    if (isQuiet) return;
    const next = () => {
      if (this.#syncing === syncing) this.#syncing = null;
      if (this.#rounds.waiting === 0 && size === 1) this.#quietItems = QUIET_ITEMS;
    };
    const syncing: Promise<void> = this.#effects.durable().then(next, next);
    this.#syncing = syncing;
  }
}
