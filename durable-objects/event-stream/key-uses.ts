/**
 * When each API key was last used. Known from the shapes of stored groups, so an access check pays nothing for it. A key's
 * row is written at most once an hour; in between, the newest time is in memory and lost with the instance.
 */
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { EventShape } from '#engine/events/event-shape';

const WRITE_INTERVAL_MS = 3_600_000;
const MAX_CACHED_KEYS = 2_000;

interface Use {
  /** What the row says; 0 without a row. */
  readonly storedAt: number;
  readonly newestAt: number;
}

export interface KeyUse {
  readonly keyId: string;
  /** Up to an hour older than the last call. */
  readonly lastUsedAt: number;
}

export class KeyUses {
  readonly #sql: SqlStorage;
  readonly #cached = new BoundedCache<string, Use>(MAX_CACHED_KEYS);

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Runs inside the transaction that stores the events. @param at the time of the newest event with these shapes */
  add(envId: string, shapes: readonly EventShape[], at: number): void {
    for (const keyId of new Set(shapes.map((shape) => shape.keyId))) {
      if (keyId === null) continue;
      const { storedAt, newestAt } = this.#find(keyId);
      if (at <= newestAt) continue;
      const isDue = at - storedAt >= WRITE_INTERVAL_MS;
      if (isDue) {
        this.#sql.exec(
          'INSERT INTO key_use (env_id, key_id, at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at',
          ...[envId, keyId, at],
        );
      }
      this.#cached.set(keyId, { storedAt: isDue ? at : storedAt, newestAt: at });
    }
  }

  /** The keys of an environment that were ever used; revoked keys too. */
  list(envId: string): KeyUse[] {
    return this.#sql
      .exec<{ key_id: string; at: number }>('SELECT key_id, at FROM key_use WHERE env_id = ?', envId)
      .toArray()
      .map(({ key_id: keyId, at }) => ({
        keyId,
        lastUsedAt: Math.max(at, this.#cached.get(keyId)?.newestAt ?? 0),
      }));
  }

  /** Call after a rollback. */
  invalidate(): void {
    this.#cached.clear();
  }

  #find(keyId: string): Use {
    const known = this.#cached.get(keyId);
    if (known !== undefined) return known;
    const [row] = this.#sql.exec<{ at: number }>('SELECT at FROM key_use WHERE key_id = ?', keyId).toArray();
    const at = row?.at ?? 0;
    return { storedAt: at, newestAt: at };
  }
}
