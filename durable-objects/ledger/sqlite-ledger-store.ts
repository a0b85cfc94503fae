/** The ledger's storage in the object's SQLite. Tables are created on the first write; reads leave no trace. */
import type {
  CopyPosition,
  KeyRecord,
  LedgerSite,
  Register,
  RegisterName,
  ResourceUse,
  UsageBucket,
} from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { entityAccounts } from '#engine/ledger/account';
import { DECISIONS_KEPT_MS } from '#engine/ledger/conflicting-decisions';
import type { BucketChanges, InUseCount } from '#engine/ledger/customer-meters';
import { ERASED, isErasedBucket } from '#engine/ledger/erased-entities';
import { CopiedRows } from './copied-rows.ts';
import { readPeer } from './former-names.ts';
import { Journal } from './journal.ts';
import { KEY_COLUMNS, type KeyRow, keyBodyOf, keyOf } from './key-body.ts';
import { type BucketRow, LedgerRows } from './ledger-rows.ts';
import type {
  Changes,
  CopyPage,
  CustomerResource,
  ErasedEntity,
  LedgerStore,
  OpenRegister,
  StoredAlias,
  StoredCustomer,
  StoredPeer,
  StoredState,
} from './ledger-store.ts';
import type { PageRoom } from './page-room.ts';
import type { Place } from './pending-buckets.ts';
import { RecordReader } from './record-reader.ts';
import { RegisterRows } from './register-rows.ts';
import { ResourceUseRows } from './resource-use-rows.ts';
import { usageSince } from './usage-since.ts';

/** As the index `customer_entity` has it: the account's separator (engine/ledger/account.ts). */
const IS_ENTITY = 'instr(identifier, char(0)) > 0';
const TABLES = ['self', 'name', 'customer', 'cell', 'mark', 'key', 'link', 'copied', 'register', 'outbox'];

export class SqliteLedgerStore implements LedgerStore {
  /** The journal of what this ledger counts itself. */
  readonly journal: Journal;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #rows: LedgerRows;
  readonly #reader: RecordReader;
  readonly #uses: ResourceUseRows;
  readonly #registers: RegisterRows;
  readonly #copied: CopiedRows;
  /** Which of the tables `once` and `once_key` exist; undefined while nobody has looked. */
  #onceTables: ReadonlySet<string> | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#rows = new LedgerRows(storage);
    this.journal = new Journal(storage);
    this.#reader = new RecordReader(this.#rows, this.journal.pending);
    this.#uses = new ResourceUseRows(this.#rows);
    this.#registers = new RegisterRows(this.#rows);
    this.#copied = new CopiedRows(storage.sql);
  }

  transaction<Result>(work: () => Result, isPlain = false): Result {
    const whole = () => {
      const result = work();
      this.journal.write();
      return result;
    };
    return isPlain ? whole() : this.#storage.transactionSync(whole);
  }

  forget(): void {
    this.#onceTables = undefined;
    this.#rows.forget();
    this.journal.forget();
  }

  /** Throws if the platform has replaced this instance, so that stale memory is not served. */
  touch(): void {
    if (this.#rows.isMade) this.#sql.exec('SELECT 1 FROM self').toArray();
  }

  loadState(): StoredState | null {
    if (!this.#rows.hasTables()) return null;
    this.#rows.update();
    this.journal.load();
    const [row] = this.#sql
      .exec<{ origin: string | null; sequence: number; site: string; retired: string; peers: string }>(
        'SELECT origin, sequence, site, ended AS retired, peers FROM self',
      )
      .toArray();
    if (row === undefined) return null;
    const { origin, sequence, site, retired, peers } = row;
    return {
      origin,
      sequence,
      site: JSON.parse(site) as LedgerSite,
      retired: JSON.parse(retired) as string[],
      peers: (JSON.parse(peers) as StoredPeer[]).map(readPeer),
    };
  }

  saveState({ origin, sequence, site, retired, peers }: StoredState): void {
    this.#rows.make();
    this.#sql.exec(
      'INSERT OR REPLACE INTO self (id, origin, sequence, site, ended, peers) VALUES (1, ?, ?, ?, ?, ?)',
      ...[origin, sequence, JSON.stringify(site), JSON.stringify(retired), JSON.stringify(peers)],
    );
  }

  hasCustomer(identifier: string): boolean {
    return this.#rows.findCustomer(identifier) !== null;
  }

  countEntities(customer: string): number {
    if (!this.#rows.hasTables()) return 0;
    const { from, to } = entityAccounts(customer);
    return this.#sql
      .exec<{ count: number }>(
        'SELECT count(*) AS count FROM customer WHERE identifier > ? AND identifier < ?',
        from,
        to,
      )
      .one().count;
  }

  entityAccounts(customer: string, after: string | null, limit: number): readonly string[] {
    if (!this.#rows.hasTables()) return [];
    const { from, to } = entityAccounts(customer);
    return this.#sql
      .exec<{ identifier: string }>(
        'SELECT identifier FROM customer WHERE identifier > ? AND identifier < ? ORDER BY identifier LIMIT 0 + ?',
        ...[after ?? from, to, limit],
      )
      .toArray()
      .map(({ identifier }) => identifier);
  }

  /** See usage-since.ts. */
  usageSince(identifier: string): number | null {
    return usageSince(this.#rows, this.#reader, identifier);
  }

  loadCustomer(identifier: string): StoredCustomer {
    if (!this.#rows.hasTables()) return { buckets: [], registers: [], copiedFrom: [], alias: null };
    const customer = this.#rows.findCustomer(identifier);
    return {
      buckets: customer === null ? [] : this.#reader.bucketsOf(customer),
      registers: customer === null ? [] : this.#registers.readOf(customer),
      copiedFrom: this.#copied.of(identifier),
      alias: customer === null ? null : this.#reader.aliasRowOf(customer),
    };
  }

  saveCopiedFrom(identifier: string, locations: readonly Location[]): void {
    this.#copied.save(identifier, this.#rows.findCustomer(identifier), locations);
  }

  clearCopiedFrom(): void {
    this.#copied.clear();
  }

  customersAfter(number: number, limit: number): { number: number; identifier: string }[] {
    if (!this.#rows.hasTables()) return [];
    return this.#sql
      .exec<{ number: number; identifier: string }>(
        'SELECT id AS number, identifier FROM customer WHERE id > ? ORDER BY id LIMIT 0 + ?',
        number,
        limit,
      )
      .toArray();
  }

  saveAlias({ identifier, target, changed, merged }: StoredAlias): void {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) return;
    this.#sql.exec(
      'INSERT OR REPLACE INTO link (customer, target, changed, carried) VALUES (?, ?, ?, ?)',
      ...[customer, target, changed, merged],
    );
  }

  saveOnce(identifier: string, target: string, key?: string): void {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) return;
    // Few ledgers need them, and a release before this one opens a ledger that has them.
    if (key === undefined) {
      this.#sql.exec(
        'CREATE TABLE IF NOT EXISTS once (customer INTEGER, target TEXT, changed INTEGER, PRIMARY KEY (customer, target)) STRICT, WITHOUT ROWID',
      );
      this.#sql.exec(
        'INSERT INTO once VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET changed = changed + 1',
        ...[customer, target],
      );
    } else {
      this.#sql.exec(
        'CREATE TABLE IF NOT EXISTS once_key (customer INTEGER, target TEXT, text TEXT, PRIMARY KEY (customer, target, text)) STRICT, WITHOUT ROWID',
      );
      this.#sql.exec('INSERT OR IGNORE INTO once_key VALUES (?, ?, ?)', customer, target, key);
    }
    this.#onceTables = undefined;
  }

  deleteOnce({ identifier, target, changed, key }: StoredAlias): void {
    const customer = this.#rows.findCustomer(identifier);
    this.#sql.exec(
      key === undefined
        ? 'DELETE FROM once WHERE customer = ? AND target = ? AND changed = ?'
        : 'DELETE FROM once_key WHERE customer = ? AND target = ? AND text = ?',
      ...[customer, target, key ?? changed],
    );
  }

  unmergedAliases(limit: number): StoredAlias[] {
    if (!this.#rows.hasTables()) return [];
    const tables = this.#onceTablesThere();
    const once = tables.has('once') ? 'UNION ALL SELECT customer, target, changed, 0, 1, NULL FROM once' : '';
    const keys = tables.has('once_key')
      ? 'UNION ALL SELECT customer, target, 1, 0, 1, text FROM once_key'
      : '';
    return this.#sql
      .exec<{
        customer: number;
        target: string;
        changed: number;
        merged: number;
        isOnce: number;
        key: string | null;
      }>(
        `SELECT customer, target, changed, carried AS merged, 0 AS isOnce, NULL AS key
         FROM link WHERE changed > carried ${once} ${keys} LIMIT 0 + ?`,
        limit,
      )
      .toArray()
      .map(({ customer, isOnce, key, ...alias }) => ({
        ...{ ...alias, identifier: this.#rows.customers.text(customer) },
        ...(isOnce === 1 ? { isOnce: true } : {}),
        ...(key === null ? {} : { key }),
      }));
  }

  #onceTablesThere(): ReadonlySet<string> {
    this.#onceTables ??= new Set(
      this.#sql
        .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name IN ('once', 'once_key')")
        .toArray()
        .map(({ name }) => name),
    );
    return this.#onceTables;
  }

  putBucket(identifier: string, bucket: UsageBucket, relay: number | null): void {
    const cell = this.#cellOf(identifier, bucket);
    this.journal.settle(cell);
    const { customer, property, origin, start, width, amount, version } = cell;
    // REPLACE would delete the row and insert another.
    this.#sql.exec(
      `INSERT INTO cell (customer, property, origin, start, width, amount, version, relay) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET width = excluded.width, amount = excluded.amount, version = excluded.version, relay = excluded.relay`,
      ...[customer, property, origin, start, width, amount, version, relay],
    );
  }

  deleteBucket(identifier: string, bucket: Pick<UsageBucket, 'propertyId' | 'origin' | 'start'>): void {
    this.journal.erase(this.#placeOf(identifier, bucket));
  }

  putOwn(identifier: string, { buckets, removed }: BucketChanges): void {
    for (const bucket of removed) this.journal.remove(this.#placeOf(identifier, bucket));
    for (const bucket of buckets) this.journal.put(this.#cellOf(identifier, bucket));
  }

  #cellOf(identifier: string, bucket: UsageBucket): BucketRow {
    const { width, amount, version } = bucket;
    return { ...this.#placeOf(identifier, bucket), width, amount, version };
  }

  #placeOf(
    identifier: string,
    { propertyId, origin, start }: Pick<UsageBucket, 'propertyId' | 'origin' | 'start'>,
  ): Place {
    return {
      customer: this.#rows.customers.number(identifier),
      property: this.#rows.names.number(propertyId),
      origin: this.#rows.names.number(origin),
      start,
    };
  }

  countInUse(identifier: string, propertyId: string): InUseCount[] {
    return this.#uses.countInUse(identifier, propertyId);
  }

  findUses(identifier: string, propertyId: string, resourceId: string): ResourceUse[] {
    return this.#uses.find(identifier, propertyId, resourceId);
  }

  putUse(
    identifier: string,
    use: ResourceUse,
    usedBy: string | null,
    isKept: boolean,
    relay: number | null,
  ): void {
    this.#uses.put(identifier, use, usedBy, isKept, relay);
  }

  findKeys(identifier: string, text: string): KeyRecord[] {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) return [];
    return this.#sql
      .exec<KeyRow>(`SELECT ${KEY_COLUMNS} FROM key WHERE customer = ? AND text = ?`, customer, text)
      .toArray()
      .map((row) => keyOf(row, this.#rows.names));
  }

  ownerOfHold(name: string): string | null {
    return this.#rows.hasTables() ? this.#registers.ownerOfHold(name) : null;
  }

  findRegisters(identifier: string, name: RegisterName): Register[] {
    return this.#registers.find(identifier, name);
  }

  putRegister(identifier: string, register: Register, relay: number | null): void {
    this.#registers.put(identifier, register, relay);
  }

  openRegisters(until: number): OpenRegister[] {
    return this.#rows.hasTables() ? this.#registers.open(until) : [];
  }

  contestedKeys(origin: string): { customer: string; text: string }[] {
    const number = this.#rows.names.find(origin);
    if (number === null) return [];
    return this.#sql
      .exec<{ customer: number; text: string }>(
        `SELECT DISTINCT customer, text FROM key WHERE origin = ?1 AND EXISTS
         (SELECT 1 FROM key AS other
          WHERE other.customer = key.customer AND other.text = key.text AND other.origin <> ?1)`,
        number,
      )
      .toArray()
      .map(({ customer, text }) => ({ customer: this.#rows.customers.text(customer), text }));
  }

  firstKeyChange(): number | null {
    return this.#sql
      .exec<{ version: number | null }>('SELECT min(relay) AS version FROM key WHERE relay IS NOT NULL')
      .one().version;
  }

  putKey(identifier: string, key: KeyRecord, relay: number | null): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO key (customer, text, origin, at, body, version, relay) VALUES (?, ?, ?, ?, ?, ?, ?)',
      this.#rows.customers.number(identifier),
      key.text,
      this.#rows.names.number(key.origin),
      key.at,
      keyBodyOf(key, this.#rows.names),
      key.version,
      relay,
    );
  }

  changesAfter(version: number, limit: number): Changes {
    return this.#reader.changesAfter(version, limit);
  }

  lastChange(): number {
    return this.#reader.lastChange();
  }

  copyOf(identifier: string, after: CopyPosition | null, room: PageRoom): CopyPage {
    return this.#reader.copyOf(identifier, after, room);
  }

  oldestSettling(): number | null {
    const oldest = this.#sql
      .exec<{ at: number | null }>(
        `SELECT min(at) AS at FROM (
           SELECT min(at) AS at FROM key
           UNION ALL SELECT min(stamp) FROM mark WHERE is_held = 0 AND counts = 0 AND stamp > 0
           UNION ALL SELECT min(until) - ? FROM register WHERE is_open = 0)`,
        DECISIONS_KEPT_MS,
      )
      .one();
    return oldest.at;
  }

  deleteKeys(before: number, version: number, limit: number): number {
    const deleted = this.#sql.exec(
      `DELETE FROM key WHERE (customer, text, origin, at) IN
       (SELECT customer, text, origin, at FROM key
        WHERE at < ?1 AND (relay IS NULL OR relay <= ?2)
          AND customer NOT IN (SELECT customer FROM link WHERE changed > carried)
        ORDER BY at LIMIT 0 + ?3) RETURNING 1`,
      ...[before, version, limit],
    );
    return deleted.toArray().length;
  }

  releasedBefore(stamp: number, limit: number): CustomerResource[] {
    return this.#uses.releasedBefore(stamp, limit);
  }

  deleteUses(identifier: string, uses: readonly ResourceUse[]): void {
    this.#uses.delete(identifier, uses);
  }

  deleteRegisters(before: number, version: number, limit: number): number {
    return this.#registers.delete(before, version, limit);
  }

  eraseRecords(identifier: string, before: number, isWhole: boolean): void {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) return;
    this.journal.fold();
    const cells = this.#sql.exec<BucketRow>('SELECT * FROM cell WHERE customer = ?', customer).toArray();
    for (const cell of cells) if (isErasedBucket(cell, before)) this.journal.erase(cell);
    this.#sql.exec('DELETE FROM mark WHERE customer = ? AND stamp < ?', customer, before);
    this.#sql.exec('DELETE FROM register WHERE customer = ? AND stamp < ?', customer, before);
    const { isEmpty } = this.#sql
      .exec<{ isEmpty: number }>(
        `SELECT NOT EXISTS (SELECT 1 FROM cell WHERE customer = ?1) AND NOT EXISTS (SELECT 1 FROM mark WHERE customer = ?1)
           AND NOT EXISTS (SELECT 1 FROM register WHERE customer = ?1) AS isEmpty`,
        customer,
      )
      .one();
    if (isEmpty === 0 || !isWhole) return;
    this.#sql.exec('DELETE FROM key WHERE customer = ?', customer);
    this.#sql.exec('DELETE FROM link WHERE customer = ?', customer);
    for (const table of this.#onceTablesThere())
      this.#sql.exec(`DELETE FROM ${table} WHERE customer = ?`, customer);
    this.#rows.customers.delete(identifier);
  }

  erasedEntities(before: number, limit: number): ErasedEntity[] {
    return this.#sql
      .exec<{ customer: number; entity: string; before: number }>(
        `SELECT customer, name AS entity, stamp AS before FROM register
         WHERE kind = '${ERASED}' AND is_open = 0 AND until < ? ORDER BY until LIMIT 0 + ?`,
        ...[before, limit],
      )
      .toArray()
      .map((each) => ({ ...each, customer: this.#rows.customers.text(each.customer) }));
  }

  oldestEntity(): number | null {
    if (!this.#rows.hasTables()) return null;
    const [first] = this.#sql
      .exec<{ since: number }>(
        `SELECT coalesce(since, 0) AS since FROM customer WHERE ${IS_ENTITY} ORDER BY id LIMIT 1`,
      )
      .toArray();
    return first?.since ?? null;
  }

  entitiesAfter(number: number, madeBefore: number, limit: number): { number: number; identifier: string }[] {
    return this.#sql
      .exec<{ number: number; identifier: string }>(
        `SELECT id AS number, identifier FROM customer WHERE ${IS_ENTITY} AND id > ? AND coalesce(since, 0) < ? ORDER BY id LIMIT 0 + ?`,
        ...[number, madeBefore, limit],
      )
      .toArray();
  }

  hasUses(identifier: string): boolean {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) return false;
    return (
      this.#sql.exec('SELECT 1 FROM mark WHERE customer = ? AND is_held = 1 LIMIT 1', customer).toArray()
        .length > 0
    );
  }

  erase(): void {
    if (!this.#rows.hasTables()) return;
    for (const table of TABLES) this.#sql.exec(`DELETE FROM ${table}`);
    this.#sql.exec('DROP TABLE IF EXISTS once');
    this.#sql.exec('DROP TABLE IF EXISTS once_key');
    this.#onceTables = new Set();
    this.journal.forget();
  }
}
