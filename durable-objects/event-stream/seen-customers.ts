/**
 * Reports which customers were seen, for the list of customers. It reads the chunks that were stored since the last report, so
 * appending costs nothing for it, and a crash repeats a report at most.
 */

import type { SeenCustomer, Sightings } from '#contracts/internal/seen-customers';
import { sectionsOf } from '#engine/events/chunk-text';
import { addSeenCustomers, listSeenCustomers, type SeenCustomers } from '#engine/events/seen-customers';
import { nearestOf } from '#engine/metering/nearest-limit';
import { type ChunkRow, unpackChunk } from './chunk-rows.ts';
import type { Inbox } from './inbox.ts';
import type { Settings } from './settings.ts';
import { featureSlugsOf, type TextStore } from './text-store.ts';

/** How long sightings are collected after a pause without calls, and from one report to the next. */
const FIRST_REPORT_MS = 30_000;
const REPORT_PAUSE_MS = 60_000;
/** Customers that are written again, on average: with more, each is written less often. */
const WRITES_PER_MINUTE = 50;
const MINUTE_MS = 60_000;
const CHUNKS_AT_ONCE = 20;
/** Customers in memory before they are reported. */
const MAX_COLLECTED = 20_000;
/** What their readings may have in memory: each counts for one, and for each of its features. */
const MAX_COLLECTED_READINGS = 500_000;
/**
 * A queue message has at most 128 KB. It ends with the reading that exceeds this length: one reading has up to 33 KB, for
 * 1,000 features.
 */
const MAX_MESSAGE_CUSTOMERS = 200;
const MAX_MESSAGE_LENGTH = 30_000;

export interface SeenEffects {
  /** Sends a message of the queue. */
  report(sightings: Sightings, resolutionMs: number): Promise<void>;
  /** Lets appends in between two slices. */
  breathe(): Promise<void>;
}

export class SeenReports {
  readonly #sql: SqlStorage;
  readonly #texts: TextStore;
  readonly #settings: Settings;
  readonly #inbox: Inbox;
  /** When the next report is due; null: nothing was stored since the last one. */
  #dueAt: number | null = null;
  #reportedAt = Number.NEGATIVE_INFINITY;
  /** Customers of the last report. */
  #lastCount = 0;

  constructor(sql: SqlStorage, texts: TextStore, settings: Settings, inbox: Inbox) {
    this.#sql = sql;
    this.#texts = texts;
    this.#settings = settings;
    this.#inbox = inbox;
  }

  /** A new instance does not know for how long sightings have waited: an alarm that is set for them stays. */
  resume(alarmAt: number | null, now: number): void {
    const isSet = alarmAt !== null && alarmAt <= now + REPORT_PAUSE_MS;
    this.#dueAt = this.#isPending ? (isSet ? alarmAt : now) : null;
  }

  get dueAt(): number | null {
    return this.#dueAt;
  }

  /** Call after an append. @returns whether an alarm is to be set for `dueAt` */
  noteAppend(now: number): boolean {
    if (this.#dueAt !== null) return false;
    this.#dueAt = Math.max(now + FIRST_REPORT_MS, this.#reportedAt + REPORT_PAUSE_MS);
    return true;
  }

  /**
   * Reports what had arrived when it began, so that it ends however fast more arrives. What fails is reported again next time.
   */
  async report(now: number, { report, breathe }: SeenEffects): Promise<void> {
    this.#reportedAt = now;
    this.#dueAt = now + REPORT_PAUSE_MS;
    const upTo = this.#lastArrival;
    let count = 0;
    for (;;) {
      const seen: SeenCustomers = new Map();
      let chunks = this.#next(upTo);
      let last: number | undefined;
      while (chunks.length > 0 && !isFull(seen)) {
        for (const chunk of chunks) this.#collect(seen, chunk);
        last = chunks.at(-1)?.arrival;
        await breathe();
        chunks = this.#next(upTo, last);
      }
      if (last === undefined) break;
      count += seen.size;
      const resolutionMs = Math.ceil(Math.max(count, this.#lastCount) / WRITES_PER_MINUTE) * MINUTE_MS;
      for (const sightings of messagesOf(listSeenCustomers(seen))) await report(sightings, resolutionMs);
      this.#settings.set('seen_arrival', String(last));
    }
    this.#lastCount = count;
    this.#dueAt = this.#isPending ? now + REPORT_PAUSE_MS : null;
  }

  get #reportedTo(): number {
    return Number(this.#settings.get('seen_arrival') ?? 0);
  }

  get #isPending(): boolean {
    return !this.#inbox.isEmpty || this.#lastArrival > this.#reportedTo;
  }

  get #lastArrival(): number {
    return this.#sql.exec<{ last: number }>('SELECT ifnull(max(arrival), 0) AS last FROM chunk').one().last;
  }

  #next(upTo: number, after = this.#reportedTo): ChunkRow[] {
    return this.#sql
      .exec<ChunkRow>(
        `SELECT * FROM chunk WHERE arrival > ? AND arrival <= ? ORDER BY arrival LIMIT ${CHUNKS_AT_ONCE}`,
        ...[after, upTo],
      )
      .toArray();
  }

  #collect(seen: SeenCustomers, row: ChunkRow): void {
    const chunk = unpackChunk(row);
    for (const section of sectionsOf(chunk)) {
      const slugs = section.texts.map((hash) => featureSlugsOf(JSON.parse(this.#texts.find(hash) ?? 'null')));
      addSeenCustomers(seen, chunk.envId, section, (text) => slugs[text] ?? []);
    }
  }
}

function isFull(seen: SeenCustomers): boolean {
  let size = 0;
  for (const { readings } of seen.values()) {
    for (const { features } of readings.values()) size += 1 + features.length;
  }
  return seen.size >= MAX_COLLECTED || size >= MAX_COLLECTED_READINGS;
}

/** Lists of features repeat, so each is in a message once. A customer with many readings is in several messages. */
function* messagesOf(customers: readonly SeenCustomer[]): Generator<Sightings> {
  let lists = new Map<string, number>();
  let message: Sightings['customers'][number][] = [];
  let length = 0;
  const close = (): Sightings => {
    const sightings = { featureLists: [...lists.keys()].map(listOf), customers: message };
    lists = new Map();
    message = [];
    length = 0;
    return sightings;
  };
  const add = ({ identifier, at }: SeenCustomer) => {
    const readings: Sightings['customers'][number]['readings'][number][] = [];
    message.push({ identifier, at, readings });
    length += identifier.length;
    return readings;
  };
  for (const customer of customers) {
    if (message.length === MAX_MESSAGE_CUSTOMERS || length > MAX_MESSAGE_LENGTH) yield close();
    let readings = add(customer);
    for (const { features, nearLimits, ...reading } of customer.readings) {
      if (length > MAX_MESSAGE_LENGTH) {
        yield close();
        readings = add(customer);
      }
      const text = features.join(' ');
      const list = lists.get(text) ?? lists.size;
      if (!lists.has(text)) length += text.length;
      lists.set(text, list);
      // The others have no effect: see nearestLimit.
      const nearest = nearestOf(nearLimits);
      const short = { ...reading, list, nearLimits: nearest === undefined ? [] : [nearest] };
      readings.push(short);
      length += JSON.stringify(short).length;
    }
  }
  if (message.length > 0) yield close();
}

const listOf = (text: string): string[] => (text === '' ? [] : text.split(' '));
