/**
 * Group commit: writes many items in one transaction, because a commit costs more than the rows in it. An item that
 * arrives alone is written immediately; items that arrive while a group is pending join it. No caller gets a result
 * before its group is written.
 */
export interface GroupCommitEffects<Item, Result> {
  /** Writes all items in one transaction, or throws and writes none. Returns one result per item. */
  write(items: readonly Item[]): readonly Result[];
  wait(ms: number): Promise<void>;
}

/** When the next group is written, and what happens to a group that fails. */
export interface GroupCommitPolicy {
  /** How long to gather items before the next write; 0 or less writes immediately. */
  gatherMs(next: { readonly waiting: number; readonly lastSize: number; readonly lastAt: number }): number;
  /**
   * Resolves when the group just written is durable. The next group starts after that. Results do not depend on it: the platform
   * holds back what an object sends until everything is durable that it wrote before.
   */
  durable?(): Promise<void>;
  /** Retries the items of a failed group one by one, so that one bad item does not fail the others. */
  readonly isolatesFailures: boolean;
  now(): number;
}

/** At most one commit per interval. */
export function everyInterval(intervalMs: number, now: () => number): GroupCommitPolicy {
  return { gatherMs: ({ lastAt }) => lastAt + intervalMs - now(), isolatesFailures: true, now };
}

/** Long enough to merge the calls of tens of connections, which would otherwise form two or three groups. */
const BUSY_GATHER_MS = 1;
/** Of this many consecutive lone items, one waits for others to join. */
const QUIET_ITEMS = 8;

/**
 * One commit at a time: the next group starts when the last one is durable, and gathers briefly under load. Items that arrive one
 * after the other, so that nothing can be gathered, mostly skip the wait: it costs as much as the commit.
 */
export function afterDurable(durable: () => Promise<void>, now: () => number): GroupCommitPolicy {
  return {
    gatherMs: ({ waiting, lastSize }) => (waiting > 1 || lastSize > 1 ? BUSY_GATHER_MS : 0),
    durable,
    isolatesFailures: false,
    now,
  };
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class GroupCommit<Item, Result> {
  readonly #policy: GroupCommitPolicy;
  readonly #effects: GroupCommitEffects<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  /** A write is scheduled, or the last group is not durable yet. */
  #isBusy = false;
  #lastSize = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  /** Lone items that may be written before the next one waits to see whether others arrive. 0 under load. */
  #quietItems = 0;

  constructor(policy: GroupCommitPolicy, effects: GroupCommitEffects<Item, Result>) {
    this.#policy = policy;
    this.#effects = effects;
  }

  /**
   * @returns the result at once, if the item need not wait for others
   * @throws the error of `write`, or rejects with it
   */
  commit(item: Item): Result | Promise<Result> {
    if (!this.#isBusy && this.#gatherMs(1) <= 0) return this.#writeAlone(item);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isBusy) this.#schedule();
    });
  }

  #gatherMs(waiting: number): number {
    return this.#policy.gatherMs({ waiting, lastSize: this.#lastSize, lastAt: this.#lastAt });
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
    const gatherMs = this.#gatherMs(this.#waiting.length);
    if (gatherMs <= 0) this.#writeGroup();
    else void this.#effects.wait(gatherMs).then(() => this.#writeGroup());
  }

  #writeGroup(): void {
    const group = this.#waiting;
    this.#waiting = [];
    this.#write(group);
    this.#follow(group.length);
  }

  /** After a group was written: when may the next one be? */
  #follow(size: number): void {
    this.#lastSize = size;
    this.#lastAt = this.#policy.now();
    const { durable } = this.#policy;
    const isQuiet = size === 1 && this.#quietItems > 0;
    this.#quietItems = isQuiet ? this.#quietItems - 1 : 0;
    this.#isBusy = durable !== undefined && !isQuiet;
    if (durable === undefined || isQuiet) return;
    const next = () => {
      this.#isBusy = false;
      if (this.#waiting.length > 0) this.#schedule();
      else if (size === 1) this.#quietItems = QUIET_ITEMS;
    };
    durable().then(next, next);
  }

  #write(group: readonly Waiting<Item, Result>[]): void {
    try {
      const results = this.#effects.write(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (group.length > 1 && this.#policy.isolatesFailures) for (const each of group) this.#write([each]);
      else for (const { reject } of group) reject(error);
    }
  }
}
