/** Reads what leaves a ledger: one customer page by page, or everything changed since a version. */
import type { CopyPosition, KeyRecord, ResourceHold, UsageBucket } from '#contracts/internal/ledger';
import { groupChanges } from './group-changes.ts';
import { type BucketRow, type HoldRow, type KeyRow, keyOf, type LedgerRows } from './ledger-rows.ts';
import type { Changes, CopyPage, ResourceName, StoredAlias } from './ledger-store.ts';
import type { PendingBuckets } from './pending-buckets.ts';

type Placed<Row> = Row & { readonly place: number };

export class RecordReader {
  readonly #sql: SqlStorage;
  readonly #rows: LedgerRows;
  readonly #pending: PendingBuckets;

  constructor(rows: LedgerRows, pending: PendingBuckets) {
    this.#sql = rows.sql;
    this.#rows = rows;
    this.#pending = pending;
  }

  changesAfter(origin: string, version: number, limit: number): Changes {
    const own = this.#ownNumber(origin);
    const after = (columns: string, table: string) =>
      `SELECT * FROM (SELECT ${columns}, version AS place FROM ${table}
         WHERE origin = ?1 AND version > ?2 ORDER BY version LIMIT ?3)
       UNION ALL
       SELECT * FROM (SELECT ${columns}, relay AS place FROM ${table}
         WHERE relay > ?2 ORDER BY relay LIMIT ?3)`;
    const range = [own, version, limit + 1] as const;
    const buckets = this.#withPending(
      this.#sql
        .exec<Placed<BucketRow>>(after('*', 'cell'), own, version, limit + 1 + this.#pending.size)
        .toArray(),
      own,
      version,
    );
    const holds = this.#sql.exec<Placed<HoldRow>>(after('*', 'mark'), ...range).toArray();
    const keys = this.#sql.exec<Placed<KeyRow>>(after('customer, body, version', 'key'), ...range).toArray();
    const owned = <Row extends { readonly customer: number; readonly place: number }, Kind>(
      row: Row,
      record: Kind,
    ) => ({ customer: this.#rows.customers.text(row.customer), record, order: row.place });
    return groupChanges(
      {
        buckets: buckets.map((row) => owned(row, this.#rows.bucketOf(row))),
        holds: holds.map((row) => owned(row, this.#rows.holdOf(row))),
        keys: keys.map((row) => owned(row, keyOf(row))),
      },
      version,
      limit,
    );
  }

  /** @param stored as many more than are needed as are pending, since those are left out */
  #withPending(
    stored: readonly Placed<BucketRow>[],
    origin: number,
    version: number,
  ): readonly Placed<BucketRow>[] {
    const pending = this.#pending.changesAfter(origin, version);
    const current = stored.filter((row) => !this.#pending.has(row));
    return [...current, ...pending.map((cell) => ({ ...cell, place: cell.version }))].sort(
      (one, other) => one.place - other.place,
    );
  }

  lastVersion(origin: string): number {
    const own = this.#ownNumber(origin);
    const pending = this.#pending.changesAfter(own, 0).map((cell) => cell.version);
    const last = (table: string) =>
      `ifnull((SELECT max(version) FROM ${table} WHERE origin = ?1), 0),
       ifnull((SELECT max(relay) FROM ${table} WHERE relay IS NOT NULL), 0)`;
    const { version } = this.#sql
      .exec<{ version: number }>(
        `SELECT max(${last('cell')}, ${last('mark')}, ${last('key')}) AS version`,
        own,
      )
      .one();
    return pending.reduce((one, other) => Math.max(one, other), version);
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

  /** -1 matches no row: the origin has counted nothing. */
  #ownNumber(origin: string): number {
    return this.#rows.names.find(origin) ?? -1;
  }

  copyOf(identifier: string, after: CopyPosition | null, limit: number): CopyPage {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) {
      return { records: { customer: identifier, buckets: [], holds: [], keys: [] }, next: null };
    }
    const buckets = after === null ? this.bucketsOf(customer) : [];
    const keys =
      after !== null && after.kind !== 'keys' ? [] : this.#keysAfter(customer, after?.text ?? null, limit);
    const aliasOf = after === null ? this.aliasRowOf(customer)?.target : undefined;
    const owner = aliasOf === undefined ? { customer: identifier } : { customer: identifier, aliasOf };
    const lastKey = keys.length < limit ? undefined : keys.at(-1);
    if (lastKey !== undefined) {
      const next = { kind: 'keys', text: lastKey.text } as const;
      return { records: { ...owner, buckets, holds: [], keys }, next };
    }
    const holds = this.#holdsAfter(customer, after?.kind === 'keys' ? null : after, limit);
    const lastHold = holds.length < limit ? undefined : holds.at(-1);
    const next =
      lastHold === undefined
        ? null
        : ({ kind: 'holds', propertyId: lastHold.propertyId, resourceId: lastHold.resourceId } as const);
    return { records: { ...owner, buckets, holds, keys }, next };
  }

  bucketsOf(customer: number): UsageBucket[] {
    const stored = this.#sql
      .exec<BucketRow>('SELECT * FROM cell WHERE customer = ? ORDER BY property, origin, start', customer)
      .toArray();
    return this.#pending.overlay(customer, stored).map((row) => this.#rows.bucketOf(row));
  }

  /** About `limit` keys, never splitting those of one text. */
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

  /** About `limit` holds, never splitting those of one resource. */
  #holdsAfter(customer: number, after: ResourceName | null, limit: number): ResourceHold[] {
    const property = after === null ? 0 : this.#rows.names.number(after.propertyId);
    const rows = this.#sql
      .exec<HoldRow>(
        `SELECT * FROM mark WHERE customer = ? AND (property, resource) > (?, ?)
         ORDER BY property, resource LIMIT ?`,
        customer,
        property,
        after?.resourceId ?? '',
        limit,
      )
      .toArray();
    const last = rows.at(-1);
    if (rows.length < limit || last === undefined) return rows.map((row) => this.#rows.holdOf(row));
    const ofLast = this.#sql
      .exec<HoldRow>(
        'SELECT * FROM mark WHERE customer = ? AND property = ? AND resource = ?',
        customer,
        last.property,
        last.resource,
      )
      .toArray();
    const others = rows.filter((row) => row.property !== last.property || row.resource !== last.resource);
    return [...others, ...ofLast].map((row) => this.#rows.holdOf(row));
  }
}
