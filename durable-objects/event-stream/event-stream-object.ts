/**
 * The event stream of one organisation: stores and counts event batches, searches them, and archives them to R2 by alarm once
 * they pass their retention. SQLite has all state; memory is a cache. See durable-objects/README.md, "Event stream".
 */

import { DurableObject } from 'cloudflare:workers';
import type { EventMetrics, FeatureCalls, MetricsCriteria } from '#contracts/console/event-metrics';
import type { HistogramCriteria } from '#contracts/console/events';
import type { UsageItem } from '#contracts/console/usage';
import { WATCH_CLOSE_CODES } from '#contracts/console/watch-sessions';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { CountedDay } from '#contracts/internal/counted-day';
import type { Appended, EventBatch, EventGroup } from '#contracts/internal/event-batch';
import { WATCH_HEADER, type Watch } from '#contracts/internal/watch';
import { AppendPace } from '#engine/events/append-pace';
import type { StoredEvent } from '#engine/events/stored-event';
import { SharedRounds } from '#engine/shared-rounds';
import type { ShareLevel, UsageLevel } from '#engine/usage/usage-level';
import { log } from '#runtime/log';
import { setAlarm } from '../lib/set-alarm.ts';
import { SharedTurns } from '../lib/shared-turns.ts';
import { migrate } from '../storage.ts';
import type { ObjectEnv } from '../stubs.ts';
import { ArchiveQueue } from './archive-queue.ts';
import {
  type CheckPage,
  type EventPage,
  EventReader,
  type EventSearch,
  type RunPage,
  type RunSearch,
} from './event-reader.ts';
import { EventStore } from './event-store.ts';
import type { HashedGroup } from './hashed-group.ts';
import { type KeyUse, KeyUses } from './key-uses.ts';
import { KillRates } from './kill-rates.ts';
import { liveEventsOf } from './live-events.ts';
import { LiveSockets } from './live-sockets.ts';
import { NearLimits } from './near-limits.ts';
import { type Histogram, readHistogram } from './read-histogram.ts';
import { readDrawn, readFeatureCalls, readMetrics } from './read-metrics.ts';
import { IndexRebuild } from './rebuild-index.ts';
import { DEFAULT_MAX_BYTES, Retention } from './retention.ts';
import { RollupStore } from './rollup-store.ts';
import { migrations } from './schema.ts';
import { SeenReports } from './seen-customers.ts';
import { Settings } from './settings.ts';
import { StreamMessages } from './stream-messages.ts';
import { ARCHIVE_PAUSE_MS, StreamUpkeep } from './stream-upkeep.ts';
import { TextStore } from './text-store.ts';
import { Tombstone } from './tombstone.ts';
import { UsageLevels } from './usage-levels.ts';

const COMMIT_INTERVAL_MS = 25;
/** How long batches of isolates wait for each other: each has few events, and what is stored per commit costs the same for many. */
const JOIN_MS = 250;
const OVERSIZE_PAUSE_MS = 10_000;
const clock = { wait: (ms: number) => scheduler.wait(ms), now: () => Date.now() };

interface Append {
  readonly orgId: string;
  readonly groups: readonly HashedGroup[];
}

/** What the alarm does beside archiving. */
interface Duty {
  /** Epoch milliseconds; null: there is nothing to do. */
  readonly dueAt: () => number | null;
  readonly run: (now: number) => Promise<void>;
  /** It sets the next alarm itself, and what comes after it waits for that one. */
  readonly endsRun?: boolean;
}

export class EventStream extends DurableObject<ObjectEnv> {
  readonly #texts: TextStore;
  readonly #levels: UsageLevels;
  readonly #rollups: RollupStore;
  readonly #nearLimits: NearLimits;
  readonly #killRates: KillRates;
  readonly #keyUses: KeyUses;
  readonly #store: EventStore;
  readonly #reader: EventReader;
  readonly #rebuild: IndexRebuild;
  readonly #settings: Settings;
  readonly #tombstone: Tombstone;
  readonly #upkeep: StreamUpkeep;
  readonly #retention: Retention;
  readonly #messages: StreamMessages;
  readonly #live: LiveSockets;
  readonly #seen: SeenReports;
  /** In the order in which one alarm runs them. */
  readonly #duties: readonly Duty[];
  /** What has anything in memory that may differ from the storage after a rollback. */
  readonly #caches: readonly { invalidate(): void }[];
  readonly #turns = new SharedTurns(JOIN_MS, clock);
  readonly #commitTurns = new SharedTurns(COMMIT_INTERVAL_MS, clock);
  readonly #pace = new AppendPace();
  readonly #commits = new SharedRounds<Append, number>(
    async (appends) => this.#write(appends),
    () => this.#commitTurns.next(),
  );
  #hasAlarm = false;
  /** The archive run in progress. */
  #archiving: Promise<void> | null = null;
  #isErasing = false;

  constructor(ctx: DurableObjectState, env: ObjectEnv) {
    super(ctx, env);
    migrate(ctx.storage, migrations);
    this.#texts = new TextStore(ctx.storage.sql);
    this.#levels = new UsageLevels(ctx.storage.sql);
    this.#settings = new Settings(ctx.storage.sql);
    this.#rollups = new RollupStore(ctx.storage, this.#settings);
    this.#nearLimits = new NearLimits(ctx.storage.sql);
    this.#killRates = new KillRates(ctx.storage.sql);
    this.#keyUses = new KeyUses(ctx.storage.sql);
    this.#store = new EventStore(ctx.storage.sql, {
      texts: this.#texts,
      levels: this.#levels,
      killRates: this.#killRates,
      rollups: this.#rollups,
      nearLimits: this.#nearLimits,
      keyUses: this.#keyUses,
    });
    this.#reader = new EventReader(ctx.storage.sql, this.#texts);
    this.#tombstone = new Tombstone(ctx.storage, this.#settings);
    this.#rebuild = new IndexRebuild(ctx.storage, this.#settings, {
      texts: this.#texts,
      rollups: this.#rollups,
      nearLimits: this.#nearLimits,
    });
    this.#retention = new Retention(ctx.storage.sql, this.#settings);
    this.#upkeep = new StreamUpkeep(
      {
        store: this.#store,
        texts: this.#texts,
        settings: this.#settings,
        rebuild: this.#rebuild,
        archiveQueue: new ArchiveQueue(ctx.storage, this.#texts, this.#settings),
        retention: this.#retention,
        bucket: () => this.env.EVENT_ARCHIVE,
      },
      {
        setArchiveAlarm: (pauseMs) => this.#setAlarm(Date.now(), pauseMs),
        setAlarm: (at) => setAlarm(ctx.storage, at),
        isErasing: () => this.#isErasing,
      },
    );
    const sources = { settings: this.#settings, levels: this.#levels, killRates: this.#killRates };
    this.#messages = new StreamMessages(env, sources);
    this.#live = new LiveSockets(ctx);
    this.#seen = new SeenReports(ctx.storage.sql, this.#texts, this.#settings, this.#store.inbox);
    this.#duties = [
      { dueAt: () => this.#levels.nextDueAt(), run: (now) => this.#sendDueLevels(now) },
      { dueAt: () => this.#seen.dueAt, run: () => this.reportSeenCustomers() },
      {
        dueAt: () => (this.#rebuild.isPending ? 0 : null),
        run: (now) => this.#upkeep.continueRebuild(now),
        endsRun: true,
      },
    ];
    this.#caches = [
      this.#texts,
      this.#levels,
      this.#rollups,
      this.#nearLimits,
      this.#killRates,
      this.#keyUses,
      this.#settings,
      this.#store.inbox,
    ];
    void ctx.blockConcurrencyWhile(async () => {
      const alarmAt = await ctx.storage.getAlarm();
      this.#hasAlarm = alarmAt !== null;
      this.#seen.resume(alarmAt, Date.now());
      await this.#setEarlierAlarm();
    });
  }

  /**
   * Stores the new groups of a batch and counts their events in the same transaction. Idempotent.
   * @param mayWait the batch may wait for others to be stored with it
   */
  async appendGroups(batch: EventBatch, mayWait = false): Promise<Appended> {
    this.#pace.note(Date.now());
    const groups: HashedGroup[] = [];
    for (const group of batch.groups)
      groups.push({ group, texts: await this.#texts.hashAll(group.texts), figures: null });
    if (mayWait) await this.#turns.next();
    const added = await this.#commits.run({ orgId: batch.orgId, groups });
    return { added, pauseMs: this.#pace.pauseMs(Date.now(), this.#live.isWatched) };
  }

  /**
   * Counts API calls without an event: changes of customers.
   * @param days with their totals so far; a repeated report counts nothing
   */
  countChanges(orgId: string, days: readonly CountedDay[]): void {
    if (this.#tombstone.isErased) return;
    try {
      this.ctx.storage.transactionSync(() => {
        this.#settings.claim(orgId);
        this.#store.countDays(days, Date.now());
      });
    } catch (error) {
      this.#invalidate();
      throw error;
    }
    this.#announce();
    if (!this.#hasAlarm) void this.#setEarlierAlarm();
  }

  /** Usage by day, environment and type, for the days that start at `fromAt` or later and before `toAt`. */
  usage(fromAt: number, toAt: number): UsageItem[] {
    this.#fold();
    return this.#store.usage(fromAt, toAt);
  }

  /** @param ids JSON array of event ids @returns the ids that are not stored here */
  missing(ids: string): string[] {
    return this.#store.missing(ids);
  }

  /** API calls of the month that begins at `monthAt`. */
  callsOfMonth(monthAt: number): number {
    this.#fold();
    return this.#levels.totalOf(monthAt);
  }

  /** All API calls ever counted; only increases. */
  callsEver(): number {
    this.#fold();
    return this.#levels.totalEver();
  }

  /**
   * For billing, which bills the difference. The stream remembers what was billed, because the database may be restored to an earlier
   * instant.
   * @param billedCalls what the database says
   * @returns the higher of what it says now and has ever said
   */
  callsToBill(billedCalls: number): { readonly total: number; readonly billed: number } {
    const total = this.callsEver();
    const known = Number(this.#settings.get('billed_calls') ?? 0);
    const billed = Math.max(known, billedCalls);
    // More than there ever were: this stream has lost its counter.
    if (billed > known && billed <= total) this.#settings.set('billed_calls', String(billed));
    return { total, billed };
  }

  /** Ends the notifications for a level: the consumer has handled it. */
  acknowledgeLevel(monthAt: number, level: UsageLevel | ShareLevel): void {
    this.#levels.acknowledge(monthAt, level);
  }

  /** The workflow's runs and kills in the environment are counted from zero. */
  forgetKills(environmentId: string, workflowId: string): void {
    this.#fold();
    this.#killRates.forget(environmentId, workflowId);
  }

  /** Whether so many of the workflow's runs in the environment were killed that it is to be switched off. */
  isKilledRepeatedly(environmentId: string, workflowId: string): boolean {
    this.#fold();
    return this.#killRates.isReached(environmentId, workflowId);
  }

  search(search: EventSearch): EventPage {
    this.#foldForReader();
    return this.#reader.search(search);
  }

  get(id: string): StoredEvent | null {
    this.#foldForReader();
    return this.#reader.get(id);
  }

  /** The workflow executions of an event's call; null if there is no such event. */
  executions(id: string): WorkflowExecution[] | null {
    this.#foldForReader();
    return this.#reader.executions(id);
  }

  /** A page of a workflow's runs, newest first. */
  workflowRuns(search: RunSearch): RunPage {
    this.#foldForReader();
    return this.#reader.runs(search);
  }

  /** A page of access checks with what their workflows received, newest first. */
  recordedChecks(search: EventSearch): CheckPage {
    this.#foldForReader();
    return this.#reader.checks(search);
  }

  /** Number of events over time, by outcome. Read from roll-ups, never from events; `eventsFrom` says which of them can be listed. */
  histogram(criteria: HistogramCriteria): Histogram & { readonly eventsFrom: number | null } {
    this.#foldForReader();
    const hasArchived = this.#settings.get('archive_objects') !== undefined;
    const eventsFrom = hasArchived ? (this.#store.oldestAt() ?? Date.now()) : null;
    return { ...readHistogram(this.#rollups, criteria), eventsFrom };
  }

  /**
   * Figures of a range that ends now. Read from roll-ups, never from events.
   * @param existing ids of the environments that are not deleted: only their customers are listed as near a limit; null: all
   */
  metrics(criteria: MetricsCriteria, now: number, existing: readonly string[] | null = null): EventMetrics {
    this.#foldForReader();
    return readMetrics(this.#rollups, this.#nearLimits, criteria, now, existing);
  }

  /** Calls of the last day by the feature that they name. */
  featureCalls(now: number): FeatureCalls {
    this.#foldForReader();
    return readFeatureCalls(this.#rollups, now);
  }

  /** What calls took from balances in a range that ends now, by keys of engine/events/drawn-from-balances.ts. */
  drawnFromBalances(criteria: MetricsCriteria, now: number): ReturnType<typeof readDrawn> {
    this.#foldForReader();
    return readDrawn(this.#rollups, criteria, now);
  }

  /** When the API keys of an environment were last used, up to an hour late. */
  keyUses(envId: string): KeyUse[] {
    this.#fold();
    return this.#keyUses.list(envId);
  }

  /**
   * Builds search and roll-ups again from the stored events, by alarm. Usage counts stay as they are.
   * @returns the number of groups to read
   */
  async rebuildIndex(): Promise<number> {
    this.#fold();
    const count = this.#rebuild.start();
    await setAlarm(this.ctx.storage, Date.now());
    return count;
  }

  /**
   * Sets how long events stay before they are archived (default: 7 days).
   * @param maxBytes above this size, the oldest events are archived earlier
   */
  async setRetention(days: number, maxBytes = DEFAULT_MAX_BYTES): Promise<void> {
    if (!this.#retention.set(days, maxBytes)) return;
    await this.#setAlarm(Date.now());
  }

  /**
   * Deletes everything that is stored: the organisation is deleted. Events that arrive later are dropped. Repeatable.
   * The archive in R2 is deleted by the caller, afterwards.
   */
  async erase(): Promise<void> {
    this.#isErasing = true;
    this.#live.endAll();
    // Its last object would otherwise be written after the archive was deleted.
    await this.#archiving;
    await this.ctx.blockConcurrencyWhile(() => this.#tombstone.replaceStorage(Date.now()));
    this.#invalidate();
  }

  /** Connects the live view. Only the Worker calls this, after its checks: see worker/domains/watch-sessions. */
  override async fetch(request: Request): Promise<Response> {
    return this.#live.accept(JSON.parse(request.headers.get(WATCH_HEADER) ?? 'null') as Watch);
  }

  /** Closes the live views of watch sessions that have ended. */
  closeWatches(watchIds: readonly string[]): void {
    this.#live.end(watchIds);
  }

  /** The runtime answers `ping`; anything else would wake the object for nothing. */
  override webSocketMessage(socket: WebSocket): void {
    socket.close(WATCH_CLOSE_CODES.unexpectedMessage, 'Send nothing but ping');
  }

  /**
   * The runtime does not answer the close frame of a socket that hibernates: the browser would wait ten seconds and report 1006. Codes
   * below 3000 other than 1000 cannot be sent.
   */
  override webSocketClose(socket: WebSocket, code: number): void {
    socket.close(code < 3000 ? 1000 : code);
  }

  override async alarm(): Promise<void> {
    const startedAt = Date.now();
    if (this.#tombstone.isErased) return this.#tombstone.deleteWhenDue(startedAt);
    this.#fold();
    const isReport = (this.#seen.dueAt ?? Infinity) <= startedAt;
    for (const { dueAt, run, endsRun = false } of this.#duties) {
      if ((dueAt() ?? Infinity) > startedAt) continue;
      await run(startedAt);
      if (endsRun) return;
    }
    const archivedAt = Number(this.#settings.get('archived_at') ?? 0);
    if (isReport && !this.#retention.isOversize && startedAt < archivedAt + ARCHIVE_PAUSE_MS) {
      await this.#setAlarm(archivedAt);
      return;
    }
    this.#archiving = this.#upkeep.archive(startedAt);
    await this.#archiving;
  }

  /** Reports the customers of the events stored since the last report: see seen-customers.ts. */
  async reportSeenCustomers(): Promise<void> {
    try {
      this.#fold();
      await this.#seen.report(Date.now(), {
        report: (sightings, resolutionMs) => this.#messages.sendSightings(sightings, resolutionMs),
        breathe: () => scheduler.wait(0),
      });
    } catch (error) {
      log.error('seen customers could not be reported', { orgId: this.#settings.get('org_id'), error });
    }
  }

  #write(appends: readonly Append[]): number[] {
    if (this.#tombstone.isErased) return appends.map(() => 0);
    try {
      const fresh = this.ctx.storage.transactionSync(() => {
        for (const { orgId } of appends) this.#settings.claim(orgId);
        return this.#store.append(appends.flatMap(({ groups }) => groups));
      });
      this.#publish(fresh.filter((group) => group !== null));
      this.#announce();
      if (this.#seen.noteAppend(Date.now()) || !this.#hasAlarm) void this.#setEarlierAlarm();
      if (this.#retention.isOversizeAfterCommit())
        void setAlarm(this.ctx.storage, Date.now() + OVERSIZE_PAUSE_MS);
      let index = 0;
      return appends.map(({ groups }) => groups.reduce((added) => added + (fresh[index++]?.count ?? 0), 0));
    } catch (error) {
      this.#invalidate();
      throw error;
    }
  }

  /** Stores in chunks and figures what is in the inbox, before anybody reads them. A storage that takes no more can still be read. */
  #fold(): void {
    if (this.#store.inbox.isEmpty || this.#tombstone.isErased) return;
    try {
      this.ctx.storage.transactionSync(() => this.#store.fold());
    } catch (error) {
      this.#invalidate();
      log.error('events could not be counted', { orgId: this.#settings.get('org_id'), error });
    }
    this.#announce();
  }

  /** Isolates come more often while somebody reads. */
  #foldForReader(): void {
    this.#pace.noteReader(Date.now());
    this.#fold();
  }

  /** What counted events have caused. */
  #announce(): void {
    if (this.#levels.hasNewLevels) this.ctx.waitUntil(this.#sendDueLevels(Date.now()));
    if (this.#killRates.hasReached) this.ctx.waitUntil(this.#messages.sendKills());
  }

  #invalidate(): void {
    for (const cache of this.#caches) cache.invalidate();
  }

  /** What is stored stays stored, whatever happens to the live view. */
  #publish(fresh: readonly EventGroup[]): void {
    try {
      this.#live.publish(() => liveEventsOf(fresh), Date.now());
    } catch (error) {
      log.error('events could not be shown live', { orgId: this.#settings.get('org_id'), error });
    }
  }

  #sendDueLevels(now: number): Promise<void> {
    return this.#messages.sendDueLevels(now, () => this.#setAlarm(now));
  }

  /** When the first duty is due. */
  #dutyAt(): number {
    return Math.min(...this.#duties.map(({ dueAt }) => dueAt() ?? Infinity));
  }

  /** After an append or an eviction. An alarm that is set for an earlier time stays. */
  async #setEarlierAlarm(): Promise<void> {
    const alarmAt = await this.ctx.storage.getAlarm();
    if (alarmAt === null) await this.#setAlarm(Date.now());
    else if (alarmAt > this.#dutyAt()) await setAlarm(this.ctx.storage, this.#dutyAt());
  }

  /** Sets the alarm for the next archive run, at least `pauseMs` from now, or for the first duty. */
  async #setAlarm(now: number, pauseMs = ARCHIVE_PAUSE_MS): Promise<void> {
    const oldestAt = this.#store.oldestAt();
    const archiveAt = oldestAt === null ? Infinity : Math.max(now + pauseMs, oldestAt + this.#retention.ms);
    const alarmAt = Math.min(archiveAt, this.#dutyAt());
    this.#hasAlarm = alarmAt !== Infinity;
    if (this.#hasAlarm) await setAlarm(this.ctx.storage, alarmAt);
  }
}
