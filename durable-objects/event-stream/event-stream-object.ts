/**
 * The event stream of one organisation: a thin shell that takes batches of events, counts them as usage, answers searches,
 * and by alarm moves what is past its retention to R2. All that it knows stands in its SQLite; memory is a cache.
 */
import { DurableObject } from 'cloudflare:workers';
import type { EventBatch } from '#contracts/event-batch';
import type { UsageItem } from '#contracts/usage';
import type { StoredEvent } from '#engine/events/event-line';
import type { UsageLevel } from '#engine/usage/usage-standing';
import type { Env } from '#worker/env';
import { log } from '#worker/platform/log';
import { sendMessage } from '#worker/queue/send-message';
import { migrate } from '../storage.ts';
import { type AnswerText, AnswerTexts } from './answer-texts.ts';
import { archiveEvents } from './archive-events.ts';
import { Departures } from './departures.ts';
import { type EventPage, EventReader, type EventSearch } from './event-reader.ts';
import { EventStore } from './event-store.ts';
import { GroupCommit } from './group-commit.ts';
import { migrations } from './schema.ts';
import { Settings } from './settings.ts';
import { UsageLevels } from './usage-levels.ts';

const COMMIT_INTERVAL_MS = 25;
const DAY_MS = 86_400_000;
const DEFAULT_RETENTION_DAYS = 7;
/** Events leave in the company of an hour's others, rather than one by one. */
const ARCHIVE_PAUSE_MS = 3_600_000;
const RETRY_PAUSE_MS = 300_000;
const MAX_ARCHIVING_MS = 20_000;
/** Of the 10 GB that an object may hold: beyond this the oldest events leave before their time. */
const DEFAULT_MAX_BYTES = 8_000_000_000;
const COMMITS_PER_SIZE_CHECK = 500;
const CROWDED_PAUSE_MS = 10_000;

interface Append {
  readonly batch: EventBatch;
  /** The texts of each group. */
  readonly texts: readonly (readonly AnswerText[])[];
}

export class EventStream extends DurableObject<Env> {
  readonly #texts: AnswerTexts;
  readonly #levels: UsageLevels;
  readonly #store: EventStore;
  readonly #reader: EventReader;
  readonly #settings: Settings;
  readonly #departures: Departures;
  readonly #commits: GroupCommit<Append, number>;
  #hasAlarm = false;
  #commitsSinceSizeCheck = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, migrations);
    this.#texts = new AnswerTexts(ctx.storage.sql);
    this.#levels = new UsageLevels(ctx.storage.sql);
    this.#store = new EventStore(ctx.storage.sql, this.#texts, this.#levels);
    this.#reader = new EventReader(ctx.storage.sql, this.#texts);
    this.#settings = new Settings(ctx.storage.sql);
    this.#departures = new Departures(ctx.storage, this.#texts, this.#settings);
    this.#commits = new GroupCommit(COMMIT_INTERVAL_MS, {
      write: (appends) => this.#write(appends),
      now: Date.now,
      wait: (ms) => scheduler.wait(ms),
    });
    void ctx.blockConcurrencyWhile(async () => {
      this.#hasAlarm = (await ctx.storage.getAlarm()) !== null;
      if (!this.#hasAlarm || this.#levels.nextDueAt() !== null) await this.#setAlarm(Date.now());
    });
  }

  /**
   * Stores what is new of a batch, and counts it as usage in the same transaction.
   * @returns how many events were new
   */
  async append(batch: EventBatch): Promise<number> {
    const texts: AnswerText[][] = [];
    for (const group of batch.groups) texts.push(await this.#texts.hashAll(group.texts));
    return this.#commits.commit({ batch, texts });
  }

  /** Usage by day, environment and type, of the days that begin from `fromAt` on and before `toAt`. */
  usage(fromAt: number, toAt: number): UsageItem[] {
    return this.#store.usage(fromAt, toAt);
  }

  /** Those of the ids that no event has which is kept here. @param ids JSON of an array of strings */
  missing(ids: string): string[] {
    return this.#store.missing(ids);
  }

  /** API calls of the month that begins at `monthAt`. */
  callsOfMonth(monthAt: number): number {
    return this.#levels.totalOf(monthAt);
  }

  /** All API calls that were ever counted, whatever month they are of: a figure that only rises. */
  callsEver(): number {
    return this.#levels.totalEver();
  }

  /** Whoever was told of a passed level has done what follows from it. */
  acknowledgeLevel(monthAt: number, level: UsageLevel): void {
    this.#levels.acknowledge(monthAt, level);
  }

  search(search: EventSearch): EventPage {
    return this.#reader.search(search);
  }

  get(id: string): StoredEvent | null {
    return this.#reader.get(id);
  }

  /**
   * How long events stay before they move to the archive: 7 days unless told.
   * @param maxBytes they move sooner where the stream holds more than this
   */
  async setRetention(days: number, maxBytes = DEFAULT_MAX_BYTES): Promise<void> {
    if (!Number.isSafeInteger(days) || days < 1) throw new RangeError('Retention is a whole number of days');
    if (days * DAY_MS === this.#retentionMs && maxBytes === this.#maxBytes) return;
    this.#settings.set('retention_days', String(days));
    this.#settings.set('max_bytes', String(maxBytes));
    await this.#setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    const startedAt = Date.now();
    await this.#tellLevels(startedAt);
    try {
      const before = startedAt - this.#retentionMs;
      const isDone = await archiveEvents(before, {
        nextDeparture: (time) => this.#departures.next(this.#isCrowded ? startedAt : time),
        put: async (object, gzipped) => {
          await this.env.EVENT_ARCHIVE.put(object, gzipped, {
            httpMetadata: { contentType: 'application/x-ndjson', contentEncoding: 'gzip' },
          });
        },
        depart: (departure) => this.#departures.depart(departure),
        mayGoOn: () => Date.now() - startedAt < MAX_ARCHIVING_MS,
      });
      if (isDone && (this.#store.oldestAt() ?? startedAt) >= before)
        this.#texts.deleteUnused(before - DAY_MS);
      await this.#setAlarm(Date.now(), isDone ? ARCHIVE_PAUSE_MS : 0);
    } catch (error) {
      log.error('events could not be archived', { orgId: this.#settings.get('org_id'), error });
      await this.ctx.storage.setAlarm(Date.now() + RETRY_PAUSE_MS);
    }
  }

  #write(appends: readonly Append[]): number[] {
    try {
      const added = this.ctx.storage.transactionSync(() => appends.map((each) => this.#append(each)));
      if (this.#levels.hasNews) this.ctx.waitUntil(this.#tellLevels(Date.now()));
      if (!this.#hasAlarm) void this.#setAlarm(Date.now());
      this.#commitsSinceSizeCheck += 1;
      if (this.#commitsSinceSizeCheck >= COMMITS_PER_SIZE_CHECK) this.#checkSize();
      return added;
    } catch (error) {
      this.#texts.forget();
      this.#levels.forget();
      this.#settings.reload();
      throw error;
    }
  }

  #append({ batch, texts }: Append): number {
    this.#belongTo(batch.orgId);
    let added = 0;
    for (const [index, group] of batch.groups.entries())
      added += this.#store.append(group, texts[index] ?? []);
    return added;
  }

  /** A stream is one organisation's: a batch of another one is a mistake of ours, and is refused. */
  #belongTo(orgId: string): void {
    const owner = this.#settings.get('org_id');
    if (owner === orgId) return;
    if (owner !== undefined) throw new Error('These events belong to another organisation');
    this.#settings.set('org_id', orgId);
  }

  get #retentionMs(): number {
    return Number(this.#settings.get('retention_days') ?? DEFAULT_RETENTION_DAYS) * DAY_MS;
  }

  get #maxBytes(): number {
    return Number(this.#settings.get('max_bytes') ?? DEFAULT_MAX_BYTES);
  }

  get #isCrowded(): boolean {
    return this.ctx.storage.sql.databaseSize > this.#maxBytes;
  }

  #checkSize(): void {
    this.#commitsSinceSizeCheck = 0;
    if (this.#isCrowded) void this.ctx.storage.setAlarm(Date.now() + CROWDED_PAUSE_MS);
  }

  /** Says which levels of usage were passed, and has itself woken to say so again until that is acknowledged. */
  async #tellLevels(now: number): Promise<void> {
    const orgId = this.#settings.get('org_id');
    const due = this.#levels.takeDue(now);
    if (orgId === undefined || due.length === 0) return;
    const isAlarmSet = this.#setAlarm(now); // Before the first await: it stands with what makes it necessary.
    try {
      for (const passed of due) await sendMessage(this.env, { type: 'usage.level-passed', orgId, ...passed });
    } catch (error) {
      log.error('a passed level of usage could not be told', { orgId, error });
    }
    await isAlarmSet;
  }

  /**
   * Wakes the stream when its oldest events are due to leave, but not sooner than `pauseMs` from now, or when a passed
   * level is to be told again.
   */
  async #setAlarm(now: number, pauseMs = ARCHIVE_PAUSE_MS): Promise<void> {
    const oldestAt = this.#store.oldestAt();
    const archiveAt = oldestAt === null ? Infinity : Math.max(now + pauseMs, oldestAt + this.#retentionMs);
    const alarmAt = Math.min(archiveAt, this.#levels.nextDueAt() ?? Infinity);
    this.#hasAlarm = alarmAt !== Infinity;
    if (this.#hasAlarm) await this.ctx.storage.setAlarm(alarmAt);
  }
}
