/**
 * Delivers the events of counted updates, which the journal stores in the transaction that counts. Isolates send events to the
 * event stream within a second, batched over many ledgers. The outbox later asks the stream, in large batches, which ids it
 * lacks, sends those and deletes the journal's rows. No event is lost with an isolate.
 */
import type { EventBatch, RecordedEvent } from '#contracts/internal/event-batch';
import type { EventName, LedgerAnswer, UpdateEvent } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { BackOff } from '#engine/back-off';
import { groupEvents } from '#engine/events/group-events';
import { newId } from '#runtime/ids';
import { CALL_PAUSES_MS, InFlight, LOOK_AGAIN_MS } from '../lib/in-flight.ts';
import { countedEvent } from './counted-event.ts';
import type { Journal } from './journal.ts';
import type { ReplicationState } from './replication-state.ts';

export interface StreamEffects {
  /** @returns the ids that the stream does not have */
  missing(stream: StreamName, ids: readonly string[]): Promise<readonly string[]>;
  append(batch: EventBatch): Promise<void>;
  now(): number;
  /** In [0, 1). */
  random(): number;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

export type StreamName = Pick<EventName, 'orgId' | 'home'>;

/** When to ask at the latest. */
const LATEST_MS = 60_000;
/**
 * When to ask, from a number of pending events on. Isolates' own events have arrived by then; each time costs an alarm, two calls and
 * the rows that are deleted and folded, so few events wait for longer.
 */
const ASK_AFTER_MS: readonly (readonly [events: number, afterMs: number])[] = [
  [2_000, 1_500],
  [20, 10_000],
  [0, LATEST_MS],
];
const STREAM = 'stream';
const WARNED_AFTER = 5;
/** Ids per request to the stream, and the length of the events sent at once. */
const ASKED_EVENTS = 2_000;
const SENT_LENGTH = 2_000_000;

interface OutboxRow {
  readonly [column: string]: SqlStorageValue;
  readonly number: number;
  /** Empty if the row has no events. */
  readonly org_id: string;
  readonly home: string | null;
  /** JSON of an array of strings. */
  readonly ids: string;
}

export class EventOutbox {
  readonly #sql: SqlStorage;
  readonly #effects: StreamEffects;
  readonly #state: Pick<ReplicationState, 'site' | 'saveProgress'>;
  readonly #journal: Journal;
  /** When the journal's oldest row was written; null while that is not known to exist. */
  #since: number | null = null;
  /** The journal's number of events then. */
  #countBefore = 0;
  readonly #backOff: BackOff;
  readonly #flushes = new InFlight<typeof STREAM, boolean>();

  constructor(
    sql: SqlStorage,
    journal: Journal,
    effects: StreamEffects,
    state: Pick<ReplicationState, 'site' | 'saveProgress'>,
  ) {
    this.#sql = sql;
    this.#journal = journal;
    this.#effects = effects;
    this.#state = state;
    this.#backOff = new BackOff(CALL_PAUSES_MS, effects);
  }

  /**
   * Rows of an earlier instance are due when its alarm is: a ledger that sleeps between its calls would otherwise start to wait with each.
   * @param alarmAt null: it has been run, or lost
   */
  resume(alarmAt: number | null): void {
    if (!this.#journal.isEmpty) this.#since = Math.min((alarmAt ?? 0) - LATEST_MS, this.#effects.now());
  }

  /** When to ask the stream; null when the journal is empty. */
  dueAt(): number | null {
    if (this.#journal.isEmpty) return null;
    if (this.#flushes.has(STREAM)) return this.#effects.now() + LOOK_AGAIN_MS;
    this.#since ??= this.#effects.now();
    const pending = this.#journal.eventCount - this.#countBefore;
    const [, afterMs] = ASK_AFTER_MS.find(([events]) => pending >= events) ?? [0, 0];
    return Math.max(this.#since + afterMs, this.#backOff.until);
  }

  /** Every event is delivered. */
  get isEmpty(): boolean {
    return this.#journal.isEmpty;
  }

  /** Delivers pending events if they are due. Never throws. */
  async deliver(): Promise<void> {
    if ((this.dueAt() ?? Number.POSITIVE_INFINITY) <= this.#effects.now()) await this.flush();
  }

  /** Delivers pending events now and deletes their rows. Never throws. @returns whether the journal is empty */
  flush(): Promise<boolean> {
    return this.#flushes.run(STREAM, () => this.#flush());
  }

  async #flush(): Promise<boolean> {
    if (this.#journal.isEmpty) return true;
    const startedAt = this.#effects.now();
    try {
      let isMore = true;
      while (isMore) {
        const { rows, isAll } = this.#read();
        await this.#deliverRows(rows);
        isMore = !isAll;
      }
    } catch (error) {
      const failures = this.#backOff.fail();
      if (failures === WARNED_AFTER) this.#effects.warn('ledger.events-failed', { failures, error });
      return false;
    }
    this.#backOff.succeed();
    this.#countBefore = this.#journal.eventCount;
    this.#since = this.#journal.isEmpty ? null : startedAt;
    return this.#journal.isEmpty;
  }

  async #deliverRows(rows: readonly OutboxRow[]): Promise<void> {
    const last = rows.at(-1);
    if (last === undefined) return;
    // An environment belongs to one organisation forever.
    const named = rows.findLast((row) => row.org_id !== '');
    if (named !== undefined) {
      const stream = { orgId: named.org_id, home: (named.home as Location | null) ?? undefined };
      await this.#sendMissing(stream, rows);
    }
    // A bucket that all peers are known to have is folded without an entry in an index.
    this.#state.saveProgress();
    this.#journal.deleteUpTo(last.number);
  }

  async #sendMissing(stream: StreamName, rows: readonly OutboxRow[]): Promise<void> {
    const missing = new Set(await this.#effects.missing(stream, rows.flatMap(idsOf)));
    let events: RecordedEvent[] = [];
    let length = 0;
    const send = async () => {
      if (events.length === 0) return;
      const groups = groupEvents(events, () => newId('grp', this.#effects.now()));
      events = [];
      length = 0;
      await this.#effects.append({ ...stream, groups });
    };
    for (const row of rows) {
      const ids = idsOf(row);
      if (!ids.some((id) => missing.has(id))) continue;
      const body = this.#bodyOf(row);
      if (length + body.length > SENT_LENGTH) await send();
      events.push(...this.#eventsOf(ids, body, missing));
      length += body.length;
    }
    await send();
  }

  #eventsOf(ids: readonly string[], body: string, wanted: ReadonlySet<string>): RecordedEvent[] {
    const { site } = this.#state;
    if (site === null) throw new Error('An outbox has events only after the ledger knows its site');
    const lines = body.split('\n');
    return ids.flatMap((id, index) => {
      const eventJson = lines[2 * index];
      const answer = lines[2 * index + 1];
      if (eventJson === undefined || answer === undefined || !wanted.has(id)) return [];
      return (
        countedEvent(site, id, JSON.parse(eventJson) as UpdateEvent, JSON.parse(answer) as LedgerAnswer) ?? []
      );
    });
  }

  /**
   * The oldest rows, up to one request's worth of ids. Bodies are not read, because the stream has nearly all events.
   */
  #read(): { readonly rows: OutboxRow[]; readonly isAll: boolean } {
    // What is added from now on is in rows that stay when these are deleted.
    this.#journal.close();
    const rows: OutboxRow[] = [];
    let count = 0;
    for (const row of this.#sql.exec<OutboxRow>(
      'SELECT number, org_id, home, ids FROM outbox ORDER BY number',
    )) {
      if (count >= ASKED_EVENTS) return { rows, isAll: false };
      rows.push(row);
      count += idsOf(row).length;
    }
    return { rows, isAll: true };
  }

  /** Two lines per id: `eventJson` and `answer`. Empty if the row was delivered and deleted meanwhile. */
  #bodyOf({ number }: OutboxRow): string {
    const [row] = this.#sql
      .exec<{ body: string }>('SELECT body FROM outbox WHERE number = ?', number)
      .toArray();
    return row?.body ?? '';
  }
}

function idsOf({ ids }: OutboxRow): string[] {
  return JSON.parse(ids) as string[];
}
