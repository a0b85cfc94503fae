/**
 * Work that concurrent callers share, because it costs about the same for one item as for many: calls that arrive while a round
 * is under way share the next one. A round that fails is repeated item by item, so that one item does not fail the others.
 */
export class SharedRounds<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #gather: () => Promise<void>;
  #waiting: Waiting<Item, Result>[] = [];
  #isRunning = false;

  /**
   * @param work returns one result per item, in order; it may be repeated with the same items
   * @param gather resolves when the next round may begin; at once unless set, so that items of the same turn share it
   */
  constructor(
    work: (items: readonly Item[]) => Promise<readonly Result[]>,
    gather: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.#work = work;
    this.#gather = gather;
  }

  /** Items that no round has taken yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** @throws what the work throws for this item */
  run(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    if (!this.#isRunning) void this.#runRounds();
    return promise;
  }

  async #runRounds(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const round = this.#waiting;
      this.#waiting = [];
      await this.#runRound(round);
    }
    this.#isRunning = false;
  }

  async #runRound(round: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#work(round.map(({ item }) => item));
      for (const [index, { resolve }] of round.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (round.length > 1) for (const each of round) await this.#runRound([each]);
      else for (const { reject } of round) reject(error);
    }
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
