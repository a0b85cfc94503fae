/**
 * How much one message between ledgers contains: far below the 32 MiB that a call may have, and little enough that the receiver merges
 * it in one short transaction.
 */
const MAX_RECORDS = 2_000;
const MAX_BYTES = 1_000_000;

export class PageRoom {
  #records: number;
  #bytes: number;

  constructor(records = MAX_RECORDS, bytes = MAX_BYTES) {
    this.#records = records;
    this.#bytes = bytes;
  }

  /** Records that still fit, without regard to their bytes. */
  get records(): number {
    return Math.max(0, this.#records);
  }

  get isFull(): boolean {
    return this.#records <= 0 || this.#bytes <= 0;
  }

  /**
   * Takes records from the front while there is room, and all of a unit that it has begun: at least one unit in an empty page.
   * @param unitOf the same for records that must not be separated, which follow each other
   */
  take<Item>(items: Iterable<Item>, unitOf: (item: Item) => string): { taken: Item[]; isAll: boolean } {
    const taken: Item[] = [];
    let unit: string | null = null;
    for (const item of items) {
      const own = unitOf(item);
      if (this.isFull && own !== unit) return { taken, isAll: false };
      unit = own;
      taken.push(item);
      this.#records -= 1;
      this.#bytes -= JSON.stringify(item).length;
    }
    return { taken, isAll: true };
  }
}
