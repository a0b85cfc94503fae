/**
 * Stores roll-ups and lets them age: the minutes of hours that are over are merged into hours, and the hours of past days into days. This
 * happens in the transaction of an append, a few rows at a time. Readers merge rows of all widths, so it does not matter when.
 */
import { BoundedCache } from '#engine/cache/bounded-cache';
import { DAY_MS, HOUR_MS } from '#engine/durations';
import { Rollup } from '#engine/events/rollup';
import { MINUTE_MS } from '#engine/events/tally-lines';

/** Minutes that stay apart, for charts of the last hours, and hours, for charts of a week. */
const MINUTES_KEPT_MS = 3 * HOUR_MS;
const HOURS_KEPT_MS = 8 * DAY_MS;
/** Rows merged per append, which bounds the transaction; but more than the append adds, so that none pile up. */
const MERGED_AT_ONCE = 200;
/** Open minutes in memory. */
const MAX_OPEN = 200;

const WIDTHS = [MINUTE_MS, HOUR_MS, DAY_MS] as const;
type Width = (typeof WIDTHS)[number];

export interface RollupRow {
  readonly width: Width;
  readonly at: number;
  readonly rollup: Rollup;
}

interface StoredRow {
  readonly [column: string]: SqlStorageValue;
  readonly width: number;
  readonly at: number;
  readonly env_id: string;
  readonly body: string;
}

export class RollupStore {
  readonly #sql: SqlStorage;
  readonly #open = new BoundedCache<string, Rollup>(MAX_OPEN / 2);
  /** The hour of the newest event when everything due was merged. */
  #agedAt = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Runs inside the transaction that stores the events. */
  add(envId: string, minutes: ReadonlyMap<number, Rollup>): void {
    let newest = 0;
    for (const [minuteAt, added] of minutes) {
      const rollup = this.#openMinute(envId, minuteAt);
      rollup.merge(added);
      this.#write(MINUTE_MS, minuteAt, envId, rollup);
      newest = Math.max(newest, minuteAt);
    }
    const limit = Math.max(MERGED_AT_ONCE, 2 * minutes.size);
    if (newest - (newest % HOUR_MS) > this.#agedAt) this.#age(newest, limit);
  }

  /** Call after a rollback. */
  invalidate(): void {
    this.#open.clear();
    this.#agedAt = 0;
  }

  /**
   * All roll-ups that overlap a period, of all widths.
   * @param environments their ids; null: all
   */
  *read(environments: readonly string[] | null, fromAt: number, toAt: number): Generator<RollupRow> {
    const only = environments === null ? '' : 'AND env_id IN (SELECT value FROM json_each(?))';
    const bound = environments === null ? [] : [JSON.stringify(environments)];
    for (const width of WIDTHS) {
      const rows = this.#sql.exec<StoredRow>(
        `SELECT * FROM rollup WHERE width = ? AND at > ? AND at < ? ${only} ORDER BY at`,
        ...[width, fromAt - width, toAt, ...bound],
      );
      for (const { at, body } of rows) yield { width, at, rollup: Rollup.read(body) };
    }
  }

  /** Deletes the roll-ups that begin at `fromAt` or later, before a rebuild. */
  clear(fromAt: number): void {
    this.#sql.exec('DELETE FROM rollup WHERE at >= ?', fromAt);
    this.invalidate();
  }

  #openMinute(envId: string, minuteAt: number): Rollup {
    const key = `${minuteAt} ${envId}`;
    let rollup = this.#open.get(key);
    if (rollup === undefined) {
      rollup = this.#find(MINUTE_MS, minuteAt, envId);
      this.#open.set(key, rollup);
    }
    return rollup;
  }

  #age(newest: number, limit: number): void {
    const isDone =
      this.#merge(MINUTE_MS, HOUR_MS, newest - MINUTES_KEPT_MS, limit) &&
      this.#merge(HOUR_MS, DAY_MS, newest - HOURS_KEPT_MS, limit);
    if (isDone) this.#agedAt = newest - (newest % HOUR_MS);
  }

  /** @returns whether no narrow roll-up from before that time is left */
  #merge(narrow: Width, wide: Width, before: number, limit: number): boolean {
    const rows = this.#sql
      .exec<StoredRow>(
        'SELECT * FROM rollup WHERE width = ? AND at < ? ORDER BY at, env_id LIMIT ?',
        ...[narrow, before - (before % wide), limit],
      )
      .toArray();
    const wider = new Map<string, { at: number; envId: string; rollup: Rollup }>();
    for (const { at, env_id: envId, body } of rows) {
      const start = at - (at % wide);
      const key = `${start} ${envId}`;
      let target = wider.get(key);
      if (target === undefined) {
        target = { at: start, envId, rollup: this.#find(wide, start, envId) };
        wider.set(key, target);
      }
      target.rollup.merge(Rollup.read(body), (at - start) / narrow);
      this.#sql.exec('DELETE FROM rollup WHERE width = ? AND at = ? AND env_id = ?', narrow, at, envId);
      this.#open.delete(`${at} ${envId}`);
    }
    for (const { at, envId, rollup } of wider.values()) this.#write(wide, at, envId, rollup);
    return rows.length < limit;
  }

  #find(width: Width, at: number, envId: string): Rollup {
    const [row] = this.#sql
      .exec<{ body: string }>(
        'SELECT body FROM rollup WHERE width = ? AND at = ? AND env_id = ?',
        width,
        at,
        envId,
      )
      .toArray();
    return row === undefined ? new Rollup() : Rollup.read(row.body);
  }

  #write(width: Width, at: number, envId: string, rollup: Rollup): void {
    rollup.bound();
    this.#sql.exec(
      `INSERT INTO rollup (width, at, env_id, body) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET body = excluded.body`,
      ...[width, at, envId, rollup.write()],
    );
  }
}
