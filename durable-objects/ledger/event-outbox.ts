/**
 * The events of counted updates, kept in the transaction that counts. Isolates bring their events to the event stream
 * themselves, a quarter of a second later and many ledgers' together; this asks the stream afterwards, in large batches,
 * which of them it does not have, brings it those, and forgets them when it has them. So nothing is lost with an isolate.
 */
import type { EventBatch, RecordedEvent } from '#contracts/event-batch';
import type { EventName, LedgerAnswer, LedgerSite, UpdateEvent } from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import { groupEvents } from '#engine/events/group-events';
import { BackOff } from './back-off.ts';
import { countedEvent } from './counted-event.ts';

export interface StreamEffects {
  /** @returns those of the ids that the stream does not know */
  missing(stream: StreamName, ids: readonly string[]): Promise<readonly string[]>;
  append(batch: EventBatch): Promise<void>;
  now(): number;
  /** From 0 to 1. */
  random(): number;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

export type StreamName = Pick<EventName, 'orgId' | 'home'>;

/** An event as it is kept: what the caller said of it, and what it was answered, both as the JSON that they came as. */
export interface KeptEvent {
  readonly name: EventName;
  /** JSON of an UpdateEvent. */
  readonly said: string;
  /** JSON of a LedgerAnswer. */
  readonly answer: string;
}

/** After this the isolates' own events have long arrived; in a crowd sooner, so that not too many are kept. */
const ASK_AFTER_MS = 10_000;
const ASK_CROWD_AFTER_MS = 1_500;
const CROWD = 2_000;
/** A stream that does not answer is not waited for: peers are told by the same alarm. */
const PATIENCE_MS = 10_000;
const WARNED_AFTER = 5;
/** UTF-16 units of one row: below the platform's 2 MB. */
const ROW_LENGTH = 400_000;
/** Events that the stream is asked about at a time, and the length of those that it may then get at a time. */
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

export class EventOutbox {
  readonly #sql: SqlStorage;
  readonly #effects: StreamEffects;
  readonly #site: () => LedgerSite | null;
  /** When the oldest that is kept was kept; null: nothing is. */
  #since: number | null = null;
  /** How many were kept since then. */
  #count = 0;
  readonly #backOff: BackOff;

  /** @param site null as long as nothing was ever stored */
  constructor(sql: SqlStorage, effects: StreamEffects, site: () => LedgerSite | null) {
    this.#sql = sql;
    this.#effects = effects;
    this.#site = site;
    this.#backOff = new BackOff(effects);
    this.reload();
  }

  /** Goes by what is stored: the object was woken, or a transaction has failed. */
  reload(): void {
    this.#count = 0;
    this.#since = this.#hasTable() && this.#isAnyKept() ? this.#effects.now() : null;
  }

  /** Inside the transaction that counts them. */
  keep(events: readonly KeptEvent[]): void {
    if (events.length === 0) return;
    let ids: string[] = [];
    let body = '';
    for (const [index, { name, said, answer }] of events.entries()) {
      ids.push(name.id);
      body += `${said}\n${answer}\n`;
      if (events[index + 1]?.name.orgId === name.orgId && body.length < ROW_LENGTH) continue;
      this.#sql.exec(
        'INSERT INTO outbox (org_id, home, ids, body) VALUES (?, ?, ?, ?)',
        ...[name.orgId, name.home ?? null, JSON.stringify(ids), body],
      );
      ids = [];
      body = '';
    }
    this.#since ??= this.#effects.now();
    this.#count += events.length;
  }

  /** When the stream is to be asked; null: nothing is kept. */
  dueAt(): number | null {
    if (this.#since === null) return null;
    const after = this.#count >= CROWD ? ASK_CROWD_AFTER_MS : ASK_AFTER_MS;
    return Math.max(this.#since + after, this.#backOff.until);
  }

  /** Brings what is kept, unless it is not due yet. Never throws. */
  async deliver(): Promise<void> {
    if ((this.dueAt() ?? Number.POSITIVE_INFINITY) <= this.#effects.now()) await this.flush();
  }

  /** Brings what is kept now. Never throws. @returns whether nothing is left */
  async flush(): Promise<boolean> {
    if (this.#since === null) return true;
    const startedAt = this.#effects.now();
    try {
      let isMore = true;
      while (isMore) {
        const { rows, isAll } = this.#read();
        await this.#bring(rows);
        isMore = !isAll;
      }
    } catch (error) {
      const failures = this.#backOff.fail();
      if (failures === WARNED_AFTER) this.#effects.warn('ledger.events-failed', { failures, error });
      return false;
    }
    this.#backOff.succeed();
    this.#count = 0;
    this.#since = this.#isAnyKept() ? startedAt : null;
    return this.#since === null;
  }

  async #bring(rows: readonly OutboxRow[]): Promise<void> {
    const last = rows.at(-1);
    if (last === undefined) return;
    // An environment is one organisation's for good.
    const stream = { orgId: last.org_id, home: (last.home as Location | null) ?? undefined };
    const missing = new Set(await inTime(this.#effects.missing(stream, rows.flatMap(idsOf))));
    let events: RecordedEvent[] = [];
    let length = 0;
    const send = async () => {
      if (events.length === 0) return;
      const groups = groupEvents(events);
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
    if (site === null) throw new Error('Events are kept by ledgers that know where they are');
    const lines = body.split('\n');
    return ids.flatMap((id, index) => {
      const said = lines[2 * index];
      const answer = lines[2 * index + 1];
      if (said === undefined || answer === undefined || !wanted.has(id)) return [];
      return (
        countedEvent(site, id, JSON.parse(said) as UpdateEvent, JSON.parse(answer) as LedgerAnswer) ?? []
      );
    });
  }

  /** Of the oldest as many as are well asked about together. The stream has nearly all, so their bodies are not read. */
  #read(): { readonly rows: OutboxRow[]; readonly isAll: boolean } {
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

  /** For each id two lines: `said` and `answer`. Empty: it was brought and deleted meanwhile. */
  #bodyOf({ number }: OutboxRow): string {
    const [row] = this.#sql
      .exec<{ body: string }>('SELECT body FROM outbox WHERE number = ?', number)
      .toArray();
    return row?.body ?? '';
  }

  #isAnyKept(): boolean {
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
    timer = setTimeout(() => reject(new Error('The event stream did not answer in time')), PATIENCE_MS);
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
