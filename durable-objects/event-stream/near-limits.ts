/**
 * Customers near a limit, as last read by a check or an update. The newest reading of each feature wins, whatever the order in which
 * events arrive. One row per environment, because few customers are near a limit.
 */
import type { NearLimit } from '#contracts/internal/event-batch';
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { MeterSighting } from '#engine/events/tally-lines';

/** Customers and features stored per environment. Above that, those with the most room are dropped. */
const MAX_ENTRIES = 400;
const MAX_ENVIRONMENTS = 50;
/** A reading that repeats the stored one is stored again after this time only, or every commit of a busy environment would write it. */
const REPEATED_AFTER_MS = 300_000;

interface Entry {
  readonly customer: string;
  readonly feature: string;
  /** Time of the newest reading in memory; stored at most REPEATED_AFTER_MS behind. */
  at: number;
  /** `at` as stored; absent: equal. */
  storedAt?: number;
  /** Empty: the newest reading is far from the limit. */
  readonly nearLimits: readonly NearLimit[];
}

type Entries = Map<string, Entry>;

export interface CustomerNearLimit extends NearLimit {
  readonly envId: string;
  readonly customer: string;
  readonly at: number;
}

export class NearLimits {
  readonly #sql: SqlStorage;
  readonly #cached = new BoundedCache<string, Entries>(MAX_ENVIRONMENTS / 2);

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Runs inside the transaction that stores the events. */
  add(envId: string, sightings: readonly MeterSighting[]): void {
    const entries = this.#entriesOf(envId);
    let isChanged = false;
    for (const sighting of sightings) isChanged = see(entries, sighting) || isChanged;
    if (!isChanged) return;
    if (entries.size > MAX_ENTRIES) drop(entries);
    this.#sql.exec(
      'INSERT INTO near_limit (env_id, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
      envId,
      JSON.stringify([...entries.values()].map(({ storedAt: _, ...entry }) => entry)),
    );
    for (const entry of entries.values()) entry.storedAt = entry.at;
  }

  /** Meters near their limit, the highest share first. @param environments their ids; null: all */
  list(environments: readonly string[] | null): CustomerNearLimit[] {
    const envIds =
      environments ??
      this.#sql
        .exec<{ env_id: string }>('SELECT env_id FROM near_limit')
        .toArray()
        .map((row) => row.env_id);
    const found: CustomerNearLimit[] = [];
    for (const envId of envIds) {
      for (const { customer, at, nearLimits } of this.#entriesOf(envId).values()) {
        for (const nearLimit of nearLimits) found.push({ envId, customer, at, ...nearLimit });
      }
    }
    return found.sort((one, other) => shareOf(other) - shareOf(one));
  }

  /** Deletes everything, before a rebuild. */
  clear(): void {
    this.#sql.exec('DELETE FROM near_limit');
    this.invalidate();
  }

  /** Call after a rollback. */
  invalidate(): void {
    this.#cached.clear();
  }

  #entriesOf(envId: string): Entries {
    let entries = this.#cached.get(envId);
    if (entries === undefined) {
      const [row] = this.#sql
        .exec<{ body: string }>('SELECT body FROM near_limit WHERE env_id = ?', envId)
        .toArray();
      const stored = row === undefined ? [] : (JSON.parse(row.body) as Entry[]);
      entries = new Map(stored.map((entry) => [keyOf(entry), entry]));
      this.#cached.set(envId, entries);
    }
    return entries;
  }
}

/** @returns whether something must be stored */
function see(entries: Entries, { customer, at, features, nearLimits }: MeterSighting): boolean {
  let isChanged = false;
  for (const feature of features) {
    const key = keyOf({ customer, feature });
    const known = entries.get(key);
    const now = nearLimits.filter((each) => each.feature === feature);
    if (known === undefined ? now.length === 0 : known.at > at) continue;
    if (known !== undefined && JSON.stringify(known.nearLimits) === JSON.stringify(now)) {
      known.storedAt ??= known.at;
      known.at = at;
      isChanged = isChanged || at - known.storedAt >= REPEATED_AFTER_MS;
    } else {
      entries.set(key, { customer, feature, at, nearLimits: now });
      isChanged = true;
    }
  }
  return isChanged;
}

function drop(entries: Entries): void {
  const byShare = [...entries].sort(([, one], [, other]) => highestShare(other) - highestShare(one));
  for (const [key] of byShare.slice(MAX_ENTRIES)) entries.delete(key);
}

function highestShare({ nearLimits }: Entry): number {
  return Math.max(0, ...nearLimits.map(shareOf));
}

function shareOf({ used, limit }: NearLimit): number {
  return limit === 0 ? used : used / limit;
}

function keyOf({ customer, feature }: Pick<Entry, 'customer' | 'feature'>): string {
  return `${feature}\t${customer}`;
}
