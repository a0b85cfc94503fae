/**
 * Builds search and roll-ups again from the stored groups, a slice per transaction together with the position, so that an
 * interrupted rebuild resumes. Groups that arrive meanwhile are indexed as always. Roll-ups of days whose events are archived,
 * even in part, are kept: they could not be counted again.
 */
import { DAY_MS } from '#engine/durations';
import { sectionsOf } from '#engine/events/chunk-text';
import { readRuns } from '#engine/events/event-executions';
import { readLines } from '#engine/events/event-line';
import { featuresOf } from '#engine/events/event-shape';
import { mentionsOf } from '#engine/events/mentions';
import { environmentTerm } from '#engine/events/search-terms';
import { mergeTallies, type Tally, tallyLines } from '#engine/events/tally-lines';
import { TermSet } from '#engine/events/term-set';
import { type Chunk, type ChunkRow, unpackChunk } from './chunk-rows.ts';
import type { Figures } from './event-store.ts';
import { PARTS_PER_MS } from './read-page.ts';
import type { Settings } from './settings.ts';
import { featureSlugsOf } from './text-store.ts';

const CHUNKS_AT_ONCE = 50;

interface Progress {
  /** The arrival of the last group that is done. */
  readonly done: number;
  /** The arrival of the last group to do. */
  readonly last: number;
  /** Roll-ups from this instant on are counted again. */
  readonly fromAt: number;
}

type RebuiltFigures = Pick<Figures, 'texts' | 'rollups' | 'nearLimits'>;

export class IndexRebuild {
  readonly #storage: DurableObjectStorage;
  readonly #settings: Settings;
  readonly #figures: RebuiltFigures;

  constructor(storage: DurableObjectStorage, settings: Settings, figures: RebuiltFigures) {
    this.#storage = storage;
    this.#settings = settings;
    this.#figures = figures;
  }

  get isPending(): boolean {
    return this.#progress !== null;
  }

  /** Restarts, also if a rebuild is under way. @returns the number of groups to read */
  start(): number {
    const { sql } = this.#storage;
    const { rollups, nearLimits } = this.#figures;
    const { last, count, oldest } = sql
      .exec<{ last: number; count: number; oldest: number }>(
        'SELECT ifnull(max(arrival), 0) AS last, count(*) AS count, ifnull(min(from_at), 0) AS oldest FROM chunk',
      )
      .one();
    if (count === 0) return 0;
    const isArchived = this.#settings.get('archive_objects') !== undefined;
    const fromAt = isArchived ? oldest - (oldest % DAY_MS) + DAY_MS : 0;
    this.#storage.transactionSync(() => {
      rollups.clear(fromAt);
      nearLimits.clear();
      this.#save({ done: 0, last, fromAt });
    });
    return count;
  }

  /** Does one slice. @returns whether more is left */
  next(): boolean {
    const progress = this.#progress;
    if (progress === null) return false;
    try {
      return this.#storage.transactionSync(() => this.#doSlice(progress));
    } catch (error) {
      this.#settings.invalidate();
      this.#figures.rollups.invalidate();
      this.#figures.nearLimits.invalidate();
      throw error;
    }
  }

  #doSlice({ done, last, fromAt }: Progress): boolean {
    const chunks = this.#storage.sql
      .exec<ChunkRow>(
        `SELECT * FROM chunk WHERE arrival > ? AND arrival <= ? ORDER BY arrival LIMIT ${CHUNKS_AT_ONCE}`,
        ...[done, last],
      )
      .toArray();
    for (const chunk of chunks) this.#index(unpackChunk(chunk), fromAt);
    const next = chunks[CHUNKS_AT_ONCE - 1];
    this.#save(next === undefined ? null : { done: next.arrival, last, fromAt });
    return next !== undefined;
  }

  #index(chunk: Chunk, fromAt: number): void {
    const { sql } = this.#storage;
    const { texts, rollups, nearLimits } = this.#figures;
    const terms = new TermSet();
    const tallies: Tally[] = [];
    for (const { lines, shapes, texts: hashes } of sectionsOf(chunk)) {
      const slugs = hashes.map((hash) => featureSlugsOf(JSON.parse(texts.find(hash) ?? 'null')));
      const slugsOf = (text: number) => slugs[text] ?? [];
      for (const shape of shapes) terms.addShape(shape, featuresOf(shape, slugsOf));
      for (const line of readLines(lines, shapes)) {
        terms.addEvent(line, mentionsOf(line));
        terms.addRuns(readRuns(line.executions));
      }
      tallies.push(tallyLines(lines, shapes, slugsOf));
    }
    sql.exec('DELETE FROM search WHERE rowid = CAST(? AS INTEGER)', chunk.key);
    sql.exec(
      'INSERT INTO search (rowid, terms) VALUES (CAST(? AS INTEGER), ?)',
      chunk.key,
      `${environmentTerm(chunk.envId)} ${terms.text}`,
    );
    if (chunk.key < fromAt * PARTS_PER_MS) return;
    const { minutes, sightings, formerTo } = mergeTallies(tallies);
    rollups.add(chunk.envId, new Map([...minutes].filter(([minuteAt]) => minuteAt >= fromAt)), formerTo);
    nearLimits.add(chunk.envId, sightings);
  }

  get #progress(): Progress | null {
    const text = this.#settings.get('rebuild') ?? '';
    return text === '' ? null : (JSON.parse(text) as Progress);
  }

  #save(progress: Progress | null): void {
    this.#settings.set('rebuild', progress === null ? '' : JSON.stringify(progress));
  }
}
