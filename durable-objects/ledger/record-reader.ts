/** Reads what leaves a ledger: all of one customer, page by page, and what has changed since a version. */
import type { CellRecord, CopyPosition, KeyRecord, MarkRecord } from '#contracts/ledger';
import { groupChanges } from './group-changes.ts';
import { type CellRow, type KeyRow, keyOf, type LedgerRows, type MarkRow } from './ledger-rows.ts';
import type { Changes, CopyPage, ResourceName, StoredLink } from './ledger-store.ts';

type Placed<Row> = Row & { readonly place: number };

export class RecordReader {
  readonly #sql: SqlStorage;
  readonly #rows: LedgerRows;

  constructor(rows: LedgerRows) {
    this.#sql = rows.sql;
    this.#rows = rows;
  }

  changesAfter(origin: string, version: number, limit: number): Changes {
    const own = this.#ownNumber(origin);
    const after = (columns: string, table: string) =>
      `SELECT * FROM (SELECT ${columns}, version AS place FROM ${table}
         WHERE origin = ?1 AND version > ?2 ORDER BY version LIMIT ?3)
       UNION ALL
       SELECT * FROM (SELECT ${columns}, relay AS place FROM ${table}
         WHERE relay > ?2 ORDER BY relay LIMIT ?3)`;
    const asked = [own, version, limit + 1] as const;
    const cells = this.#sql.exec<Placed<CellRow>>(after('*', 'cell'), ...asked).toArray();
    const marks = this.#sql.exec<Placed<MarkRow>>(after('*', 'mark'), ...asked).toArray();
    const keys = this.#sql.exec<Placed<KeyRow>>(after('customer, body, version', 'key'), ...asked).toArray();
    const owned = <Row extends { readonly customer: number; readonly place: number }, Kind>(
      row: Row,
      record: Kind,
    ) => ({ customer: this.#rows.customers.text(row.customer), record, order: row.place });
    return groupChanges(
      {
        cells: cells.map((row) => owned(row, this.#rows.cellOf(row))),
        marks: marks.map((row) => owned(row, this.#rows.markOf(row))),
        keys: keys.map((row) => owned(row, keyOf(row))),
      },
      version,
      limit,
    );
  }

  lastVersion(origin: string): number {
    const own = this.#ownNumber(origin);
    const last = (table: string) =>
      `ifnull((SELECT max(version) FROM ${table} WHERE origin = ?1), 0),
       ifnull((SELECT max(relay) FROM ${table} WHERE relay IS NOT NULL), 0)`;
    return this.#sql
      .exec<{ version: number }>(
        `SELECT max(${last('cell')}, ${last('mark')}, ${last('key')}) AS version`,
        own,
      )
      .one().version;
  }

  linkOf(customer: number): StoredLink | null {
    const [link] = this.#sql
      .exec<{ target: string; changed: number; carried: number }>(
        'SELECT target, changed, carried FROM link WHERE customer = ?',
        customer,
      )
      .toArray();
    return link === undefined ? null : { ...link, identifier: this.#rows.customers.text(customer) };
  }

  /** No row has the number -1: nothing was counted by that origin. */
  #ownNumber(origin: string): number {
    return this.#rows.names.find(origin) ?? -1;
  }

  copyOf(identifier: string, after: CopyPosition | null, limit: number): CopyPage {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) {
      return { records: { customer: identifier, cells: [], marks: [], keys: [] }, next: null };
    }
    const cells = after === null ? this.cellsOf(customer) : [];
    const keys = after?.kind === 'marks' ? [] : this.#keysAfter(customer, after?.text ?? null, limit);
    const linkedTo = after === null ? this.linkOf(customer)?.target : undefined;
    const whose = linkedTo === undefined ? { customer: identifier } : { customer: identifier, linkedTo };
    const lastKey = keys.length < limit ? undefined : keys.at(-1);
    if (lastKey !== undefined) {
      const next = { kind: 'keys', text: lastKey.text } as const;
      return { records: { ...whose, cells, marks: [], keys }, next };
    }
    const marks = this.#marksAfter(customer, after?.kind === 'marks' ? after : null, limit);
    const lastMark = marks.length < limit ? undefined : marks.at(-1);
    const next =
      lastMark === undefined
        ? null
        : ({ kind: 'marks', propertyId: lastMark.propertyId, resourceId: lastMark.resourceId } as const);
    return { records: { ...whose, cells, marks, keys }, next };
  }

  cellsOf(customer: number): CellRecord[] {
    return this.#sql
      .exec<CellRow>('SELECT * FROM cell WHERE customer = ? ORDER BY property, origin, start', customer)
      .toArray()
      .map((row) => this.#rows.cellOf(row));
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
    const property = after === null ? 0 : this.#rows.names.number(after.propertyId);
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
    if (rows.length < limit || last === undefined) return rows.map((row) => this.#rows.markOf(row));
    const ofLast = this.#sql
      .exec<MarkRow>(
        'SELECT * FROM mark WHERE customer = ? AND property = ? AND resource = ?',
        customer,
        last.property,
        last.resource,
      )
      .toArray();
    const others = rows.filter((row) => row.property !== last.property || row.resource !== last.resource);
    return [...others, ...ofLast].map((row) => this.#rows.markOf(row));
  }
}
