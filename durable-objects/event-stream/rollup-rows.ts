/** SQL of roll-ups: one row per environment and minute, hour or day, with the newest rows in memory. */
import { BoundedCache } from '#engine/cache/bounded-cache';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';
import { Rollup, type RollupText } from '#engine/events/rollup';
import { floorTo, type RowRange, type Width } from './rollup-extent.ts';

/** Rows in memory. */
const MAX_OPEN = 200;

/**
 * What to read of a row. Lists (features and names) are most of it, and outcomes by narrower period most of the rest. SQLite cuts out
 * the latencies, which takes a fraction of the time that parsing all of it here would.
 */
export type RollupPart = 'all' | 'outcomes' | 'latencies' | 'lists and latencies';

const LATENCIES = "json_object('latency', body -> '$.latency', 'answered', body -> '$.answered')";
const COLUMNS: Record<RollupPart, string> = {
  all: 'body, lists',
  outcomes: 'body, NULL AS lists',
  latencies: `${LATENCIES} AS body, NULL AS lists`,
  // The body of a row of earlier versions has the lists.
  'lists and latencies': `iif(lists IS NULL, body, ${LATENCIES}) AS body, lists`,
};

export interface RollupRow {
  readonly width: Width;
  readonly at: number;
  readonly envId: string;
  readonly rollup: Rollup;
}

/** As it is stored: Rollup.read builds it, and a roll-up that others are merged into adds it. */
export interface StoredRollupRow extends Omit<RollupRow, 'rollup'> {
  readonly text: RollupText;
}

export class RollupRows {
  readonly #sql: SqlStorage;
  readonly #open = new BoundedCache<string, Rollup>(MAX_OPEN / 2);

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** A roll-up to change and write; empty if there is none yet. */
  open(width: Width, at: number, envId: string): Rollup {
    const key = `${width} ${at} ${envId}`;
    let rollup = this.#open.get(key);
    if (rollup === undefined) {
      const [row] = this.#sql
        .exec<{ body: string; lists: string | null }>(
          'SELECT body, lists FROM rollup WHERE width = ? AND at = ? AND env_id = ?',
          ...[width, at, envId],
        )
        .toArray();
      rollup = row === undefined ? new Rollup() : Rollup.read(row);
      this.#open.set(key, rollup);
    }
    return rollup;
  }

  write({ width, at, envId, rollup }: RollupRow): void {
    rollup.bound();
    const { body, lists } = rollup.write();
    this.#sql.exec(
      `INSERT INTO rollup (width, at, env_id, body, lists) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET body = excluded.body, lists = excluded.lists`,
      ...[width, at, envId, body, lists],
    );
  }

  /** Rows in order of time. @param environments their ids; null: all */
  *read(
    { width, fromAt, toAt }: RowRange,
    environments: readonly string[] | null,
    part: RollupPart,
  ): Generator<StoredRollupRow> {
    const only = environments === null ? '' : 'AND env_id IN (SELECT value FROM json_each(?))';
    const bound = environments === null ? [] : [JSON.stringify(environments)];
    const rows = this.#sql.exec<{ at: number; env_id: string; body: string; lists: string | null }>(
      `SELECT at, env_id, ${COLUMNS[part]} FROM rollup
       WHERE width = ? AND at >= ? AND at < ? ${only} ORDER BY at`,
      ...[width, fromAt, toAt, ...bound],
    );
    for (const { at, env_id: envId, body, lists } of rows) yield { width, at, envId, text: { body, lists } };
  }

  /** The first row of a width that begins at `fromAt` or later; null if there is none. */
  firstAt(width: Width, fromAt: number): number | null {
    return this.#sql
      .exec<{ at: number | null }>(
        'SELECT min(at) AS at FROM rollup WHERE width = ? AND at >= ?',
        width,
        fromAt,
      )
      .one().at;
  }

  /** The last row of a width; null if there is none. */
  lastAt(width: Width): number | null {
    return this.#sql
      .exec<{ at: number | null }>('SELECT max(at) AS at FROM rollup WHERE width = ?', width)
      .one().at;
  }

  /** When the newest of the narrowest rows ends; 0 if there is none. */
  endAt(): number {
    for (const width of [MINUTE_MS, HOUR_MS, DAY_MS] as const) {
      const last = this.lastAt(width);
      if (last !== null) return last + width;
    }
    return 0;
  }

  delete({ width, fromAt, toAt }: RowRange): void {
    this.#sql.exec('DELETE FROM rollup WHERE width = ? AND at >= ? AND at < ?', width, fromAt, toAt);
  }

  /** Deletes the rows of all widths that begin at `fromAt` or later. */
  clear(fromAt: number): void {
    this.#sql.exec('DELETE FROM rollup WHERE at >= ?', fromAt);
    this.invalidate();
  }

  /** Call after a rollback. */
  invalidate(): void {
    this.#open.clear();
  }
}

/** Rows to be written, each once. */
export class RollupChanges {
  readonly #rows: RollupRows;
  readonly #changed = new Map<string, RollupRow>();

  constructor(rows: RollupRows) {
    this.#rows = rows;
  }

  /** @param added the roll-up of the minute or hour `at` */
  merge(width: Width, at: number, envId: string, added: Rollup): void {
    const start = floorTo(at, width);
    const key = `${width} ${start} ${envId}`;
    let row = this.#changed.get(key);
    if (row === undefined) {
      row = { width, at: start, envId, rollup: this.#rows.open(width, start, envId) };
      this.#changed.set(key, row);
    }
    if (width === MINUTE_MS) row.rollup.merge(added);
    else row.rollup.merge(added, Math.floor((at - start) / (width === DAY_MS ? HOUR_MS : MINUTE_MS)));
  }

  write(): void {
    for (const row of this.#changed.values()) this.#rows.write(row);
  }
}
