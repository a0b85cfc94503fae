/** Event search over a stream's chunks, newest first, and lookup by id. */
import { EventFilter } from '#engine/events/event-filter';
import {
  type EventLine,
  readLines,
  readShapes,
  type StoredEvent,
  textIndexOf,
  toStoredEvent,
} from '#engine/events/event-line';
import { MAX_GROUP_SPAN_MS } from '#engine/events/group-events';
import { environmentTerm } from '#engine/events/search-terms';
import { applyDelta } from '#engine/events/text-delta';
import type { ChunkRow } from './event-store.ts';
import { PARTS_PER_MS, type Page, type PageChunk, readPage } from './read-page.ts';
import type { TextStore } from './text-store.ts';

export interface EventSearch {
  readonly environmentId?: string | null;
  /** Blank matches every event. */
  readonly text?: string | null;
  /** An instant, or the previous page's nextQueryTimeTo. Only older events are read. */
  readonly timeTo?: number | null;
  readonly limit: number;
}

export interface EventPage {
  readonly events: StoredEvent[];
  /** Null if nothing older is left. Otherwise older events may follow, even if this page is empty. */
  readonly nextQueryTimeTo: number | null;
}

/** Chunks scanned in order before the full-text index is used: a scan finds frequent terms at once. */
const UNINDEXED_CHUNKS = 50;
const SLICE = 10;
const INDEXED_SLICE = 100;
const MAX_CHUNKS = 300;
/** Upper bound for how far a chunk's key runs ahead of its time when many chunks share a millisecond. */
const KEY_SLACK_MS = 1_000;
const HIGHEST_KEY = Number.MAX_SAFE_INTEGER;

interface FoundEvent {
  readonly time: number;
  readonly envId: string;
  readonly line: EventLine;
  readonly texts: readonly string[];
}

export class EventReader {
  readonly #sql: SqlStorage;
  readonly #texts: TextStore;

  constructor(sql: SqlStorage, texts: TextStore) {
    this.#sql = sql;
    this.#texts = texts;
  }

  search({ environmentId = null, text, timeTo = null, limit }: EventSearch): EventPage {
    const filter = text === null || text === undefined || text.trim() === '' ? null : new EventFilter(text);
    if (filter !== null && filter.terms.length === 0) return { events: [], nextQueryTimeTo: null };
    const features = new FeatureReader(this.#texts);
    const chunks = this.#chunks(environmentId, filter, timeTo);
    const page: Page<FoundEvent> = readPage(pageChunks(chunks, filter, features), {
      timeTo,
      limit,
      maxChunks: MAX_CHUNKS,
    });
    return {
      events: page.entries.map((found) => toEvent(found, features)),
      nextQueryTimeTo: page.nextTimeTo,
    };
  }

  get(id: string): StoredEvent | null {
    const [chunk] = this.#sql
      .exec<ChunkRow>(
        'SELECT chunk.* FROM event_id JOIN chunk ON chunk.key = event_id.chunk WHERE id = ?',
        id,
      )
      .toArray();
    if (chunk === undefined) return null;
    const event = eventsOf(chunk).find((each) => each.line.id === id);
    return event === undefined ? null : toEvent(event, new FeatureReader(this.#texts));
  }

  /** Candidate chunks by descending key. Reads a slice at a time, so that no SQL cursor stays open between reads. */
  *#chunks(
    environmentId: string | null,
    filter: EventFilter | null,
    timeTo: number | null,
  ): Generator<ChunkRow> {
    const latest = timeTo === null ? HIGHEST_KEY : Math.floor(timeTo);
    let before = timeTo === null ? HIGHEST_KEY : (latest + MAX_GROUP_SPAN_MS + KEY_SLACK_MS) * PARTS_PER_MS;
    const where = environmentId === null ? '' : 'AND env_id = ?';
    const environment = environmentId === null ? [] : [environmentId];
    for (let count = 0; filter === null || count < UNINDEXED_CHUNKS; count += SLICE) {
      const slice = this.#sql
        .exec<ChunkRow>(
          `SELECT * FROM chunk WHERE key < ? AND from_at <= ? ${where} ORDER BY key DESC LIMIT ?`,
          ...[before, latest, ...environment, SLICE],
        )
        .toArray();
      yield* slice;
      if (slice.length < SLICE) return;
      before = slice[SLICE - 1]?.key ?? 0;
    }
    const terms = filter.terms.map((term) => `"${term}"*`);
    if (environmentId !== null) terms.push(environmentTerm(environmentId));
    for (;;) {
      const slice = this.#sql
        .exec<ChunkRow>(
          `SELECT chunk.* FROM search JOIN chunk ON chunk.key = search.rowid
           WHERE search MATCH ? AND search.rowid < CAST(? AS INTEGER) AND from_at <= ? ${where}
           ORDER BY search.rowid DESC LIMIT ?`,
          ...[terms.join(' '), before, latest, ...environment, INDEXED_SLICE],
        )
        .toArray();
      yield* slice;
      if (slice.length < INDEXED_SLICE) return;
      before = slice[INDEXED_SLICE - 1]?.key ?? 0;
    }
  }
}

function* pageChunks(
  chunks: Iterable<ChunkRow>,
  filter: EventFilter | null,
  features: FeatureReader,
): Generator<PageChunk<FoundEvent>> {
  for (const chunk of chunks) {
    yield {
      newestAt: Math.floor(chunk.key / PARTS_PER_MS),
      arrival: chunk.arrival,
      read: () => {
        const all = eventsOf(chunk);
        if (filter === null) return all;
        return all.filter((each) => filter.matches(each.line, () => features.slugsOf(each)));
      },
    };
  }
}

function eventsOf(chunk: ChunkRow): FoundEvent[] {
  const texts = JSON.parse(chunk.texts) as string[];
  const found: FoundEvent[] = [];
  for (const line of readLines(chunk.lines, readShapes(chunk.shapes))) {
    found.push({ time: line.time, envId: chunk.env_id, line, texts });
  }
  return found;
}

function toEvent(event: FoundEvent, features: FeatureReader): StoredEvent {
  return toStoredEvent(event.envId, event.line, features.of(event));
}

/** Resolves the features that events refer to. Reads and parses each stored text once per search. */
class FeatureReader {
  readonly #texts: TextStore;
  readonly #parsed = new Map<string, unknown>();

  constructor(texts: TextStore) {
    this.#texts = texts;
  }

  /** Undefined if the event has none. */
  of({ line, texts }: FoundEvent): unknown {
    const text = textIndexOf(line.shape);
    const hash = text === null ? undefined : texts[text];
    if (hash === undefined) return undefined;
    if (line.features !== null)
      return JSON.parse(applyDelta(this.#texts.find(hash) ?? 'null', line.features));
    let parsed = this.#parsed.get(hash);
    if (parsed === undefined) {
      parsed = JSON.parse(this.#texts.find(hash) ?? 'null') as unknown;
      this.#parsed.set(hash, parsed);
    }
    return parsed;
  }

  slugsOf(event: FoundEvent): string[] {
    const features = this.of(event);
    return typeof features === 'object' && features !== null ? Object.keys(features) : [];
  }
}
