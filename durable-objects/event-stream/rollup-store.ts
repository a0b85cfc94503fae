/**
 * Stores roll-ups. Events are counted in minutes; when an hour is over it is folded into an hour and a day, in the transaction of
 * an append. So a chart of a month reads days, and what it reads does not grow with the number of events. Minutes and hours are
 * deleted when no chart shows them any more.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';
import { Rollup } from '#engine/events/rollup';
import { floorTo, NO_EXTENT, type RollupExtent, rangesOf, type Width, widthsOf } from './rollup-extent.ts';
import { RollupChanges, type RollupPart, RollupRows, type StoredRollupRow } from './rollup-rows.ts';
import type { Settings } from './settings.ts';
import { upgradeRollups } from './upgrade-rollups.ts';

/** For charts of the last hour, and of a week. */
const MINUTES_KEPT_MS = 3 * HOUR_MS;
const HOURS_KEPT_MS = 8 * DAY_MS;
/** An hour is folded this long after its end. An event that arrives later costs a row of each width. */
const FOLD_DELAY_MS = 5 * MINUTE_MS;
/** Minutes folded per append, which bounds the transaction; but more than the append adds, so that none pile up. */
const FOLDED_AT_ONCE = 200;

/** What to read, and how. */
export interface RollupCriteria {
  /** Their ids; null: all. */
  readonly environments: readonly string[] | null;
  readonly fromAt: number;
  readonly toAt: number;
  /** Rows at most this wide, where there are any. */
  readonly widest: Width;
  readonly part: RollupPart;
}

export class RollupStore {
  readonly #rows: RollupRows;
  readonly #settings: Settings;

  constructor(storage: DurableObjectStorage, settings: Settings) {
    this.#rows = new RollupRows(storage.sql);
    this.#settings = settings;
    if (settings.get('reasons_from') === undefined)
      storage.transactionSync(() => settings.set('reasons_from', String(this.#rows.endAt())));
    if (settings.get('draws_from') === undefined)
      storage.transactionSync(() => settings.set('draws_from', String(this.#rows.endAt())));
    if (settings.get('rollups') === undefined)
      storage.transactionSync(() => this.#save(upgradeRollups(this.#rows)));
  }

  /**
   * From when on the roll-ups have everything that is counted now: reasons, features by what calls name, routes and runs. Null: all do.
   * Those of earlier releases have not, nor do events that isolates of an earlier release send during a deployment.
   */
  get reasonsFrom(): number | null {
    return Number(this.#settings.get('reasons_from')) || null;
  }

  /** From when on the roll-ups have what calls took from balances. Null: all do. */
  get drawsFrom(): number | null {
    return Number(this.#settings.get('draws_from')) || null;
  }

  /**
   * Runs inside the transaction that stores the events.
   * @param formerTo the time of the newest event of an earlier release among them; 0 without any
   */
  add(envId: string, minutes: ReadonlyMap<number, Rollup>, formerTo: number): void {
    if (formerTo >= (this.reasonsFrom ?? 0) && formerTo > 0)
      this.#settings.set('reasons_from', String(formerTo + 1));
    const changes = new RollupChanges(this.#rows);
    const extent = this.#extent;
    let newest = 0;
    for (const [minuteAt, added] of minutes) {
      for (const width of widthsOf(extent, minuteAt)) changes.merge(width, minuteAt, envId, added);
      newest = Math.max(newest, minuteAt);
    }
    changes.write();
    const foldTo = floorTo(newest - FOLD_DELAY_MS, HOUR_MS);
    if (foldTo <= extent.foldedTo) return;
    const foldedTo = this.#fold(extent.foldedTo, foldTo, Math.max(FOLDED_AT_ONCE, 2 * minutes.size));
    this.#prune({ ...extent, foldedTo }, newest);
  }

  /** Call after a rollback, when settings are reloaded. */
  invalidate(): void {
    this.#rows.invalidate();
  }

  /** The narrowest rows for a time: events of that time can be shown in periods of a minute or of an hour. */
  partMsAt(at: number): number {
    return at < this.#extent.hoursFrom ? HOUR_MS : MINUTE_MS;
  }

  /** Rows that overlap a period, each event in exactly one of them. */
  *read({ environments, fromAt, toAt, widest, part }: RollupCriteria): Generator<StoredRollupRow> {
    for (const range of rangesOf(this.#extent, { fromAt, toAt }, widest))
      yield* this.#rows.read(range, environments, part);
  }

  /** Deletes the roll-ups of a day and all later ones, before they are counted again. @param fromAt start of the day */
  clear(fromAt: number): void {
    this.#rows.clear(fromAt);
    const { minutesFrom, hoursFrom, foldedTo } = this.#extent;
    this.#save({
      minutesFrom: Math.min(minutesFrom, fromAt),
      hoursFrom: Math.min(hoursFrom, fromAt),
      foldedTo: Math.min(foldedTo, fromAt),
    });
  }

  /** Folds whole hours up to an hour, as far as `limit` minutes. @returns how far */
  #fold(from: number, to: number, limit: number): number {
    const changes = new RollupChanges(this.#rows);
    let foldedTo = from;
    for (let count = 0; count < limit; ) {
      const next = this.#rows.firstAt(MINUTE_MS, foldedTo);
      if (next === null || next >= to) {
        foldedTo = to;
        break;
      }
      const hourAt = floorTo(next, HOUR_MS);
      const hour = { width: MINUTE_MS, fromAt: hourAt, toAt: hourAt + HOUR_MS } as const;
      for (const { at, envId, text } of [...this.#rows.read(hour, null, 'all')]) {
        const rollup = Rollup.read(text);
        changes.merge(HOUR_MS, at, envId, rollup);
        changes.merge(DAY_MS, at, envId, rollup);
        count += 1;
      }
      foldedTo = hourAt + HOUR_MS;
    }
    changes.write();
    return foldedTo;
  }

  /** Deletes narrow rows that are folded and old. */
  #prune({ minutesFrom, hoursFrom, foldedTo }: RollupExtent, newest: number): void {
    const pruned = {
      minutesFrom: Math.max(minutesFrom, Math.min(foldedTo, floorTo(newest - MINUTES_KEPT_MS, HOUR_MS))),
      hoursFrom: Math.max(hoursFrom, floorTo(Math.min(foldedTo, newest - HOURS_KEPT_MS), DAY_MS)),
      foldedTo,
    };
    this.#rows.delete({ width: MINUTE_MS, fromAt: 0, toAt: pruned.minutesFrom });
    this.#rows.delete({ width: HOUR_MS, fromAt: 0, toAt: pruned.hoursFrom });
    this.#save(pruned);
  }

  get #extent(): RollupExtent {
    const text = this.#settings.get('rollups');
    return text === undefined ? NO_EXTENT : (JSON.parse(text) as RollupExtent);
  }

  #save(extent: RollupExtent): void {
    this.#settings.set('rollups', JSON.stringify(extent));
  }
}
