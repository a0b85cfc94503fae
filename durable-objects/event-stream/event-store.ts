/**
 * Stores groups of events in the stream's SQLite and counts them. Few events wait in the inbox, which costs one row; many are stored
 * together, of all isolates: per environment one chunk, one row of search terms, one of group ids and one roll-up, however many events
 * there are. Delivery is at-least-once; the ids of groups, and of events that more than one group may contain, make storing and counting
 * idempotent.
 */

import type { EventType } from '#contracts/console/events';
import type { UsageItem } from '#contracts/console/usage';
import type { CountedDay } from '#contracts/internal/counted-day';
import type { EventGroup } from '#contracts/internal/event-batch';
import { DAY_MS } from '#engine/durations';
import { joinGroups } from '#engine/events/chunk-text';
import { onlyEvents } from '#engine/events/only-events';
import { environmentTerm, HAS_SUBJECTS } from '#engine/events/search-terms';
import { mergeTallies, type UsageCount } from '#engine/events/tally-lines';
import { timeOf } from '#runtime/ids';
import { packChunk } from './chunk-rows.ts';
import { figuresOf, type HashedGroup } from './hashed-group.ts';
import { Inbox } from './inbox.ts';
import type { KeyUses } from './key-uses.ts';
import type { KillRates } from './kill-rates.ts';
import type { NearLimits } from './near-limits.ts';
import { PARTS_PER_MS } from './read-page.ts';
import type { RollupStore } from './rollup-store.ts';
import type { TextStore } from './text-store.ts';
import type { UsageLevels } from './usage-levels.ts';

/** Events and UTF-16 units of a chunk's lines. A row stays below SQLite's 2 MB, and a page of search reads few events in vain. */
const MAX_CHUNK_EVENTS = 1_000;
const MAX_CHUNK_LENGTH = 400_000;
/** As long as groups wait in the inbox. */
const MAX_CHUNK_SPAN_MS = 60_000;
const NO_IDS = '[]';
/** Longer than D1 can be turned back: a day that is reported again was counted. */
const COUNTED_DAYS_MS = 40 * DAY_MS;
/** How far a chunk's key may be ahead of any of its events; a millisecond that many chunks share moves it a little. */
export const MAX_KEY_LEAD_MS = MAX_CHUNK_SPAN_MS + 1_000;

/** What is stored with the events, in the same transaction. */
export interface Figures {
  readonly texts: TextStore;
  readonly levels: UsageLevels;
  readonly rollups: RollupStore;
  readonly nearLimits: NearLimits;
  readonly killRates: KillRates;
  readonly keyUses: KeyUses;
}

export class EventStore {
  readonly #sql: SqlStorage;
  readonly #texts: TextStore;
  readonly #levels: UsageLevels;
  readonly #rollups: RollupStore;
  readonly #nearLimits: NearLimits;
  readonly #killRates: KillRates;
  readonly #keyUses: KeyUses;
  readonly inbox: Inbox;
  #highestKey: number;
  #lastArrival: number;

  constructor(sql: SqlStorage, { texts, levels, rollups, nearLimits, killRates, keyUses }: Figures) {
    this.#sql = sql;
    this.#texts = texts;
    this.#levels = levels;
    this.#rollups = rollups;
    this.#nearLimits = nearLimits;
    this.#killRates = killRates;
    this.#keyUses = keyUses;
    this.inbox = new Inbox(sql, texts);
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
   * @returns for each group, the part of it that was new; null if everything is stored already
   */
  append(groups: readonly HashedGroup[]): (EventGroup | null)[] {
    const known = this.#knownEvents(
      groups.flatMap(({ group }) => JSON.parse(group.ids) as string[]),
      groups.flatMap(({ group }) => datedIds(group)),
    );
    const seen = new Set<string>();
    const fresh = groups.map(({ group, texts }) => {
      const left = this.#withoutStored(group, seen, known);
      return left === null ? null : { group: left, texts, figures: null };
    });
    const added = fresh.filter((each) => each !== null);
    if (added.length > 0) {
      if (this.#mayHold(added)) this.inbox.add(added);
      else this.#storeAll([...this.inbox.take(), ...added]);
    }
    return fresh.map((each) => each?.group ?? null);
  }

  /** Stores and counts what is in the inbox. Runs inside a transaction. */
  fold(): void {
    this.#storeAll(this.inbox.take());
  }

  /** Counts API calls without an event by their total so far, so that what was counted before counts once. Runs inside a transaction. */
  countDays(days: readonly CountedDay[], now: number): void {
    for (const { dayAt, environmentId, total } of days) {
      const [before] = this.#sql
        .exec<{ total: number }>(
          'SELECT total FROM counted_day WHERE day_at = ? AND env_id = ?',
          dayAt,
          environmentId,
        )
        .toArray();
      const more = total - (before?.total ?? 0);
      if (more <= 0) continue;
      this.#sql.exec(
        `INSERT INTO counted_day (day_at, env_id, total) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET total = excluded.total`,
        ...[dayAt, environmentId, total],
      );
      this.#addUsage(environmentId, [{ dayAt, type: 'ac', total: more }]);
    }
    this.#sql.exec('DELETE FROM counted_day WHERE day_at < ?', now - COUNTED_DAYS_MS);
  }

  /** @param ids JSON array of event ids @returns the ids that are not stored here */
  missing(ids: string): string[] {
    const all = JSON.parse(ids) as string[];
    const known = this.#knownEvents(all, all);
    return all.filter((id) => !known.has(id));
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

  /** Not what somebody is to be told of at once: a level of the allowance, and workflows that are killed. */
  #mayHold(groups: readonly HashedGroup[]): boolean {
    const isKilling = groups.some(({ group }) => group.runs?.some(({ killed }) => killed !== null) ?? false);
    if (isKilling || !this.inbox.hasRoomFor(groups)) return false;
    const count = groups.reduce((sum, { group }) => sum + group.count, this.inbox.count);
    return !this.#levels.isNear(
      groups.map(({ group }) => group.toAt),
      count,
    );
  }

  #storeAll(groups: readonly HashedGroup[]): void {
    for (const [envId, some] of Map.groupBy(groups, ({ group }) => group.envId)) {
      for (const chunk of chunksOf(some)) this.#store(envId, chunk);
      this.#count(envId, some);
    }
  }

  /**
   * @param seen ids of groups of the same commit
   * @param known ids of events that are stored, or in groups before this one of the same commit
   * @returns null if nothing is left
   */
  #withoutStored(group: EventGroup, seen: Set<string>, known: Set<string>): EventGroup | null {
    const { id } = group;
    if (id !== undefined) {
      if (seen.has(id) || this.inbox.has(id) || this.#hasGroup(id, group)) return null;
      seen.add(id);
    }
    if (group.ids === NO_IDS) return group;
    const ids = JSON.parse(group.ids) as string[];
    const wanted = new Set(ids.filter((each) => !known.has(each)));
    for (const each of wanted) known.add(each);
    return wanted.size === ids.length ? group : onlyEvents(group, wanted);
  }

  /** A group is in a chunk whose key follows from the group's own times, so its id needs no index. */
  #hasGroup(id: string, { fromAt, toAt }: EventGroup): boolean {
    const rows = this.#sql.exec(
      `SELECT 1 FROM chunk CROSS JOIN stored_group ON stored_group.chunk = chunk.key
       WHERE key >= ? AND key < ? AND from_at <= ? AND instr(ids, ?) LIMIT 1`,
      ...[toAt * PARTS_PER_MS, (toAt + MAX_KEY_LEAD_MS) * PARTS_PER_MS, fromAt, `"${id}"`],
    );
    return rows.toArray().length > 0;
  }

  /**
   * Those of the ids that are stored: in the inbox, in the table of ids, or beside the chunks of their own times, which have the ids of
   * many events. So all groups of a commit are looked for together.
   * @param dated those that tell their time
   */
  #knownEvents(ids: readonly string[], dated: readonly string[]): Set<string> {
    const known = new Set(ids.filter((id) => this.inbox.has(id)));
    if (ids.length === 0) return known;
    const rows = this.#sql.exec<{ id: string }>(
      'SELECT id FROM event_id WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    );
    for (const { id } of rows) known.add(id);
    const wanted = new Set(ids);
    for (const [fromAt, toAt] of windowsOf(dated.flatMap((id) => timeOf(id) ?? []))) {
      const chunks = this.#sql.exec<{ ids: string }>(
        `SELECT ids FROM chunk CROSS JOIN stored_group ON stored_group.chunk = chunk.key
         WHERE key >= ? AND key < ? AND from_at <= ?`,
        ...[fromAt * PARTS_PER_MS, toAt * PARTS_PER_MS, toAt - MAX_KEY_LEAD_MS],
      );
      for (const chunk of chunks) {
        for (const id of JSON.parse(chunk.ids) as string[]) if (wanted.has(id)) known.add(id);
      }
    }
    return known;
  }

  #store(envId: string, chunk: readonly HashedGroup[]): void {
    const fromAt = Math.min(...chunk.map(({ group }) => group.fromAt));
    const toAt = Math.max(...chunk.map(({ group }) => group.toAt));
    const key = this.#freeKey(toAt);
    for (const text of new Set(chunk.flatMap(({ texts }) => texts))) this.#texts.retain(text, toAt);
    const { texts, shapes, lines, packed } = packChunk(
      joinGroups(
        chunk.map(({ group, texts: hashed }) => ({ group, hashes: hashed.map(({ hash }) => hash) })),
      ),
    );
    this.#lastArrival += 1;
    if (key > this.#highestKey) this.#highestKey = key;
    this.#sql.exec(
      `INSERT INTO chunk (key, arrival, env_id, from_at, to_at, texts, shapes, lines, packed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[key, this.#lastArrival, envId, fromAt, toAt, texts, shapes, lines, packed],
    );
    this.#sql.exec(
      'INSERT INTO stored_group (chunk, ids) VALUES (?, ?)',
      key,
      JSON.stringify(
        chunk.flatMap(({ group }) => [...(group.id === undefined ? [] : [group.id]), ...datedIds(group)]),
      ),
    );
    for (const { group } of chunk) {
      const others = (JSON.parse(group.ids) as string[]).filter((id) => !isDated(id, group));
      if (others.length === 0) continue;
      this.#sql.exec(
        'INSERT INTO event_id (id, chunk) SELECT value, ? FROM json_each(?)',
        key,
        JSON.stringify(others),
      );
    }
    const termsOfGroups = chunk.map(({ group }) => group.terms.split(' '));
    const terms = new Set(termsOfGroups.flat());
    if (!termsOfGroups.every((some) => some.includes(HAS_SUBJECTS))) terms.delete(HAS_SUBJECTS);
    this.#sql.exec(
      'INSERT INTO search (rowid, terms) VALUES (CAST(? AS INTEGER), ?)',
      key,
      `${environmentTerm(envId)} ${[...terms].join(' ')}`,
    );
  }

  /** Usage, roll-ups, near limits, kills and uses of keys of an environment's groups. */
  #count(envId: string, groups: readonly HashedGroup[]): void {
    const tally = mergeTallies(
      groups.map((hashed) => {
        const { shapes, tally: own } = figuresOf(hashed);
        this.#keyUses.add(envId, shapes, hashed.group.toAt);
        return own;
      }),
    );
    this.#addUsage(envId, tally.usage);
    this.#rollups.add(envId, tally.minutes, tally.formerTo);
    this.#nearLimits.add(envId, tally.sightings);
    for (const { group } of groups) if (group.runs !== undefined) this.#killRates.add(envId, group.runs);
  }

  #addUsage(envId: string, usage: readonly UsageCount[]): void {
    for (const { dayAt, type, total } of usage) {
      this.#sql.exec(
        `INSERT INTO usage (day_at, env_id, type, total) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET total = total + excluded.total`,
        ...[dayAt, envId, type, total],
      );
    }
    this.#levels.count(usage);
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
}

/** Whether an event's id tells when to look for its chunk. */
function isDated(id: string, { fromAt, toAt }: EventGroup): boolean {
  const time = timeOf(id);
  return time !== null && time >= fromAt && time <= toAt;
}

function datedIds(group: EventGroup): string[] {
  return (JSON.parse(group.ids) as string[]).filter((id) => isDated(id, group));
}

/** The times in which chunks may contain events of these instants. */
function windowsOf(times: readonly number[]): [fromAt: number, toAt: number][] {
  const windows: [number, number][] = [];
  for (const time of times.toSorted((one, other) => one - other)) {
    const last = windows.at(-1);
    if (last !== undefined && time <= last[1]) last[1] = time + MAX_KEY_LEAD_MS;
    else windows.push([time, time + MAX_KEY_LEAD_MS]);
  }
  return windows;
}

/** Joins groups as far as a chunk's bounds allow. */
function chunksOf(groups: readonly HashedGroup[]): HashedGroup[][] {
  const chunks: HashedGroup[][] = [];
  let [count, length, fromAt, toAt] = [0, 0, 0, 0];
  for (const each of groups.toSorted((one, other) => one.group.fromAt - other.group.fromAt)) {
    const { group } = each;
    count += group.count;
    length += group.lines.length;
    fromAt = Math.min(fromAt, group.fromAt);
    toAt = Math.max(toAt, group.toAt);
    const current = chunks.at(-1);
    const isFull = count > MAX_CHUNK_EVENTS || length > MAX_CHUNK_LENGTH || toAt - fromAt > MAX_CHUNK_SPAN_MS;
    if (current !== undefined && !isFull) {
      current.push(each);
      continue;
    }
    chunks.push([each]);
    [count, length, fromAt, toAt] = [group.count, group.lines.length, group.fromAt, group.toAt];
  }
  return chunks;
}
