/**
 * Stores groups of events in the stream's SQLite and counts them as usage. Delivery is at-least-once; event ids make storing
 * and counting idempotent. A group costs five statements, whatever its size, because every access check pays for them.
 */

import type { EventType } from '#contracts/console/events';
import type { UsageItem } from '#contracts/console/usage';
import type { EventGroup } from '#contracts/internal/event-batch';
import { readShapes } from '#engine/events/event-shape';
import { filterGroup } from '#engine/events/filter-group';
import { environmentTerm } from '#engine/events/search-terms';
import { tallyLines } from '#engine/events/tally-lines';
import type { NearLimits } from './near-limits.ts';
import { PARTS_PER_MS } from './read-page.ts';
import type { RollupStore } from './rollup-store.ts';
import { type HashedText, slugsIn, type TextStore } from './text-store.ts';
import type { UsageLevels } from './usage-levels.ts';

export interface ChunkRow {
  readonly [column: string]: SqlStorageValue;
  readonly key: number;
  readonly arrival: number;
  readonly env_id: string;
  /** JSON array: hashes of the features texts; shapes refer to them by index. */
  readonly texts: string;
  readonly shapes: string;
  readonly lines: string;
}

/** What is stored with the events, in the same transaction. */
export interface Figures {
  readonly texts: TextStore;
  readonly levels: UsageLevels;
  readonly rollups: RollupStore;
  readonly nearLimits: NearLimits;
}

export class EventStore {
  readonly #sql: SqlStorage;
  readonly #texts: TextStore;
  readonly #levels: UsageLevels;
  readonly #rollups: RollupStore;
  readonly #nearLimits: NearLimits;
  #highestKey: number;
  #lastArrival: number;

  constructor(sql: SqlStorage, { texts, levels, rollups, nearLimits }: Figures) {
    this.#sql = sql;
    this.#texts = texts;
    this.#levels = levels;
    this.#rollups = rollups;
    this.#nearLimits = nearLimits;
    const last = sql
      .exec<{ key: number; arrival: number }>(
        'SELECT ifnull(max(key), 0) AS key, ifnull((SELECT max(arrival) FROM chunk), 0) AS arrival FROM chunk',
      )
      .one();
    this.#highestKey = last.key;
    this.#lastArrival = last.arrival;
  }

  /**
   * Runs inside a transaction.
   * @param texts the group's texts, hashed
   * @returns the new events of the group; null if there are none
   */
  append(group: EventGroup, texts: readonly HashedText[]): EventGroup | null {
    const key = this.#freeKey(group.toAt);
    const added = this.#sql.exec(
      'INSERT OR IGNORE INTO event_id (id, chunk) SELECT value, ? FROM json_each(?)',
      key,
      group.ids,
    ).rowsWritten;
    if (added === 0) return null;
    const fresh = added === group.count ? group : filterGroup(group, this.#idsOf(key, group.ids));

    for (const text of texts) this.#texts.retain(text, fresh.toAt);
    this.#lastArrival += 1;
    if (key > this.#highestKey) this.#highestKey = key;
    this.#sql.exec(
      'INSERT INTO chunk (key, arrival, env_id, from_at, to_at, texts, shapes, lines) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ...[key, this.#lastArrival, fresh.envId, fresh.fromAt, fresh.toAt],
      ...[JSON.stringify(texts.map((text) => text.hash)), fresh.shapes, fresh.lines],
    );
    this.#sql.exec(
      'INSERT INTO search (rowid, terms) VALUES (CAST(? AS INTEGER), ?)',
      key,
      `${environmentTerm(fresh.envId)} ${fresh.terms}`,
    );
    const tally = tallyLines(fresh.lines, readShapes(fresh.shapes), (text) => slugsIn(texts[text]));
    for (const { dayAt, type, total } of tally.usage) {
      this.#sql.exec(
        `INSERT INTO usage (day_at, env_id, type, total) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET total = total + excluded.total`,
        ...[dayAt, fresh.envId, type, total],
      );
    }
    this.#levels.count(tally.usage);
    this.#rollups.add(fresh.envId, tally.minutes);
    this.#nearLimits.add(fresh.envId, tally.sightings);
    return fresh;
  }

  /** @param ids JSON array of event ids @returns the ids that are not stored here */
  missing(ids: string): string[] {
    return this.#sql
      .exec<{ id: string }>(
        'SELECT value AS id FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM event_id WHERE id = value)',
        ids,
      )
      .toArray()
      .map((row) => row.id);
  }

  /** Usage of the days that start at `fromAt` or later and before `toAt`. */
  usage(fromAt: number, toAt: number): UsageItem[] {
    return this.#sql
      .exec<{ type: EventType; environment: string; total: number; periodStartAt: number }>(
        `SELECT type, env_id AS environment, total, day_at AS periodStartAt FROM usage
         WHERE day_at >= ? AND day_at < ? ORDER BY day_at, env_id, type`,
        fromAt,
        toAt,
      )
      .toArray();
  }

  /** Approximate time of the oldest event; null if there is none. */
  oldestAt(): number | null {
    const { key } = this.#sql.exec<{ key: number | null }>('SELECT min(key) AS key FROM chunk').one();
    return key === null ? null : Math.floor(key / PARTS_PER_MS);
  }

  /** The lowest free key at or above the time of the chunk's newest event. */
  #freeKey(toAt: number): number {
    let key = toAt * PARTS_PER_MS;
    if (key > this.#highestKey) return key;
    for (;;) {
      const beyond = (Math.floor(key / PARTS_PER_MS) + 1) * PARTS_PER_MS;
      const { last } = this.#sql
        .exec<{ last: number | null }>(
          'SELECT max(key) AS last FROM chunk WHERE key >= ? AND key < ?',
          key,
          beyond,
        )
        .one();
      if (last === null) return key;
      key = last + 1;
      if (key < beyond) return key;
    }
  }

  #idsOf(key: number, ids: string): Set<string> {
    const rows = this.#sql.exec<{ id: string }>(
      'SELECT id FROM event_id WHERE id IN (SELECT value FROM json_each(?)) AND chunk = ?',
      ids,
      key,
    );
    return new Set(rows.toArray().map((row) => row.id));
  }
}
