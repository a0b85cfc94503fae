/** The ledger's storage in the object's SQLite. Nothing is made before something is stored: asking leaves no trace. */
import type { CellRecord, CopyPosition, KeyRecord, LedgerSite, MarkRecord } from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import type { HeldCount } from '#engine/ledger/customer-meters';
import { bodyOf, type KeyRow, keyOf, LedgerRows } from './ledger-rows.ts';
import type {
  Changes,
  CopyPage,
  LedgerStore,
  ResourceName,
  StoredCustomer,
  StoredLink,
  StoredPeer,
  StoredSelf,
} from './ledger-store.ts';
import { MarkRows } from './mark-rows.ts';
import { RecordReader } from './record-reader.ts';

export class SqliteLedgerStore implements LedgerStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #rows: LedgerRows;
  readonly #reader: RecordReader;
  readonly #marks: MarkRows;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#rows = new LedgerRows(storage);
    this.#reader = new RecordReader(this.#rows);
    this.#marks = new MarkRows(this.#rows);
  }

  transaction<Result>(work: () => Result): Result {
    return this.#storage.transactionSync(work);
  }

  forget(): void {
    this.#rows.forget();
  }

  /** Throws where the platform has replaced this instance: what it remembers may be outdated. */
  touch(): void {
    if (this.#rows.isMade) this.#sql.exec('SELECT 1 FROM self').toArray();
  }

  loadSelf(): StoredSelf | null {
    if (!this.#rows.hasTables()) return null;
    this.#rows.update();
    const [row] = this.#sql
      .exec<{ origin: string | null; sequence: number; site: string; ended: string }>(
        'SELECT origin, sequence, site, ended FROM self',
      )
      .toArray();
    if (row === undefined) return null;
    const { origin, sequence, site, ended } = row;
    return {
      ...{ origin, sequence },
      site: JSON.parse(site) as LedgerSite,
      ended: JSON.parse(ended) as string[],
    };
  }

  saveSelf({ origin, sequence, site, ended }: StoredSelf): void {
    this.#rows.make();
    this.#sql.exec(
      'INSERT OR REPLACE INTO self (id, origin, sequence, site, ended) VALUES (1, ?, ?, ?, ?)',
      origin,
      sequence,
      JSON.stringify(site),
      JSON.stringify(ended),
    );
  }

  loadPeers(): readonly StoredPeer[] {
    if (!this.#rows.hasTables()) return [];
    const rows = this.#sql.exec<{ body: string }>('SELECT body FROM peer').toArray();
    return rows.map((row) => JSON.parse(row.body) as StoredPeer);
  }

  savePeer(peer: StoredPeer): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO peer (location, body) VALUES (?, ?)',
      peer.location,
      JSON.stringify(peer),
    );
  }

  deletePeer(location: Location): void {
    this.#sql.exec('DELETE FROM peer WHERE location = ?', location);
  }

  hasCustomer(identifier: string): boolean {
    return this.#rows.findCustomer(identifier) !== null;
  }

  loadCustomer(identifier: string): StoredCustomer | null {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) return null;
    const { copied } = this.#sql
      .exec<{ copied: string }>('SELECT copied_from AS copied FROM customer WHERE id = ?', customer)
      .one();
    return {
      cells: this.#reader.cellsOf(customer),
      copiedFrom: JSON.parse(copied) as Location[],
      link: this.#reader.linkOf(customer),
    };
  }

  saveCopiedFrom(identifier: string, locations: readonly Location[]): void {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) return;
    this.#sql.exec('UPDATE customer SET copied_from = ? WHERE id = ?', JSON.stringify(locations), customer);
  }

  clearCopiedFrom(): void {
    this.#sql.exec("UPDATE customer SET copied_from = '[]' WHERE copied_from <> '[]'");
  }

  customersAfter(number: number, limit: number): { number: number; identifier: string }[] {
    if (!this.#rows.hasTables()) return [];
    return this.#sql
      .exec<{ number: number; identifier: string }>(
        'SELECT id AS number, identifier FROM customer WHERE id > ? ORDER BY id LIMIT ?',
        number,
        limit,
      )
      .toArray();
  }

  saveLink({ identifier, target, changed, carried }: StoredLink): void {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) return;
    this.#sql.exec(
      'INSERT OR REPLACE INTO link (customer, target, changed, carried) VALUES (?, ?, ?, ?)',
      ...[customer, target, changed, carried],
    );
  }

  uncarried(limit: number): StoredLink[] {
    if (!this.#rows.hasTables()) return [];
    return this.#sql
      .exec<{ customer: number; target: string; changed: number; carried: number }>(
        'SELECT * FROM link WHERE changed > carried ORDER BY customer LIMIT ?',
        limit,
      )
      .toArray()
      .map(({ customer, ...link }) => ({ ...link, identifier: this.#rows.customers.text(customer) }));
  }

  putCell(
    identifier: string,
    { propertyId, origin, start, width, amount, version }: CellRecord,
    relay: number | null,
  ): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO cell (customer, property, origin, start, width, amount, version, relay) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      this.#rows.customers.number(identifier),
      this.#rows.names.number(propertyId),
      this.#rows.names.number(origin),
      start,
      width,
      amount,
      version,
      relay,
    );
  }

  deleteCell(
    identifier: string,
    { propertyId, origin, start }: Pick<CellRecord, 'propertyId' | 'origin' | 'start'>,
  ): void {
    this.#sql.exec(
      'DELETE FROM cell WHERE customer = ? AND property = ? AND origin = ? AND start = ?',
      this.#rows.customers.number(identifier),
      this.#rows.names.number(propertyId),
      this.#rows.names.number(origin),
      start,
    );
  }

  countHeld(identifier: string, propertyId: string): HeldCount[] {
    return this.#marks.countHeld(identifier, propertyId);
  }

  findMarks(identifier: string, propertyId: string, resourceId: string): MarkRecord[] {
    return this.#marks.find(identifier, propertyId, resourceId);
  }

  putMark(identifier: string, mark: MarkRecord, heldBy: string | null, relay: number | null): void {
    this.#marks.put(identifier, mark, heldBy, relay);
  }

  findKeys(identifier: string, text: string): KeyRecord[] {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) return [];
    return this.#sql
      .exec<KeyRow>('SELECT customer, body, version FROM key WHERE customer = ? AND text = ?', customer, text)
      .toArray()
      .map(keyOf);
  }

  sharedKeys(one: string, other: string): { customer: string; text: string }[] {
    const [first, second] = [this.#rows.names.find(one), this.#rows.names.find(other)];
    if (first === null || second === null) return [];
    return this.#sql
      .exec<{ customer: number; text: string }>(
        `SELECT DISTINCT customer, text FROM key INDEXED BY key_version WHERE origin = ?2 AND EXISTS
         (SELECT 1 FROM key AS own WHERE own.customer = key.customer AND own.text = key.text AND own.origin = ?1)`,
        first,
        second,
      )
      .toArray()
      .map(({ customer, text }) => ({ customer: this.#rows.customers.text(customer), text }));
  }

  putKey(identifier: string, key: KeyRecord, relay: number | null): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO key (customer, text, origin, at, body, version, relay) VALUES (?, ?, ?, ?, ?, ?, ?)',
      this.#rows.customers.number(identifier),
      key.text,
      this.#rows.names.number(key.origin),
      key.at,
      bodyOf(key),
      key.version,
      relay,
    );
  }

  changesAfter(origin: string, version: number, limit: number): Changes {
    return this.#reader.changesAfter(origin, version, limit);
  }

  lastVersion(origin: string): number {
    return this.#reader.lastVersion(origin);
  }

  copyOf(identifier: string, after: CopyPosition | null, limit: number): CopyPage {
    return this.#reader.copyOf(identifier, after, limit);
  }

  deleteKeys(before: number, unless: { origin: string; after: number }, limit: number): void {
    this.#sql.exec(
      `DELETE FROM key WHERE (customer, text, origin, at) IN
       (SELECT customer, text, origin, at FROM key
        WHERE at < ?1 AND NOT (origin = ?2 AND version > ?3) AND (relay IS NULL OR relay <= ?3)
          AND customer NOT IN (SELECT customer FROM link WHERE changed > carried)
        ORDER BY at LIMIT ?4)`,
      ...[before, this.#rows.names.number(unless.origin), unless.after, limit],
    );
  }

  releasedBefore(identifier: string, stamp: number, limit: number): ResourceName[] {
    return this.#marks.releasedBefore(identifier, stamp, limit);
  }

  deleteMarks(identifier: string, marks: readonly MarkRecord[]): void {
    this.#marks.delete(identifier, marks);
  }

  erase(): void {
    if (!this.#rows.hasTables()) return;
    for (const table of ['self', 'peer', 'name', 'customer', 'cell', 'mark', 'key', 'link', 'outbox']) {
      this.#sql.exec(`DELETE FROM ${table}`);
    }
  }
}
