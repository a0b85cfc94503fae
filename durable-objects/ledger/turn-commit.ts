/**
 * Commits in groups, because waiting for the disk costs more than all the rest: what is asked for while a commit is on
 * its way is decided and written together after it. One caller alone never waits for others; where there are many, the
 * next group is gathered for a moment. Nobody is answered before it is written; if that fails, nobody is.
 */
export interface CommitEffects<Item, Result> {
  /** Decides and writes all items in one transaction, or throws; a result for each. */
  write(items: readonly Item[]): readonly Result[];
  /** Waits until what was written is on the disk. */
  written(): Promise<void>;
  wait(ms: number): Promise<void>;
}

/** Long enough for the calls of some tens of connections, which would otherwise make two or three groups. */
const GATHER_MS = 1;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class TurnCommit<Item, Result> {
  readonly #effects: CommitEffects<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  /** Between the moment that a group is due and the moment that it is on the disk. */
  #isUnderWay = false;
  #isCrowded = false;

  constructor(effects: CommitEffects<Item, Result>) {
    this.#effects = effects;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isUnderWay) this.#begin();
    });
  }

  #begin(): void {
    this.#isUnderWay = true;
    if (this.#isCrowded) this.#effects.wait(GATHER_MS).then(() => this.#write());
    else this.#write();
  }

  #write(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#isCrowded = waiting.length > 1;
    try {
      const results = this.#effects.write(waiting.map(({ item }) => item));
      for (const [index, { resolve }] of waiting.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
    const goOn = () => this.#goOn();
    this.#effects.written().then(goOn, goOn);
  }

  #goOn(): void {
    this.#isUnderWay = false;
    if (this.#waiting.length === 0) return;
    this.#isCrowded ||= this.#waiting.length > 1;
    this.#begin();
  }
}
