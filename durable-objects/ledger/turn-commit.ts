/**
 * Commits in groups: what is asked for in one turn of the event loop is decided and written together, because waiting
 * for the disk costs more than everything else. Nobody is answered before it is written; if that fails, nobody is.
 */
export class TurnCommit<Item, Result> {
  readonly #write: (items: readonly Item[]) => readonly Result[];
  readonly #endOfTurn: (work: () => void) => void;
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];

  /**
   * @param write decides and writes all items in one transaction, or throws; a result for each
   * @param endOfTurn calls back once everything that has arrived was taken in
   */
  constructor(write: (items: readonly Item[]) => readonly Result[], endOfTurn: (work: () => void) => void) {
    this.#write = write;
    this.#endOfTurn = endOfTurn;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length === 1) this.#endOfTurn(() => this.#writeAll());
    });
  }

  #writeAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const results = this.#write(waiting.map(({ item }) => item));
      for (const [index, { resolve }] of waiting.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
