/** Event search over a stream's chunks, newest first, and lookup by id. */
import { NO_ENVIRONMENT } from '#contracts/console/events';
import type { RecordedRun, WorkflowExecution } from '#contracts/console/workflow-executions';
import type { RecordedCheck, RecordedExecution } from '#contracts/internal/recorded-check';
import { type ChunkSection, eventsOf } from '#engine/events/chunk-text';
import { readExecutions } from '#engine/events/event-executions';
import { EventFilter, type FilterCriteria, runsOf } from '#engine/events/event-filter';
import type { EventLine } from '#engine/events/event-line';
import { environmentTerm } from '#engine/events/search-terms';
import { type StoredEvent, toStoredEvent } from '#engine/events/stored-event';
import { applyDelta } from '#engine/events/text-delta';
import { timeOf } from '#runtime/ids';
import { type Chunk, type ChunkRow, unpackChunk } from './chunk-rows.ts';
import { MAX_KEY_LEAD_MS } from './event-store.ts';
import { PARTS_PER_MS, type Page, type PageChunk, readPage } from './read-page.ts';
import { featureSlugsOf, type TextStore } from './text-store.ts';

export interface EventSearch extends FilterCriteria {
  /** Payment-provider events, which belong to no environment, are found in each. */
  readonly environmentId?: string | null;
  /** Only this instant and later ones. */
  readonly timeFrom?: number | null;
  /** An instant, or the previous page's nextQueryTimeTo. Only older events are read. */
  readonly timeTo?: number | null;
  readonly limit: number;
}

export interface EventPage {
  readonly events: StoredEvent[];
  /** Null if nothing older is left. Otherwise older events may follow, even if this page is empty. */
  readonly nextQueryTimeTo: number | null;
}

export interface RunSearch extends Pick<EventSearch, 'isFailed' | 'timeTo' | 'limit'> {
  readonly workflowId: string;
}

export interface RunPage extends Pick<EventPage, 'nextQueryTimeTo'> {
  readonly runs: RecordedRun[];
}

export interface CheckPage extends Pick<EventPage, 'nextQueryTimeTo'> {
  readonly checks: RecordedCheck[];
}

/** Scanned in order before the full-text index is used: a scan finds frequent terms at once. */
const UNINDEXED_CHUNKS = 50;
const UNINDEXED_LENGTH = 1_000_000;
const SLICE = 10;
/** Keys read from the index at once; their chunks are read in slices. */
const INDEXED_KEYS = 100;
const MAX_CHUNKS = 300;
/** UTF-16 units of lines that count as one chunk, so that a search pauses after the same work whatever the chunks' sizes. */
const CHUNK_LENGTH = 10_000;
const HIGHEST_KEY = Number.MAX_SAFE_INTEGER;

interface FoundEvent {
  readonly time: number;
  readonly envId: string;
  readonly line: EventLine;
  readonly section: ChunkSection;
}

export class EventReader {
  readonly #sql: SqlStorage;
  readonly #texts: TextStore;

  constructor(sql: SqlStorage, texts: TextStore) {
    this.#sql = sql;
    this.#texts = texts;
  }

  search(search: EventSearch): EventPage {
    const features = new FeatureReader(this.#texts);
    const page = this.#page(search, features);
    return {
      events: page.entries.map((found) => toEvent(found, features)),
      nextQueryTimeTo: page.nextTimeTo,
    };
  }

  /** The runs of a workflow. The limit is of events: each has one run of it, or few. */
  runs(search: RunSearch): RunPage {
    const page = this.#page(search, new FeatureReader(this.#texts));
    const runs = page.entries.flatMap(({ line, time, envId }) =>
      runsOf(readExecutions(line.executions), search).map((run) => ({
        eventId: line.id,
        executionId: run.executionId,
        time,
        envId,
        subjectIdentifier: line.subjectIdentifier,
        status: run.status ?? (run.success ? ('done' as const) : ('failed' as const)),
        reason: run.success ? null : (run.diagnosticMessages[0] ?? null),
        wallTime: run.wallTime,
      })),
    );
    return { runs, nextQueryTimeTo: page.nextTimeTo };
  }

  /** Access checks that ran one of the workflows. */
  checks(search: EventSearch): CheckPage {
    const features = new FeatureReader(this.#texts);
    const page = this.#page({ ...search, type: 'ac' }, features);
    const checks = page.entries.map((found) => {
      const { id, time, subjectIdentifier, request, response } = toEvent(found, features);
      const executions = readExecutions(found.line.executions) as RecordedExecution[];
      return { id, time, subjectIdentifier, request, response, executions };
    });
    return { checks, nextQueryTimeTo: page.nextTimeTo };
  }

  #page(search: EventSearch, features: FeatureReader): Page<FoundEvent> {
    const { timeFrom = null, timeTo = null, limit } = search;
    const filter = new EventFilter(search);
    const chunks = pageChunks(this.#chunks(search, filter), timeFrom ?? 0, filter, features);
    return readPage(chunks, { timeTo, limit, maxChunks: MAX_CHUNKS });
  }

  get(id: string): StoredEvent | null {
    const event = this.#find(id);
    return event === null ? null : toEvent(event, new FeatureReader(this.#texts));
  }

  /** Null if there is no such event. */
  executions(id: string): WorkflowExecution[] | null {
    const event = this.#find(id);
    return event === null ? null : readExecutions(event.line.executions);
  }

  #find(id: string): FoundEvent | null {
    for (const row of this.#rowsWith(id)) {
      const chunk = unpackChunk(row);
      // Parses the lines of one chunk only.
      const event = chunk.lines.includes(id) ? foundIn(chunk).find((each) => each.line.id === id) : undefined;
      if (event !== undefined) return event;
    }
    return null;
  }

  /** Chunks that may contain the event. Ids of access checks contain their time; others have an index. */
  #rowsWith(id: string): ChunkRow[] {
    const indexed = this.#sql
      .exec<ChunkRow>(
        'SELECT chunk.* FROM event_id JOIN chunk ON chunk.key = event_id.chunk WHERE id = ?',
        id,
      )
      .toArray();
    const time = timeOf(id);
    if (indexed.length > 0 || time === null) return indexed;
    return this.#sql
      .exec<ChunkRow>(
        'SELECT * FROM chunk WHERE key >= ? AND key < ? AND from_at <= ? AND (packed IS NOT NULL OR instr(lines, ?))',
        ...[time * PARTS_PER_MS, (time + MAX_KEY_LEAD_MS) * PARTS_PER_MS, time, id],
      )
      .toArray();
  }

  /** Candidate chunks by descending key. Reads a slice at a time, so that no SQL cursor stays open between reads. */
  *#chunks({ environmentId, timeFrom, timeTo }: EventSearch, filter: EventFilter): Generator<Chunk> {
    const latest = timeTo === null || timeTo === undefined ? HIGHEST_KEY : Math.floor(timeTo);
    let before = latest === HIGHEST_KEY ? HIGHEST_KEY : (latest + MAX_KEY_LEAD_MS) * PARTS_PER_MS;
    const from = (timeFrom ?? 0) * PARTS_PER_MS;
    const envIds = environmentId ? [environmentId, NO_ENVIRONMENT] : [];
    let length = 0;
    for (
      let count = 0;
      filter.indexQuery([]) === null || (count < UNINDEXED_CHUNKS && length < UNINDEXED_LENGTH);
      count += SLICE
    ) {
      const slice = this.#slice(envIds, [before, from, latest]);
      for (const row of slice) {
        const chunk = unpackChunk(row);
        length += chunk.lines.length;
        yield chunk;
      }
      if (slice.length < SLICE) return;
      before = slice[SLICE - 1]?.key ?? 0;
    }
    const query = filter.indexQuery(envIds.map(environmentTerm));
    for (;;) {
      const keys = this.#sql
        .exec<{ key: number }>(
          `SELECT rowid AS key FROM search WHERE search MATCH ? AND rowid < CAST(? AS INTEGER)
             AND rowid >= CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ${INDEXED_KEYS}`,
          ...[query, before, from],
        )
        .toArray()
        .map(({ key }) => key);
      for (let start = 0; start < keys.length; start += SLICE)
        yield* this.#withKeys(keys.slice(start, start + SLICE), envIds, latest).map(unpackChunk);
      if (keys.length < INDEXED_KEYS) return;
      before = keys[INDEXED_KEYS - 1] ?? 0;
    }
  }

  #withKeys(keys: readonly number[], envIds: readonly string[], latest: number): ChunkRow[] {
    const where = envIds.length === 0 ? '' : 'AND env_id IN (?, ?)';
    return this.#sql
      .exec<ChunkRow>(
        `SELECT * FROM chunk WHERE key IN (SELECT value FROM json_each(?)) AND from_at <= ? ${where} ORDER BY key DESC`,
        ...[JSON.stringify(keys), latest, ...envIds],
      )
      .toArray();
  }

  /** The next chunks of all or these environments. Each environment has an index, so a busy one does not slow down others. */
  #slice(envIds: readonly string[], range: readonly [before: number, from: number, latest: number]) {
    const select = (where: string) =>
      `SELECT * FROM chunk WHERE key < ? AND key >= ? AND from_at <= ? ${where} ORDER BY key DESC LIMIT ${SLICE}`;
    if (envIds.length === 0) return this.#sql.exec<ChunkRow>(select(''), ...range).toArray();
    const parts = envIds.map(() => `SELECT * FROM (${select('AND env_id = ?')})`).join(' UNION ALL ');
    return this.#sql
      .exec<ChunkRow>(`${parts} ORDER BY key DESC LIMIT ${SLICE}`, ...envIds.flatMap((id) => [...range, id]))
      .toArray();
  }
}

function* pageChunks(
  chunks: Iterable<Chunk>,
  timeFrom: number,
  filter: EventFilter,
  features: FeatureReader,
): Generator<PageChunk<FoundEvent>> {
  for (const chunk of chunks) {
    yield {
      newestAt: Math.floor(chunk.key / PARTS_PER_MS),
      arrival: chunk.arrival,
      weight: Math.ceil(chunk.lines.length / CHUNK_LENGTH),
      read: () =>
        foundIn(chunk).filter(
          (each) => each.time >= timeFrom && filter.matches(each.line, () => features.slugsOf(each)),
        ),
    };
  }
}

function foundIn(chunk: Chunk): FoundEvent[] {
  const found: FoundEvent[] = [];
  for (const [line, section] of eventsOf(chunk))
    found.push({ time: line.time, envId: chunk.envId, line, section });
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
  of({ line, section }: FoundEvent): unknown {
    const text = line.shape.textIndex;
    const hash = text === null ? undefined : section.texts[text];
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
    return featureSlugsOf(this.of(event));
  }
}
