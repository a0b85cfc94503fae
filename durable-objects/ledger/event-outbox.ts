/**
 * Outbox for the events of counted updates, written in the transaction that counts. Isolates send events to the event
 * stream within 250 ms, batched over many ledgers. The outbox later asks the stream, in large batches, which ids it
 * lacks, sends those and deletes the rows. No event is lost with an isolate.
 */
import type { EventBatch, RecordedEvent } from '#contracts/internal/event-batch';
import type { EventName, LedgerAnswer, LedgerSite, UpdateEvent } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { groupEvents } from '#engine/events/group-events';
import { newId } from '#worker/platform/ids';
import { BackOff } from './back-off.ts';
import { countedEvent } from './counted-event.ts';

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

/** An event in the outbox: the caller's part and the ledger's answer, as the JSON in which they crossed the RPC. */
export interface OutboxEvent {
  readonly name: EventName;
  /** JSON of an UpdateEvent. */
  readonly eventJson: string;
  /** JSON of a LedgerAnswer. */
  readonly answer: string;
}

/** By then the isolates' own events have arrived. Shorter when many events are pending. */
const ASK_AFTER_MS = 10_000;
const ASK_BUSY_AFTER_MS = 1_500;
const BUSY = 2_000;
/** The same alarm replicates to peers, so a slow stream must not block it. */
const STREAM_TIMEOUT_MS = 10_000;
const WARNED_AFTER = 5;
/** UTF-16 units per row: below the platform's 2 MB. */
const ROW_LENGTH = 400_000;
/** A row up to this length takes the events of further transactions: deleting it is one row written for all of them. */
const OPEN_ROW_LENGTH = 4_000;
/** Ids per request to the stream, and the length of the events sent at once. */
const ASKED_EVENTS = 2_000;
const SENT_LENGTH = 2_000_000;

interface OutboxRow {
  readonly [column: string]: SqlStorageValue;
  readonly number: number;
  readonly org_id: string;
  readonly home: string | null;
  /** JSON of an array of strings. */
  readonly ids: string;
}

/** A row that further transactions add to. */
interface OpenRow {
  /** Null: not stored yet. */
  number: number | null;
  readonly name: StreamName;
  readonly ids: string[];
  body: string;
}

export class EventOutbox {
  readonly #sql: SqlStorage;
  readonly #effects: StreamEffects;
  readonly #site: () => LedgerSite | null;
  /** When the oldest pending event was added; null when the outbox is empty. */
  #since: number | null = null;
  /** Events added since then. */
  #count = 0;
  #open: OpenRow | null = null;
  readonly #backOff: BackOff;

  /** @param site null until something is stored */
  constructor(sql: SqlStorage, effects: StreamEffects, site: () => LedgerSite | null) {
    this.#sql = sql;
    this.#effects = effects;
    this.#site = site;
    this.#backOff = new BackOff(effects);
    this.reload();
  }

  /** Restores the state from storage: after a wake-up or a failed transaction. */
  reload(): void {
    this.#count = 0;
    this.#open = null;
    this.#since = this.#hasTable() && this.#isAnyPending() ? this.#effects.now() : null;
  }

  /** Call inside the transaction that counts the events. */
  add(events: readonly OutboxEvent[]): void {
    if (events.length === 0) return;
    let row = this.#open;
    for (const [index, { name, eventJson, answer }] of events.entries()) {
      if (row === null || row.name.orgId !== name.orgId) row = { number: null, name, ids: [], body: '' };
      row.ids.push(name.id);
      row.body += `${eventJson}\n${answer}\n`;
      if (events[index + 1]?.name.orgId === name.orgId && row.body.length < ROW_LENGTH) continue;
      this.#store(row);
      if (row.body.length >= OPEN_ROW_LENGTH) row = null;
    }
    this.#open = row;
    this.#since ??= this.#effects.now();
    this.#count += events.length;
  }

  #store(row: OpenRow): void {
    const { number, name, body } = row;
    const ids = JSON.stringify(row.ids);
    if (number === null) {
      const insert = 'INSERT INTO outbox (org_id, home, ids, body) VALUES (?, ?, ?, ?) RETURNING number';
      const stored = this.#sql
        .exec<{ number: number }>(insert, name.orgId, name.home ?? null, ids, body)
        .one();
      row.number = stored.number;
    } else {
      this.#sql.exec('UPDATE outbox SET ids = ?, body = ? WHERE number = ?', ids, body, number);
    }
  }

  /** When to ask the stream; null when the outbox is empty. */
  dueAt(): number | null {
    if (this.#since === null) return null;
    const after = this.#count >= BUSY ? ASK_BUSY_AFTER_MS : ASK_AFTER_MS;
    return Math.max(this.#since + after, this.#backOff.until);
  }

  /** Delivers pending events if they are due. Never throws. */
  async deliver(): Promise<void> {
    if ((this.dueAt() ?? Number.POSITIVE_INFINITY) <= this.#effects.now()) await this.flush();
  }

  /** Delivers pending events now. Never throws. @returns whether the outbox is empty */
  async flush(): Promise<boolean> {
    if (this.#since === null) return true;
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
    this.#count = 0;
    this.#since = this.#isAnyPending() ? startedAt : null;
    return this.#since === null;
  }

  async #deliverRows(rows: readonly OutboxRow[]): Promise<void> {
    const last = rows.at(-1);
    if (last === undefined) return;
    // An environment belongs to one organisation forever.
    const stream = { orgId: last.org_id, home: (last.home as Location | null) ?? undefined };
    const missing = new Set(await inTime(this.#effects.missing(stream, rows.flatMap(idsOf))));
    let events: RecordedEvent[] = [];
    let length = 0;
    const send = async () => {
      if (events.length === 0) return;
      const groups = groupEvents(events, () => newId('grp', this.#effects.now()));
      events = [];
      length = 0;
      await inTime(this.#effects.append({ ...stream, groups }));
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
    this.#sql.exec('DELETE FROM outbox WHERE number <= ?', last.number);
  }

  #eventsOf(ids: readonly string[], body: string, wanted: ReadonlySet<string>): RecordedEvent[] {
    const site = this.#site();
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
    // What is added from now on is in rows of its own, which stay when these are deleted.
    this.#open = null;
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

  #isAnyPending(): boolean {
    return this.#sql.exec('SELECT 1 FROM outbox LIMIT 1').toArray().length > 0;
  }

  #hasTable(): boolean {
    return (
      this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'outbox'").toArray()
        .length > 0
    );
  }
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The event stream did not answer in time')), STREAM_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function idsOf({ ids }: OutboxRow): string[] {
  return JSON.parse(ids) as string[];
}
