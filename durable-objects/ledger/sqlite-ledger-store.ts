/** The ledger's storage in the object's SQLite. Nothing is made before something is stored: asking leaves no trace. */
import type { CellRecord, CopyPosition, KeyRecord, LedgerSite, MarkRecord } from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import type { HeldCount } from '#engine/ledger/customer-meters';
import { migrate } from '../storage.ts';
import { groupChanges } from './group-changes.ts';
import type {
  Changes,
  CopyPage,
  LedgerStore,
  ResourceName,
  StoredCustomer,
  StoredPeer,
  StoredSelf,
} from './ledger-store.ts';
import { NumberedNames } from './numbered-names.ts';
import { migrations } from './schema.ts';

interface CellRow {
  readonly [column: string]: SqlStorageValue;
  readonly customer: number;
  readonly property: number;
  readonly origin: number;
  readonly start: number;
  readonly width: number;
  readonly amount: number;
  readonly version: number;
}

interface MarkRow {
  readonly [column: string]: SqlStorageValue;
  readonly customer: number;
  readonly property: number;
  readonly resource: string;
  readonly origin: number;
  readonly stamp: number;
  readonly at: number;
  readonly is_held: number;
  readonly key: string | null;
  readonly version: number;
}

interface KeyRow {
  readonly [column: string]: SqlStorageValue;
  readonly customer: number;
  readonly body: string;
  readonly version: number;
}

type OriginalKey = Omit<KeyRecord, 'version'>;

export class SqliteLedgerStore implements LedgerStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #names: NumberedNames;
  readonly #customers: NumberedNames;
  #isMade = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#names = new NumberedNames(storage.sql, 'name', 'text');
    this.#customers = new NumberedNames(storage.sql, 'customer', 'identifier');
  }

  transaction<Result>(work: () => Result): Result {
    return this.#storage.transactionSync(work);
  }

  forget(): void {
    this.#names.forget();
    this.#customers.forget();
    this.#isMade = false;
  }

  /** Throws where the platform has replaced this instance: what it remembers may be outdated. */
  touch(): void {
    if (this.#isMade) this.#sql.exec('SELECT 1 FROM self').toArray();
  }

  loadSelf(): StoredSelf | null {
    if (!this.#hasTables()) return null;
    migrate(this.#storage, migrations);
    const [row] = this.#sql
      .exec<{ origin: string | null; sequence: number; site: string }>(
        'SELECT origin, sequence, site FROM self',
      )
      .toArray();
    if (row === undefined) return null;
    return { origin: row.origin, sequence: row.sequence, site: JSON.parse(row.site) as LedgerSite };
  }

  saveSelf({ origin, sequence, site }: StoredSelf): void {
    this.#make();
    this.#sql.exec(
      'INSERT OR REPLACE INTO self (id, origin, sequence, site) VALUES (1, ?, ?, ?)',
      origin,
      sequence,
      JSON.stringify(site),
    );
  }

  loadPeers(): readonly StoredPeer[] {
    if (!this.#hasTables()) return [];
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

  loadCustomer(identifier: string): StoredCustomer | null {
    const customer = this.#findCustomer(identifier);
    if (customer === null) return null;
    const { copied } = this.#sql
      .exec<{ copied: string }>('SELECT copied_from AS copied FROM customer WHERE id = ?', customer)
      .one();
    return { cells: this.#cellsOf(customer), copiedFrom: JSON.parse(copied) as Location[] };
  }

  saveCopiedFrom(identifier: string, locations: readonly Location[]): void {
    const customer = this.#findCustomer(identifier);
    if (customer === null) return;
    this.#sql.exec('UPDATE customer SET copied_from = ? WHERE id = ?', JSON.stringify(locations), customer);
  }

  customersAfter(number: number, limit: number): { number: number; identifier: string }[] {
    if (!this.#hasTables()) return [];
    return this.#sql
      .exec<{ number: number; identifier: string }>(
        'SELECT id AS number, identifier FROM customer WHERE id > ? ORDER BY id LIMIT ?',
        number,
        limit,
      )
      .toArray();
  }

  putCell(identifier: string, { propertyId, origin, start, width, amount, version }: CellRecord): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO cell (customer, property, origin, start, width, amount, version) VALUES (?, ?, ?, ?, ?, ?, ?)',
      this.#customers.number(identifier),
      this.#names.number(propertyId),
      this.#names.number(origin),
      start,
      width,
      amount,
      version,
    );
  }

  deleteCell(
    identifier: string,
    { propertyId, origin, start }: Pick<CellRecord, 'propertyId' | 'origin' | 'start'>,
  ): void {
    this.#sql.exec(
      'DELETE FROM cell WHERE customer = ? AND property = ? AND origin = ? AND start = ?',
      this.#customers.number(identifier),
      this.#names.number(propertyId),
      this.#names.number(origin),
      start,
    );
  }

  countHeld(identifier: string, propertyId: string): HeldCount[] {
    const customer = this.#findCustomer(identifier);
    const property = customer === null ? null : this.#names.find(propertyId);
    if (property === null) return [];
    return this.#sql
      .exec<{ minute: number; count: number }>(
        `SELECT at / 60000 AS minute, count(*) AS count FROM mark
         WHERE customer = ? AND property = ? AND counts = 1 GROUP BY minute ORDER BY minute`,
        customer,
        property,
      )
      .toArray();
  }

  findMarks(identifier: string, propertyId: string, resourceId: string): MarkRecord[] {
    const customer = this.#findCustomer(identifier);
    const property = customer === null ? null : this.#names.find(propertyId);
    if (property === null) return [];
    return this.#sql
      .exec<MarkRow>(
        'SELECT * FROM mark WHERE customer = ? AND property = ? AND resource = ?',
        customer,
        property,
        resourceId,
      )
      .toArray()
      .map((row) => this.#markOf(row));
  }

  putMark(identifier: string, mark: MarkRecord, heldBy: string | null): void {
    const { propertyId, resourceId, origin, stamp, at, isHeld, key, version } = mark;
    const place = [this.#customers.number(identifier), this.#names.number(propertyId), resourceId] as const;
    const own = this.#names.number(origin);
    const held = heldBy === null ? 0 : this.#names.number(heldBy);
    this.#sql.exec(
      `INSERT OR REPLACE INTO mark
       (customer, property, resource, origin, stamp, at, is_held, key, counts, version)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...place,
      own,
      stamp,
      at,
      isHeld ? 1 : 0,
      key,
      own === held ? 1 : 0,
      version,
    );
    this.#sql.exec(
      `UPDATE mark SET counts = (origin = ?4)
       WHERE customer = ?1 AND property = ?2 AND resource = ?3 AND counts <> (origin = ?4)`,
      ...place,
      held,
    );
  }

  findKeys(identifier: string, text: string): KeyRecord[] {
    const customer = this.#findCustomer(identifier);
    if (customer === null) return [];
    return this.#sql
      .exec<KeyRow>('SELECT customer, body, version FROM key WHERE customer = ? AND text = ?', customer, text)
      .toArray()
      .map(keyOf);
  }

  putKey(identifier: string, { version, ...key }: KeyRecord): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO key (customer, text, origin, at, body, version) VALUES (?, ?, ?, ?, ?, ?)',
      this.#customers.number(identifier),
      key.text,
      this.#names.number(key.origin),
      key.at,
      JSON.stringify(key satisfies OriginalKey),
      version,
    );
  }

  changesAfter(origin: string, version: number, limit: number): Changes {
    const own = this.#names.find(origin);
    if (own === null) return { customers: [], upTo: version, isAll: true };
    const select = (columns: string, table: string) =>
      `SELECT ${columns} FROM ${table} WHERE origin = ? AND version > ? ORDER BY version LIMIT ?`;
    const asked = [own, version, limit + 1] as const;
    const cells = this.#sql.exec<CellRow>(select('*', 'cell'), ...asked).toArray();
    const marks = this.#sql.exec<MarkRow>(select('*', 'mark'), ...asked).toArray();
    const keys = this.#sql.exec<KeyRow>(select('customer, body, version', 'key'), ...asked).toArray();
    return groupChanges(
      {
        cells: cells.map((row) => ({
          customer: this.#customers.text(row.customer),
          record: this.#cellOf(row),
        })),
        marks: marks.map((row) => ({
          customer: this.#customers.text(row.customer),
          record: this.#markOf(row),
        })),
        keys: keys.map((row) => ({ customer: this.#customers.text(row.customer), record: keyOf(row) })),
      },
      version,
      limit,
    );
  }

  lastVersion(origin: string): number {
    const own = this.#names.find(origin);
    if (own === null) return 0;
    const last = (table: string) => `SELECT max(version) AS version FROM ${table} WHERE origin = ?1`;
    const { version } = this.#sql
      .exec<{ version: number | null }>(
        `SELECT max(version) AS version FROM
         (${last('cell')} UNION ALL ${last('mark')} UNION ALL ${last('key')})`,
        own,
      )
      .one();
    return version ?? 0;
  }

  copyOf(identifier: string, after: CopyPosition | null, limit: number): CopyPage {
    const customer = this.#findCustomer(identifier);
    if (customer === null) {
      return { records: { customer: identifier, cells: [], marks: [], keys: [] }, next: null };
    }
    const cells = after === null ? this.#cellsOf(customer) : [];
    const keys = after?.kind === 'marks' ? [] : this.#keysAfter(customer, after?.text ?? null, limit);
    const lastKey = keys.length < limit ? undefined : keys.at(-1);
    if (lastKey !== undefined) {
      const next = { kind: 'keys', text: lastKey.text } as const;
      return { records: { customer: identifier, cells, marks: [], keys }, next };
    }
    const marks = this.#marksAfter(customer, after?.kind === 'marks' ? after : null, limit);
    const lastMark = marks.length < limit ? undefined : marks.at(-1);
    const next =
      lastMark === undefined
        ? null
        : ({ kind: 'marks', propertyId: lastMark.propertyId, resourceId: lastMark.resourceId } as const);
    return { records: { customer: identifier, cells, marks, keys }, next };
  }

  oldestKeyAfter(origin: string, version: number): number | null {
    const own = this.#names.find(origin);
    if (own === null) return null;
    const [row] = this.#sql
      .exec<{ at: number }>(
        'SELECT at FROM key WHERE origin = ? AND version > ? ORDER BY version LIMIT 1',
        own,
        version,
      )
      .toArray();
    return row?.at ?? null;
  }

  deleteKeys(before: number, limit: number): void {
    this.#sql.exec(
      `DELETE FROM key WHERE (customer, text, origin, at) IN
       (SELECT customer, text, origin, at FROM key WHERE at < ? ORDER BY at LIMIT ?)`,
      before,
      limit,
    );
  }

  releasedBefore(identifier: string, stamp: number, limit: number): ResourceName[] {
    const customer = this.#findCustomer(identifier);
    if (customer === null) return [];
    return this.#sql
      .exec<{ property: number; resourceId: string }>(
        `SELECT property, resource AS resourceId FROM mark
         WHERE customer = ? AND is_held = 0 AND stamp > 0 AND stamp < ? ORDER BY stamp LIMIT ?`,
        customer,
        stamp,
        limit,
      )
      .toArray()
      .map(({ property, resourceId }) => ({ propertyId: this.#names.text(property), resourceId }));
  }

  deleteMarks(identifier: string, marks: readonly MarkRecord[]): void {
    for (const { propertyId, resourceId, origin } of marks) {
      this.#sql.exec(
        'DELETE FROM mark WHERE customer = ? AND property = ? AND resource = ? AND origin = ?',
        this.#customers.number(identifier),
        this.#names.number(propertyId),
        resourceId,
        this.#names.number(origin),
      );
    }
  }

  erase(): void {
    if (!this.#hasTables()) return;
    for (const table of ['self', 'peer', 'name', 'customer', 'cell', 'mark', 'key', 'outbox']) {
      this.#sql.exec(`DELETE FROM ${table}`);
    }
  }

  #hasTables(): boolean {
    this.#isMade ||=
      this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'self'").toArray().length >
      0;
    return this.#isMade;
  }

  #make(): void {
    if (this.#isMade) return;
    migrate(this.#storage, migrations);
    this.#isMade = true;
  }

  #findCustomer(identifier: string): number | null {
    return this.#hasTables() ? this.#customers.find(identifier) : null;
  }

  #cellsOf(customer: number): CellRecord[] {
    return this.#sql
      .exec<CellRow>('SELECT * FROM cell WHERE customer = ? ORDER BY property, origin, start', customer)
      .toArray()
      .map((row) => this.#cellOf(row));
  }

  /** About `limit` of them, and always all of the last text. */
  #keysAfter(customer: number, text: string | null, limit: number): KeyRecord[] {
    const select = 'SELECT customer, body, version FROM key WHERE customer = ?1 AND';
    const rows = this.#sql
      .exec<KeyRow>(`${select} (?2 IS NULL OR text > ?2) ORDER BY text LIMIT ?3`, customer, text, limit)
      .toArray()
      .map(keyOf);
    const last = rows.at(-1)?.text;
    if (rows.length < limit || last === undefined) return rows;
    const ofLast = this.#sql.exec<KeyRow>(`${select} text = ?2`, customer, last).toArray().map(keyOf);
    return [...rows.filter((key) => key.text !== last), ...ofLast];
  }

  /** About `limit` of them, and always all of the last resource. */
  #marksAfter(customer: number, after: ResourceName | null, limit: number): MarkRecord[] {
    const property = after === null ? 0 : this.#names.number(after.propertyId);
    const rows = this.#sql
      .exec<MarkRow>(
        `SELECT * FROM mark WHERE customer = ? AND (property, resource) > (?, ?)
         ORDER BY property, resource LIMIT ?`,
        customer,
        property,
        after?.resourceId ?? '',
        limit,
      )
      .toArray();
    const last = rows.at(-1);
    if (rows.length < limit || last === undefined) return rows.map((row) => this.#markOf(row));
    const ofLast = this.#sql
      .exec<MarkRow>(
        'SELECT * FROM mark WHERE customer = ? AND property = ? AND resource = ?',
        customer,
        last.property,
        last.resource,
      )
      .toArray();
    const others = rows.filter((row) => row.property !== last.property || row.resource !== last.resource);
    return [...others, ...ofLast].map((row) => this.#markOf(row));
  }

  #cellOf({ property, origin, start, width, amount, version }: CellRow): CellRecord {
    return {
      propertyId: this.#names.text(property),
      origin: this.#names.text(origin),
      start,
      width,
      amount,
      version,
    };
  }

  #markOf({ property, resource, origin, stamp, at, is_held, key, version }: MarkRow): MarkRecord {
    return {
      propertyId: this.#names.text(property),
      resourceId: resource,
      origin: this.#names.text(origin),
      stamp,
      at,
      isHeld: is_held === 1,
      key,
      version,
    };
  }
}

function keyOf({ body, version }: KeyRow): KeyRecord {
  return { ...(JSON.parse(body) as OriginalKey), version };
}
