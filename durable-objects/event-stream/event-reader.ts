/** Searches the events of a stream, newest first, and finds one by its id. */
import { EventFilter } from '#engine/events/event-filter';
import { type EventLine, eventOf, readLines, readShapes, type StoredEvent } from '#engine/events/event-line';
import { MAX_GROUP_SPAN_MS } from '#engine/events/group-events';
import { restore } from '#engine/events/text-delta';
import type { AnswerTexts } from './answer-texts.ts';
import { environmentWord } from './environment-word.ts';
import type { ChunkRow } from './event-store.ts';
import { PARTS_PER_MS, type Page, type PageChunk, readPage } from './read-page.ts';

export interface EventSearch {
  readonly environmentId?: string | null;
  /** Blank: every event. */
  readonly text?: string | null;
  /** An instant, or the nextQueryTimeTo of the page before; only older events are read. */
  readonly timeTo?: number | null;
  readonly limit: number;
}

export interface EventPage {
  readonly events: StoredEvent[];
  /** Null: nothing older is left. Otherwise older events may follow, also where this page is empty. */
  readonly nextQueryTimeTo: number | null;
}

/** Chunks that are looked through one after the other before the index is asked: what is common is found at once. */
const UNINDEXED_CHUNKS = 50;
const SLICE = 10;
const INDEXED_SLICE = 100;
const MAX_CHUNKS = 300;
/** Keys may run ahead of the time by this where very many chunks share a millisecond. */
const KEY_SLACK_MS = 1_000;
const HIGHEST_KEY = Number.MAX_SAFE_INTEGER;

interface Found {
  readonly time: number;
  readonly envId: string;
  readonly line: EventLine;
  readonly texts: readonly string[];
}

export class EventReader {
  readonly #sql: SqlStorage;
  readonly #texts: AnswerTexts;

  constructor(sql: SqlStorage, texts: AnswerTexts) {
    this.#sql = sql;
    this.#texts = texts;
  }

  search({ environmentId = null, text, timeTo = null, limit }: EventSearch): EventPage {
    const filter = text === null || text === undefined || text.trim() === '' ? null : new EventFilter(text);
    if (filter !== null && filter.words.length === 0) return { events: [], nextQueryTimeTo: null };
    const features = new FeatureTexts(this.#texts);
    const chunks = this.#chunks(environmentId, filter, timeTo);
    const page: Page<Found> = readPage(pageChunks(chunks, filter, features), {
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
    return event === undefined ? null : toEvent(event, new FeatureTexts(this.#texts));
  }

  /** Chunks that may hold what is searched for, by descending key; read a few at a time, so that no cursor stays open. */
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
    const words = filter.words.map((word) => `"${word}"*`);
    if (environmentId !== null) words.push(environmentWord(environmentId));
    for (;;) {
      const slice = this.#sql
        .exec<ChunkRow>(
          `SELECT chunk.* FROM search JOIN chunk ON chunk.key = search.rowid
           WHERE search MATCH ? AND search.rowid < CAST(? AS INTEGER) AND from_at <= ? ${where}
           ORDER BY search.rowid DESC LIMIT ?`,
          ...[words.join(' '), before, latest, ...environment, INDEXED_SLICE],
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
  features: FeatureTexts,
): Generator<PageChunk<Found>> {
  for (const chunk of chunks) {
    yield {
      newestAt: Math.floor(chunk.key / PARTS_PER_MS),
      arrival: chunk.arrival,
      read: () => {
        const all = eventsOf(chunk);
        if (filter === null) return all;
        return all.filter((each) => filter.finds(each.line, () => features.slugsOf(each)));
      },
    };
  }
}

function eventsOf(chunk: ChunkRow): Found[] {
  const texts = JSON.parse(chunk.texts) as string[];
  const found: Found[] = [];
  for (const line of readLines(chunk.lines, readShapes(chunk.shapes))) {
    found.push({ time: line.time, envId: chunk.env_id, line, texts });
  }
  return found;
}

function toEvent(event: Found, features: FeatureTexts): StoredEvent {
  return eventOf(event.envId, event.line, features.of(event));
}

/** The features that events refer to, each text read and parsed once per search. */
class FeatureTexts {
  readonly #texts: AnswerTexts;
  readonly #parsed = new Map<string, unknown>();

  constructor(texts: AnswerTexts) {
    this.#texts = texts;
  }

  /** Undefined: the event has none. */
  of({ line, texts }: Found): unknown {
    const hash = line.shape[13] === null ? undefined : texts[line.shape[13]];
    if (hash === undefined) return undefined;
    if (line.features !== null) return JSON.parse(restore(this.#texts.find(hash) ?? 'null', line.features));
    let parsed = this.#parsed.get(hash);
    if (parsed === undefined) {
      parsed = JSON.parse(this.#texts.find(hash) ?? 'null') as unknown;
      this.#parsed.set(hash, parsed);
    }
    return parsed;
  }

  slugsOf(event: Found): string[] {
    const features = this.of(event);
    return typeof features === 'object' && features !== null ? Object.keys(features) : [];
  }
}
