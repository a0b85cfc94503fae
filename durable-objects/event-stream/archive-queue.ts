/**
 * SQL side of archiving: queues chunks for an R2 object (table `leaving`), renders the object's content, and deletes the
 * chunks once the object is written.
 */

import { eventsOf } from '#engine/events/chunk-text';
import { readExecutions } from '#engine/events/event-executions';
import type { EventLine } from '#engine/events/event-line';
import { toStoredEvent } from '#engine/events/stored-event';
import { applyDelta, type TextDelta } from '#engine/events/text-delta';
import type { ArchiveBatch } from './archive-events.ts';
import { type Chunk, type ChunkRow, unpackChunk } from './chunk-rows.ts';
import { PARTS_PER_MS } from './read-page.ts';
import type { Settings } from './settings.ts';
import type { TextStore } from './text-store.ts';

const CHUNKS_PER_OBJECT = 100;
/** Stored bytes, at least one chunk: an object's memory and processor time follow them. Compressed chunks have about four times as many. */
const BYTES_PER_OBJECT = 2_000_000;
/** After this many attempts that did not end, an object gets half of its chunks. An attempt that the platform ends says nothing. */
const ATTEMPTS = 2;

export class ArchiveQueue {
  readonly #storage: DurableObjectStorage;
  readonly #texts: TextStore;
  readonly #settings: Settings;

  constructor(storage: DurableObjectStorage, texts: TextStore, settings: Settings) {
    this.#storage = storage;
    this.#texts = texts;
    this.#settings = settings;
  }

  /** The batch that an interrupted run queued, or a new one of chunks older than `before`; null when there is none. */
  next(before: number): ArchiveBatch | null {
    const queued = this.#queuedObject();
    const object = queued ?? this.#enqueue(before);
    if (object === null) return null;
    const attempts = Number(this.#settings.get('archive_attempts') ?? 0);
    const isTooMuch = queued !== null && attempts >= ATTEMPTS;
    if (isTooMuch) this.#halve(object);
    this.#settings.set('archive_attempts', String(isTooMuch ? 1 : attempts + 1));
    return { object, content: () => this.#content(object) };
  }

  deleteBatch({ object }: ArchiveBatch): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      for (const key of this.#keysOf(object)) {
        const ids = [...eventsOf(this.#chunk(key))].map(([line]) => line.id);
        sql.exec('DELETE FROM event_id WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
        sql.exec('DELETE FROM search WHERE rowid = CAST(? AS INTEGER)', key);
        sql.exec('DELETE FROM stored_group WHERE chunk = ?', key);
        sql.exec('DELETE FROM chunk WHERE key = ?', key);
      }
      sql.exec('DELETE FROM leaving WHERE object = ?', object);
      this.#settings.set('archive_attempts', '0');
    });
  }

  /** The newer chunks leave in a later object. If this one was written already, it is replaced before its chunks are deleted. */
  #halve(object: string): void {
    const keys = this.#keysOf(object);
    const later = JSON.stringify(keys.slice(Math.ceil(keys.length / 2)));
    this.#storage.sql.exec('DELETE FROM leaving WHERE chunk IN (SELECT value FROM json_each(?))', later);
  }

  #queuedObject(): string | null {
    const [row] = this.#storage.sql.exec<{ object: string }>('SELECT object FROM leaving LIMIT 1').toArray();
    return row?.object ?? null;
  }

  /** Queues the oldest chunks, all of one UTC day, under a new object name. */
  #enqueue(before: number): string | null {
    const { sql } = this.#storage;
    const oldest = sql
      .exec<{ key: number; bytes: number }>(
        `SELECT key, sum(length(texts) + length(shapes) + length(lines) + ifnull(length(packed), 0)) OVER (ORDER BY key) AS bytes
         FROM chunk WHERE key < ? ORDER BY key LIMIT ${CHUNKS_PER_OBJECT}`,
        before * PARTS_PER_MS,
      )
      .toArray();
    const [first] = oldest;
    if (first === undefined) return null;
    const keys = oldest.filter((row) => row === first || row.bytes <= BYTES_PER_OBJECT).map(({ key }) => key);
    const day = dayName(first.key);
    return this.#storage.transactionSync(() => {
      const number = Number(this.#settings.get('archive_objects') ?? 0) + 1;
      this.#settings.set('archive_objects', String(number));
      const object = `events/${this.#settings.get('org_id')}/${day}/${String(number).padStart(9, '0')}.ndjson.gz`;
      for (const key of keys) {
        if (dayName(key) === day) sql.exec('INSERT INTO leaving (chunk, object) VALUES (?, ?)', key, object);
      }
      return object;
    });
  }

  /**
   * One line per event, in the shape of the console API. An event whose features are shared refers to them by
   * `featuresHash`; a line `{ featuresHash, features }` precedes the first event that uses the hash.
   */
  *#content(object: string): Generator<string> {
    const written = new Set<string>();
    for (const key of this.#keysOf(object)) {
      const chunk = this.#chunk(key);
      let piece = '';
      for (const [line, section] of eventsOf(chunk)) {
        const text = line.shape.textIndex;
        const featuresHash = text === null ? undefined : section.texts[text];
        if (featuresHash !== undefined && !written.has(featuresHash)) {
          written.add(featuresHash);
          piece += `{"featuresHash":"${featuresHash}","features":${this.#texts.find(featuresHash) ?? 'null'}}\n`;
        }
        piece +=
          line.features === null || featuresHash === undefined
            ? `${JSON.stringify({ ...archivedEvent(chunk.envId, line, undefined), featuresHash })}\n`
            : `${JSON.stringify(archivedEvent(chunk.envId, line, this.#featuresOf(featuresHash, line.features)))}\n`;
      }
      yield piece;
    }
  }

  #featuresOf(hash: string, delta: TextDelta): unknown {
    return JSON.parse(applyDelta(this.#texts.find(hash) ?? 'null', delta));
  }

  #keysOf(object: string): number[] {
    return this.#storage.sql
      .exec<{ chunk: number }>('SELECT chunk FROM leaving WHERE object = ? ORDER BY chunk', object)
      .toArray()
      .map((row) => row.chunk);
  }

  #chunk(key: number): Chunk {
    return unpackChunk(this.#storage.sql.exec<ChunkRow>('SELECT * FROM chunk WHERE key = ?', key).one());
  }
}

/** As in the console API, with the workflow executions if there are any. */
function archivedEvent(envId: string, line: EventLine, features: unknown): object {
  const event = toStoredEvent(envId, line, features);
  return line.executions === '' ? event : { ...event, executions: readExecutions(line.executions) };
}

/** UTC day of a chunk's newest event. */
function dayName(key: number): string {
  return new Date(Math.floor(key / PARTS_PER_MS)).toISOString().slice(0, 10);
}
