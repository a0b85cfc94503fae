/**
 * Journal of counts. A transaction that counts writes one row of the table `outbox`: the buckets that it changed (column `cells`),
 * and the events. Most transactions therefore write nothing else, and a bucket that counts a hundred times before the row is
 * deleted is written to `cell` once.
 *
 * A bucket is *pending* while its newest state is in the journal only. The pending buckets are in memory, too; readers of `cell`
 * put them over what they read. Before rows are deleted, what is pending in them is folded into `cell`. A bucket that is not
 * pending is in no row, so nothing old can come back.
 */
import type { EventName } from '#contracts/internal/ledger';
import type { BucketRow } from './ledger-rows.ts';
import { type Pending, PendingBuckets, type Place } from './pending-buckets.ts';

/** An event of a counted update: the caller's part and the ledger's answer, as the JSON in which they crossed the RPC. */
export interface JournalEvent {
  readonly name: EventName;
  /** JSON of an UpdateEvent. */
  readonly eventJson: string;
  /** JSON of a LedgerAnswer. */
  readonly answer: string;
}

/** UTF-16 units per row: below the platform's 2 MB. */
const ROW_LENGTH = 400_000;
/**
 * A row up to this length takes what further transactions count: deleting it is one row written for all of them. With one more
 * event it still fits a page of SQLite.
 */
const OPEN_ROW_LENGTH = 3_000;
/** Pending buckets: a few megabytes of memory. More are folded at once. */
const MAX_PENDING = 20_000;

/** A row that further transactions add to. */
interface OpenRow {
  /** Null: not stored yet. */
  number: number | null;
  /** Null while the row has no event. */
  name: EventName | null;
  ids: string;
  body: string;
  cells: string;
}

export class Journal {
  readonly pending = new PendingBuckets();
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #open: OpenRow | null = null;
  #isEmpty = true;
  /**
   * SQLite would give the number of a deleted last row to the next one: a delivery that waits for the stream meanwhile would delete
   * that row as its own.
   */
  #lastNumber = 0;
  /** Changes of the current transaction. */
  #cells: Pending[] = [];
  #removed: Place[] = [];
  #events: JournalEvent[] = [];
  /** Events written so far. */
  #eventCount = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
  }

  /** No row is stored. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Events written by this instance. */
  get eventCount(): number {
    return this.#eventCount;
  }

  /** Drops what may be ahead of the storage, after a failed transaction. Call `load` before the next use. */
  forget(): void {
    this.pending.clear();
    this.#open = null;
    this.#isEmpty = true;
    this.#cells = [];
    this.#removed = [];
    this.#events = [];
  }

  /** Restores the pending buckets. Call when the tables exist. */
  load(): void {
    this.forget();
    const rows = this.#sql.exec<{ number: number; cells: string }>(
      'SELECT number, cells FROM outbox ORDER BY number',
    );
    for (const { number, cells } of rows) {
      this.#isEmpty = false;
      this.#lastNumber = Math.max(this.#lastNumber, number);
      for (const line of cells.split('\n')) if (line !== '') this.pending.keep(parsedCell(line)).row = number;
    }
  }

  /** Adds a bucket to the transaction. */
  put(cell: BucketRow): void {
    this.#cells.push(this.pending.keep(cell));
  }

  /** Deletes a bucket that was merged into a wider one, in the transaction. */
  remove(place: Place): void {
    this.#removed.push(place);
  }

  /** Adds events of what the transaction counts. */
  add(events: readonly JournalEvent[]): void {
    this.#events.push(...events);
  }

  /** Writes what the transaction has added, all or nothing. Call last. */
  write(): void {
    if (this.#removed.length > 0) {
      this.#storage.transactionSync(() => {
        this.#delete();
        this.#write();
      });
    } else if (this.#cells.length > 0 || this.#events.length > 0) this.#write();
    if (this.pending.size > MAX_PENDING) this.fold();
  }

  #delete(): void {
    for (const place of this.#removed) this.erase(place);
    this.#removed = [];
  }

  #write(): void {
    let row = this.#open ?? emptyRow();
    for (const { name, eventJson, answer } of this.#events) {
      const isOther = row.name !== null && row.name.orgId !== name.orgId;
      if (isOther || row.body.length >= ROW_LENGTH) {
        this.#store(row);
        row = emptyRow();
      }
      row.name ??= name;
      row.ids += row.ids === '' ? JSON.stringify(name.id) : `,${JSON.stringify(name.id)}`;
      row.body += `${eventJson}\n${answer}\n`;
    }
    for (const { cell } of this.#cells) row.cells += `${cellText(cell)}\n`;
    const number = this.#store(row);
    for (const pending of this.#cells) pending.row = number;
    this.#open = row.body.length + row.cells.length < OPEN_ROW_LENGTH ? row : null;
    this.#eventCount += this.#events.length;
    this.#isEmpty = false;
    this.#cells = [];
    this.#events = [];
  }

  #store(row: OpenRow): number {
    const { name, body, cells } = row;
    const ids = `[${row.ids}]`;
    const orgId = name?.orgId ?? '';
    const home = name?.home ?? null;
    if (row.number === null) {
      this.#lastNumber += 1;
      row.number = this.#lastNumber;
      this.#sql.exec(
        'INSERT INTO outbox (number, org_id, home, ids, body, cells) VALUES (?, ?, ?, ?, ?, ?)',
        ...[row.number, orgId, home, ids, body, cells],
      );
    } else {
      this.#sql.exec(
        'UPDATE outbox SET org_id = ?, home = ?, ids = ?, body = ?, cells = ? WHERE number = ?',
        ...[orgId, home, ids, body, cells, row.number],
      );
    }
    return row.number;
  }

  /** What is written from now on is in rows of its own. */
  close(): void {
    this.#open = null;
  }

  /** Deletes the rows up to a number. Their buckets stay. */
  deleteUpTo(number: number): void {
    this.close();
    this.#fold(number);
    this.#sql.exec('DELETE FROM outbox WHERE number <= ?', number);
    this.#isEmpty = this.#sql.exec('SELECT 1 FROM outbox LIMIT 1').toArray().length === 0;
  }

  /** Writes the pending buckets to `cell`, except those of the transaction under way. */
  fold(): void {
    if (this.pending.size === 0) return;
    this.close();
    this.#fold(Number.POSITIVE_INFINITY);
    this.#sql.exec("UPDATE outbox SET cells = '' WHERE cells <> ''");
  }

  #fold(upTo: number): void {
    const folded = this.pending.writtenUpTo(upTo);
    if (folded.length === 0) return;
    const values = folded.map(({ customer, property, origin, start, width, amount, version }) => [
      ...[customer, property, origin, start, width, amount, version],
    ]);
    // REPLACE would delete the row and insert another.
    this.#sql.exec(
      `INSERT INTO cell (customer, property, origin, start, width, amount, version, relay)
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
         CASE WHEN value ->> 6 > (SELECT min(peer.value ->> 'cursor') FROM self, json_each(peers) AS peer) THEN value ->> 6 END
       FROM json_each(?) WHERE true
       ON CONFLICT DO UPDATE SET width = excluded.width, amount = excluded.amount, version = excluded.version, relay = excluded.relay`,
      JSON.stringify(values),
    );
    const last = folded.reduce((most, { version }) => Math.max(most, version), 0);
    this.#sql.exec('UPDATE self SET sequence = ?1 WHERE sequence < ?1', last);
    for (const cell of folded) this.pending.drop(cell);
  }

  /** Deletes a bucket, wherever its newest state is. */
  erase(place: Place): void {
    this.settle(place);
    const { customer, property, origin, start } = place;
    this.#sql.exec(
      'DELETE FROM cell WHERE customer = ? AND property = ? AND origin = ? AND start = ?',
      ...[customer, property, origin, start],
    );
  }

  /** Folds what is pending if this bucket is. Call before its row of `cell` is written otherwise. */
  settle(place: Place): void {
    if (this.pending.has(place)) this.fold();
  }
}

function emptyRow(): OpenRow {
  return { number: null, name: null, ids: '', body: '', cells: '' };
}

function cellText({ customer, property, origin, start, width, amount, version }: BucketRow): string {
  return `${customer} ${property} ${origin} ${start} ${width} ${amount} ${version}`;
}

function parsedCell(line: string): BucketRow {
  const [customer = 0, property = 0, origin = 0, start = 0, width = 0, amount = 0, version = 0] = line
    .split(' ')
    .map(Number);
  return { customer, property, origin, start, width, amount, version };
}
