/**
 * One customer's meters as a ledger holds them in memory: for each property the cells of every origin, and how many
 * resources were last used when. What changes here is handed over to be stored before anybody is answered.
 */
import type { CellRecord, LedgerReading } from '#contracts/ledger';
import type { Meter } from '#contracts/values';
import { minuteOf } from '../metering/cell-grid.ts';
import { CellSeries } from '../metering/cell-series.ts';
import { readWindow } from '../metering/read-window.ts';

/** How many held resources were last used in a minute. */
export interface HeldCount {
  readonly minute: number;
  readonly count: number;
}

export interface CellChanges {
  readonly cells: readonly CellRecord[];
  readonly removed: readonly Pick<CellRecord, 'propertyId' | 'origin' | 'start'>[];
}

export class CustomerMeters {
  readonly identifier: string;
  readonly #origins = new Map<string, Map<string, CellSeries>>();
  readonly #held = new Map<string, CellSeries>();
  readonly #countHeld: (propertyId: string) => readonly HeldCount[];
  readonly #touched = new Set<string>();

  /**
   * @param cells as stored, in the order of their starts
   * @param countHeld asks the storage, in the order of the minutes
   */
  constructor(
    identifier: string,
    cells: readonly CellRecord[],
    countHeld: (propertyId: string) => readonly HeldCount[],
  ) {
    this.identifier = identifier;
    this.#countHeld = countHeld;
    for (const cell of cells) this.#seriesOf(cell.propertyId, cell.origin).put(cell);
  }

  /** About how much memory it takes, in cells. */
  get weight(): number {
    let weight = 8;
    for (const series of this.#origins.values()) for (const each of series.values()) weight += 8 + each.size;
    for (const series of this.#held.values()) weight += 8 + series.size;
    return weight;
  }

  read(propertyId: string, meter: Meter, now: number): LedgerReading {
    return readWindow(meter, now, this.#seriesFor(propertyId, meter.uniqueResourceIds));
  }

  /** Of all origins, whatever the window; negative where more was given back in total than is known here. */
  total(propertyId: string): number {
    let total = 0;
    for (const series of this.#origins.get(propertyId)?.values() ?? []) total += series.total;
    return total;
  }

  /**
   * Adds to what `origin`, the ledger's own, has counted. A clock that went back counts into the newest cell.
   * @param at epoch milliseconds
   * @returns the minute that it was counted in
   */
  add(propertyId: string, origin: string, at: number, amount: number): number {
    const series = this.#seriesOf(propertyId, origin);
    const minute = Math.max(minuteOf(at), series.newest);
    this.#touched.add(propertyId);
    if (series.add(minute, amount)) series.tidy(minute);
    return minute;
  }

  /** Takes back what `origin`, the ledger's own, had counted in a minute. */
  takeBack(propertyId: string, origin: string, minute: number, amount: number): void {
    this.#touched.add(propertyId);
    this.#seriesOf(propertyId, origin).add(minute, -amount);
  }

  /** @returns as CellSeries.put */
  put(cell: CellRecord): readonly number[] | false {
    return this.#seriesOf(cell.propertyId, cell.origin).put(cell);
  }

  /** A resource was last used at another instant than before, or is held no longer, or is held anew. */
  moveHeld(propertyId: string, before: number | null, after: number | null): void {
    const held = this.#held.get(propertyId);
    if (held === undefined) return;
    if (before !== null) held.add(minuteOf(before), -1);
    if (after !== null && held.add(minuteOf(after), 1)) held.tidy(held.newest);
    held.forgetChanges();
  }

  /** What `origin`, the ledger's own, has changed since this was last asked. */
  takeChanges(origin: string, nextVersion: () => number): CellChanges {
    const cells: CellRecord[] = [];
    const removed: CellChanges['removed'][number][] = [];
    for (const propertyId of this.#touched) {
      const changes = this.#seriesOf(propertyId, origin).takeChanges(nextVersion);
      for (const cell of changes.cells) cells.push({ ...cell, propertyId, origin });
      for (const start of changes.removed) removed.push({ propertyId, origin, start });
    }
    this.#touched.clear();
    return { cells, removed };
  }

  #seriesFor(propertyId: string, isUnique: boolean): readonly CellSeries[] {
    if (isUnique) return [this.#heldOf(propertyId)];
    const origins = this.#origins.get(propertyId);
    return origins === undefined ? [] : [...origins.values()];
  }

  #heldOf(propertyId: string): CellSeries {
    let held = this.#held.get(propertyId);
    if (held === undefined) {
      const counts = this.#countHeld(propertyId);
      held = CellSeries.of(
        counts.map(({ minute, count }) => ({ start: minute, width: 0, amount: count, version: 0 })),
      );
      held.compact(held.newest);
      held.forgetChanges();
      this.#held.set(propertyId, held);
    }
    return held;
  }

  #seriesOf(propertyId: string, origin: string): CellSeries {
    let origins = this.#origins.get(propertyId);
    if (origins === undefined) {
      origins = new Map();
      this.#origins.set(propertyId, origins);
    }
    let series = origins.get(origin);
    if (series === undefined) {
      series = new CellSeries();
      origins.set(origin, series);
    }
    return series;
  }
}
