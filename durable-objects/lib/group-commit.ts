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
  /** Resolves when the group just written is durable. The next group starts after that. */
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

/** One commit at a time: the next group starts when the last one is durable, and gathers briefly under load. */
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

  constructor(policy: GroupCommitPolicy, effects: GroupCommitEffects<Item, Result>) {
    this.#policy = policy;
    this.#effects = effects;
  }

  /** @throws the error of `write` */
  commit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isBusy) this.#schedule();
    });
  }

  #schedule(): void {
    this.#isBusy = true;
    const gatherMs = this.#policy.gatherMs({
      waiting: this.#waiting.length,
      lastSize: this.#lastSize,
      lastAt: this.#lastAt,
    });
    if (gatherMs <= 0) this.#writeGroup();
    else void this.#effects.wait(gatherMs).then(() => this.#writeGroup());
  }

  #writeGroup(): void {
    const group = this.#waiting;
    this.#waiting = [];
    this.#lastSize = group.length;
    this.#lastAt = this.#policy.now();
    this.#write(group);
    const { durable } = this.#policy;
    if (durable === undefined) {
      this.#isBusy = false;
      return;
    }
    const next = () => {
      this.#isBusy = false;
      if (this.#waiting.length > 0) this.#schedule();
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
