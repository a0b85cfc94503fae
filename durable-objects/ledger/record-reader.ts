/** Reads what leaves a ledger: one customer page by page, or everything changed since a version. */
import type {
  BucketPosition,
  CopyPosition,
  KeyRecord,
  Register,
  RegisterName,
  ResourceUse,
  UsageBucket,
} from '#contracts/internal/ledger';
import { groupChanges } from './group-changes.ts';
import { KEY_COLUMNS, type KeyRow, keyOf } from './key-body.ts';
import type { BucketRow, LedgerRows, ResourceUseRow } from './ledger-rows.ts';
import type { Changes, CopyPage, ResourceName, StoredAlias } from './ledger-store.ts';
import type { PageRoom } from './page-room.ts';
import type { PendingBuckets } from './pending-buckets.ts';
import { type RegisterRow, registerOf } from './register-rows.ts';

const NONE: readonly never[] = [];

type Placed<Row> = Row & { readonly place: number };

interface CopiedRecords {
  buckets: readonly UsageBucket[];
  keys: readonly KeyRecord[];
  holds: readonly ResourceUse[];
  registers?: readonly Register[];
}

export class RecordReader {
  readonly #sql: SqlStorage;
  readonly #rows: LedgerRows;
  readonly #pending: PendingBuckets;

  constructor(rows: LedgerRows, pending: PendingBuckets) {
    this.#sql = rows.sql;
    this.#rows = rows;
    this.#pending = pending;
  }

  changesAfter(version: number, limit: number): Changes {
    const rows = <Row extends Record<string, SqlStorageValue>>(
      columns: string,
      table: string,
      most: number,
    ) =>
      this.#sql
        .exec<Placed<Row>>(
          `SELECT ${columns}, relay AS place FROM ${table} WHERE relay > ? ORDER BY relay LIMIT 0 + ?`,
          version,
          most,
        )
        .toArray();
    const buckets = this.#withPending(rows<BucketRow>('*', 'cell', limit + 1 + this.#pending.size), version);
    const uses = rows<ResourceUseRow>('*', 'mark', limit + 1);
    const keys = rows<KeyRow>(KEY_COLUMNS, 'key', limit + 1);
    const registers = rows<RegisterRow>('*', 'register', limit + 1);
    const owned = <Row extends { readonly customer: number; readonly place: number }, Kind>(
      row: Row,
      record: Kind,
    ) => ({ customer: this.#rows.customers.text(row.customer), record, order: row.place });
    return groupChanges(
      {
        buckets: buckets.map((row) => owned(row, this.#rows.bucketOf(row))),
        uses: uses.map((row) => owned(row, this.#rows.resourceUseOf(row))),
        keys: keys.map((row) => owned(row, keyOf(row, this.#rows.names))),
        registers: registers.map((row) => owned(row, registerOf(row, this.#rows))),
      },
      version,
      limit,
    );
  }

  /** @param stored as many more than are needed as are pending, since those are left out */
  #withPending(stored: readonly Placed<BucketRow>[], version: number): readonly Placed<BucketRow>[] {
    const pending = this.#pending.changesAfter(version);
    const current = stored.filter((row) => !this.#pending.has(row));
    return [...current, ...pending.map((cell) => ({ ...cell, place: cell.version }))].sort(
      (one, other) => one.place - other.place,
    );
  }

  lastChange(): number {
    const last = (table: string) => `ifnull((SELECT max(relay) FROM ${table} WHERE relay IS NOT NULL), 0)`;
    const { version } = this.#sql
      .exec<{ version: number }>(
        `SELECT max(${['cell', 'mark', 'key', 'register'].map(last).join()}) AS version`,
      )
      .one();
    return this.#pending.changesAfter(0).reduce((most, cell) => Math.max(most, cell.version), version);
  }

  aliasRowOf(customer: number): StoredAlias | null {
    const [alias] = this.#sql
      .exec<{ target: string; changed: number; merged: number }>(
        'SELECT target, changed, carried AS merged FROM link WHERE customer = ?',
        customer,
      )
      .toArray();
    return alias === undefined ? null : { ...alias, identifier: this.#rows.customers.text(customer) };
  }

  copyOf(identifier: string, after: CopyPosition | null, room: PageRoom): CopyPage {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) {
      return { records: { customer: identifier, buckets: [], holds: [], keys: [] }, next: null };
    }
    const aliasOf = after === null ? this.aliasRowOf(customer)?.target : undefined;
    const owner = aliasOf === undefined ? { customer: identifier } : { customer: identifier, aliasOf };
    const position = after ?? { kind: 'buckets', bucket: null };
    const page: CopiedRecords = { buckets: NONE, keys: NONE, holds: NONE };
    const pageUpTo = (next: CopyPosition | null) => ({ records: { ...owner, ...page }, next });
    // The last record taken, of whichever kind: there is no position before the first record of a kind.
    let reached: CopyPosition = position;
    if (position.kind === 'buckets') {
      const { taken, isAll } = this.#bucketsAfter(customer, position.bucket, room);
      page.buckets = taken;
      const last = taken.at(-1);
      if (last !== undefined) {
        const { propertyId, origin, start } = last;
        reached = { kind: 'buckets', bucket: { propertyId, origin, start } };
      }
      if (!isAll) return pageUpTo(reached);
    }
    if (position.kind === 'buckets' || position.kind === 'keys') {
      const from = position.kind === 'keys' ? position.text : null;
      const { taken, isAll } = room.take(this.#keysAfter(customer, from), ({ text }) => text);
      page.keys = taken;
      const last = taken.at(-1);
      if (last !== undefined) reached = { kind: 'keys', text: last.text };
      if (!isAll) return pageUpTo(reached);
    }
    if (position.kind !== 'registers') {
      const from = position.kind === 'holds' ? position : null;
      const { taken, isAll } = room.take(this.#usesAfter(customer, from), resourceOf);
      page.holds = taken;
      const last = taken.at(-1);
      if (last !== undefined)
        reached = { kind: 'holds', propertyId: last.propertyId, resourceId: last.resourceId };
      if (!isAll) return pageUpTo(reached);
    }
    const from = position.kind === 'registers' ? position.register : null;
    const { taken, isAll } = room.take(this.#registersAfter(customer, from), nameOf);
    const last = taken.at(-1);
    if (last === undefined) return pageUpTo(isAll ? null : reached);
    page.registers = taken;
    return pageUpTo(isAll ? null : { kind: 'registers', register: { kind: last.kind, name: last.name } });
  }

  bucketsOf(customer: number): UsageBucket[] {
    const stored = this.#sql
      .exec<BucketRow>('SELECT * FROM cell WHERE customer = ? ORDER BY property, origin, start', customer)
      .toArray();
    return this.#pending.overlay(customer, stored).map((row) => this.#rows.bucketOf(row));
  }

  #bucketsAfter(customer: number, after: BucketPosition | null, room: PageRoom) {
    const { names } = this.#rows;
    const [property, origin] = [names.find(after?.propertyId ?? ''), names.find(after?.origin ?? '')];
    // Names that are not known here are of an earlier incarnation.
    const from =
      after === null || property === null || origin === null
        ? { property: 0, origin: 0, start: 0 }
        : { property, origin, start: after.start };
    const limit = room.records + 1;
    const stored = this.#sql
      .exec<BucketRow>(
        `SELECT * FROM cell WHERE customer = ? AND (property, origin, start) > (?, ?, ?)
         ORDER BY property, origin, start LIMIT 0 + ?`,
        ...[customer, from.property, from.origin, from.start, limit],
      )
      .toArray();
    const rows = this.#pending.overlay(customer, stored).filter((row) => orderOf(row, from) > 0);
    const { taken, isAll } = room.take(
      rows.slice(0, limit).map((row) => this.#rows.bucketOf(row)),
      ({ propertyId, origin: of, start }) => `${propertyId} ${of} ${start}`,
    );
    return { taken, isAll: isAll && rows.length < limit };
  }

  /** Ordered by text. Read as far as they are taken. */
  *#keysAfter(customer: number, text: string | null): Generator<KeyRecord> {
    const rows = this.#sql.exec<KeyRow>(
      `SELECT ${KEY_COLUMNS} FROM key WHERE customer = ?1 AND (?2 IS NULL OR text > ?2) ORDER BY text`,
      customer,
      text,
    );
    for (const row of rows) yield keyOf(row, this.#rows.names);
  }

  /** Ordered by property and resource. Read as far as they are taken. */
  *#usesAfter(customer: number, after: ResourceName | null): Generator<ResourceUse> {
    // Before the first use, an earlier version sends an empty property, and may have stored that name. One that is not known here is of
    // an earlier incarnation. No property has the number 0.
    const property =
      after === null || after.propertyId === '' ? null : this.#rows.names.find(after.propertyId);
    const rows = this.#sql.exec<ResourceUseRow>(
      `SELECT * FROM mark WHERE customer = ? AND (property, resource) > (?, ?) ORDER BY property, resource`,
      ...[customer, property ?? 0, after?.resourceId ?? ''],
    );
    for (const row of rows) yield this.#rows.resourceUseOf(row);
  }

  /** Ordered by kind and name. Read as far as they are taken. */
  *#registersAfter(customer: number, after: RegisterName | null): Generator<Register> {
    const rows = this.#sql.exec<RegisterRow>(
      'SELECT * FROM register WHERE customer = ? AND (kind, name) > (?, ?) ORDER BY kind, name',
      ...[customer, after?.kind ?? '', after?.name ?? ''],
    );
    for (const row of rows) yield registerOf(row, this.#rows);
  }
}

type BucketOrder = Pick<BucketRow, 'property' | 'origin' | 'start'>;

function orderOf(one: BucketOrder, other: BucketOrder): number {
  return one.property - other.property || one.origin - other.origin || one.start - other.start;
}

function nameOf({ kind, name }: RegisterName): string {
  return JSON.stringify([kind, name]);
}

function resourceOf({ propertyId, resourceId }: ResourceName): string {
  return JSON.stringify([propertyId, resourceId]);
}
