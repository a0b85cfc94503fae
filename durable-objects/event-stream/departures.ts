/** The SQL side of archiving: which chunks leave the stream, what the archive gets of them, and their deletion. */
import { eventOf, readLines, readShapes } from '#engine/events/event-line';
import { restore, type TextDelta } from '#engine/events/text-delta';
import type { AnswerTexts } from './answer-texts.ts';
import type { Departure } from './archive-events.ts';
import type { ChunkRow } from './event-store.ts';
import { PARTS_PER_MS } from './read-page.ts';
import type { Settings } from './settings.ts';

const CHUNKS_PER_OBJECT = 100;

export class Departures {
  readonly #storage: DurableObjectStorage;
  readonly #texts: AnswerTexts;
  readonly #settings: Settings;

  constructor(storage: DurableObjectStorage, texts: AnswerTexts, settings: Settings) {
    this.#storage = storage;
    this.#texts = texts;
    this.#settings = settings;
  }

  next(before: number): Departure | null {
    const object = this.#begun() ?? this.#begin(before);
    return object === null ? null : { object, content: () => this.#content(object) };
  }

  depart({ object }: Departure): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      for (const key of this.#keysOf(object)) {
        const ids = [...this.#linesOf(this.#chunk(key))].map((line) => line.id);
        sql.exec('DELETE FROM event_id WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
        sql.exec('DELETE FROM search WHERE rowid = CAST(? AS INTEGER)', key);
        sql.exec('DELETE FROM chunk WHERE key = ?', key);
      }
      sql.exec('DELETE FROM leaving WHERE object = ?', object);
    });
  }

  #begun(): string | null {
    const [row] = this.#storage.sql.exec<{ object: string }>('SELECT object FROM leaving LIMIT 1').toArray();
    return row?.object ?? null;
  }

  #begin(before: number): string | null {
    const { sql } = this.#storage;
    const keys = sql
      .exec<{ key: number }>(
        'SELECT key FROM chunk WHERE key < ? ORDER BY key LIMIT ?',
        before * PARTS_PER_MS,
        CHUNKS_PER_OBJECT,
      )
      .toArray()
      .map((row) => row.key);
    const [first] = keys;
    if (first === undefined) return null;
    const day = dayName(first);
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
   * A line per event, in the shape of the API. Features that many answers share are named by `featuresHash`, and stand
   * once, as `{ featuresHash, features }`, before the first event that names them.
   */
  *#content(object: string): Generator<string> {
    const written = new Set<string>();
    for (const key of this.#keysOf(object)) {
      const chunk = this.#chunk(key);
      const hashes = JSON.parse(chunk.texts) as string[];
      let piece = '';
      for (const featuresHash of hashes) {
        if (written.has(featuresHash)) continue;
        written.add(featuresHash);
        piece += `{"featuresHash":"${featuresHash}","features":${this.#texts.find(featuresHash) ?? 'null'}}\n`;
      }
      for (const line of this.#linesOf(chunk)) {
        const text = line.shape[13];
        const featuresHash = text === null ? undefined : hashes[text];
        piece +=
          line.features === null || featuresHash === undefined
            ? `${JSON.stringify({ ...eventOf(chunk.env_id, line, undefined), featuresHash })}\n`
            : `${JSON.stringify(eventOf(chunk.env_id, line, this.#featuresOf(featuresHash, line.features)))}\n`;
      }
      yield piece;
    }
  }

  #featuresOf(hash: string, delta: TextDelta): unknown {
    return JSON.parse(restore(this.#texts.find(hash) ?? 'null', delta));
  }

  #keysOf(object: string): number[] {
    return this.#storage.sql
      .exec<{ chunk: number }>('SELECT chunk FROM leaving WHERE object = ? ORDER BY chunk', object)
      .toArray()
      .map((row) => row.chunk);
  }

  #chunk(key: number): ChunkRow {
    return this.#storage.sql.exec<ChunkRow>('SELECT * FROM chunk WHERE key = ?', key).one();
  }

  #linesOf(chunk: ChunkRow) {
    return readLines(chunk.lines, readShapes(chunk.shapes));
  }
}

/** The UTC day of a chunk's newest event. */
function dayName(key: number): string {
  return new Date(Math.floor(key / PARTS_PER_MS)).toISOString().slice(0, 10);
}
