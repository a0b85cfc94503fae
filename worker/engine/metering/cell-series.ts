/**
 * Amounts along time: cells of the grid, in order, none covering another. It answers the sum of any stretch from running
 * sums, so that a reading costs the same however much was counted, and remembers which cells are to be stored.
 */
import { cellEnd, cellStart, leastAge, MONTHS, mayBeMerged } from './cell-grid.ts';

export interface Cell {
  /** Minutes since the epoch. */
  readonly start: number;
  readonly width: number;
  readonly amount: number;
  readonly version: number;
}

export class CellSeries {
  readonly #starts: number[] = [];
  readonly #widths: number[] = [];
  readonly #amounts: number[] = [];
  readonly #versions: number[] = [];
  /** Sums of the amounts up to and with each cell; right for the first `#summed` of them. */
  readonly #sums: number[] = [];
  #summed = 0;
  /** New cells since the old ones were last merged. */
  #grown = 0;
  readonly #changed = new Set<number>();
  readonly #removed = new Set<number>();

  /** Cells in the order of their starts, none covering another. */
  static of(cells: Iterable<Cell>): CellSeries {
    const series = new CellSeries();
    for (const cell of cells) series.#insert(series.size, cell);
    return series;
  }

  get size(): number {
    return this.#starts.length;
  }

  get total(): number {
    return this.#sumOfFirst(this.size);
  }

  /** Start of the newest cell; 0 where there is none. */
  get newest(): number {
    return this.#starts.at(-1) ?? 0;
  }

  /** What stands in cells that start at `from` or later, and before `to`. */
  sum(from: number, to: number): number {
    const first = this.#countBefore(from);
    const end = to === Number.POSITIVE_INFINITY ? this.size : this.#countBefore(to);
    return this.#sumOfFirst(end) - this.#sumOfFirst(first);
  }

  /** The cells that start at `from` or later. */
  *since(from: number): Generator<Cell> {
    for (let index = this.#countBefore(from); index < this.size; index++) yield this.#cell(index);
  }

  /** Adds to the cell that covers a minute, or to a new one of one minute. True where it is a new one. */
  add(minute: number, amount: number): boolean {
    const index = this.#countBefore(minute + 1) - 1;
    if (index >= 0 && cellEnd(this.#widths[index] ?? 0, this.#starts[index] ?? 0) > minute) {
      this.#amounts[index] = (this.#amounts[index] ?? 0) + amount;
      this.#touch(index);
      return false;
    }
    this.#insert(index + 1, { start: minute, width: 0, amount, version: 0 });
    this.#changed.add(minute);
    this.#removed.delete(minute);
    return true;
  }

  /**
   * Takes a cell as its origin has it: into narrower ones it brings their sum up to date and replaces them; where a wider
   * one stands, or one as wide and as new, nothing changes.
   * @returns false: nothing changed. Otherwise the starts of the cells that it replaced.
   */
  put(cell: Cell): readonly number[] | false {
    const end = cellEnd(cell.width, cell.start);
    const before = this.#countBefore(cell.start) - 1;
    if (before >= 0 && cellEnd(this.#widths[before] ?? 0, this.#starts[before] ?? 0) > cell.start)
      return false;
    const first = before + 1;
    if (this.#starts[first] === cell.start) {
      const width = this.#widths[first] ?? 0;
      if (width > cell.width) return false;
      if (width === cell.width && (this.#versions[first] ?? 0) >= cell.version) return false;
    }
    const replaced = this.#remove(first, this.#countBefore(end));
    this.#insert(first, cell);
    return replaced;
  }

  /** After each new cell: merges old ones when there are so many new ones that looking at all of them is worth it. */
  tidy(now: number): void {
    this.#grown += 1;
    if (this.#grown < this.size / 4) return;
    this.#grown = 0;
    this.compact(now);
  }

  /** Merges cells that have grown old; what any window reads from `now` (a minute) on stays what it is. */
  compact(now: number): void {
    let index = 0;
    while (index < this.size && now - (this.#starts[index] ?? 0) >= leastAge(1)) {
      const start = this.#starts[index] ?? 0;
      let width = MONTHS;
      while (!mayBeMerged(width, start, now)) width -= 1;
      const end = this.#countBefore(cellEnd(width, cellStart(width, start)));
      if (end > index + 1) this.#merge(index, end, width);
      index += 1;
    }
  }

  /** For series that are not stored. */
  forgetChanges(): void {
    this.#changed.clear();
    this.#removed.clear();
  }

  /** Hands over what is to be stored: each changed cell gets the next version, and the starts of cells that are gone. */
  takeChanges(nextVersion: () => number): { readonly cells: Cell[]; readonly removed: number[] } {
    const cells: Cell[] = [];
    for (const start of this.#changed) {
      const index = this.#countBefore(start);
      if (this.#starts[index] !== start) continue;
      this.#versions[index] = nextVersion();
      cells.push(this.#cell(index));
    }
    const removed = [...this.#removed];
    this.#changed.clear();
    this.#removed.clear();
    return { cells, removed };
  }

  #merge(index: number, end: number, width: number): void {
    const minute = this.#starts[index] ?? 0;
    const amount = this.#sumOfFirst(end) - this.#sumOfFirst(index);
    for (const start of this.#remove(index, end)) {
      this.#removed.add(start);
      this.#changed.delete(start);
    }
    const start = cellStart(width, minute);
    this.#insert(index, { start, width, amount, version: 0 });
    this.#removed.delete(start);
    this.#changed.add(start);
  }

  #touch(index: number): void {
    this.#changed.add(this.#starts[index] ?? 0);
    this.#summed = Math.min(this.#summed, index);
  }

  #insert(index: number, { start, width, amount, version }: Cell): void {
    if (index === this.size) {
      this.#starts.push(start);
      this.#widths.push(width);
      this.#amounts.push(amount);
      this.#versions.push(version);
    } else {
      this.#starts.splice(index, 0, start);
      this.#widths.splice(index, 0, width);
      this.#amounts.splice(index, 0, amount);
      this.#versions.splice(index, 0, version);
    }
    this.#summed = Math.min(this.#summed, index);
  }

  #remove(from: number, to: number): number[] {
    if (to <= from) return [];
    this.#widths.splice(from, to - from);
    this.#amounts.splice(from, to - from);
    this.#versions.splice(from, to - from);
    this.#summed = Math.min(this.#summed, from);
    return this.#starts.splice(from, to - from);
  }

  #cell(index: number): Cell {
    return {
      start: this.#starts[index] ?? 0,
      width: this.#widths[index] ?? 0,
      amount: this.#amounts[index] ?? 0,
      version: this.#versions[index] ?? 0,
    };
  }

  /** How many cells start before a minute. */
  #countBefore(minute: number): number {
    let low = 0;
    let high = this.size;
    if (high > 0 && (this.#starts[high - 1] ?? 0) < minute) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) < minute) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sumOfFirst(count: number): number {
    for (let index = this.#summed; index < count; index++) {
      this.#sums[index] = (this.#sums[index - 1] ?? 0) + (this.#amounts[index] ?? 0);
    }
    this.#summed = Math.max(this.#summed, count);
    return count === 0 ? 0 : (this.#sums[count - 1] ?? 0);
  }
}
