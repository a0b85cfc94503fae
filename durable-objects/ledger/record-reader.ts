/** Reads what leaves a ledger: all of one customer, page by page, and what has changed since a version. */
import type { CellRecord, CopyPosition, KeyRecord, MarkRecord } from '#contracts/ledger';
import { groupChanges } from './group-changes.ts';
import { type CellRow, type KeyRow, keyOf, type LedgerRows, type MarkRow } from './ledger-rows.ts';
import type { Changes, CopyPage, ResourceName } from './ledger-store.ts';

export class RecordReader {
  readonly #sql: SqlStorage;
  readonly #rows: LedgerRows;

  constructor(rows: LedgerRows) {
    this.#sql = rows.sql;
    this.#rows = rows;
  }

  changesAfter(origin: string, version: number, limit: number): Changes {
    const own = this.#rows.names.find(origin);
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
          customer: this.#rows.customers.text(row.customer),
          record: this.#rows.cellOf(row),
        })),
        marks: marks.map((row) => ({
          customer: this.#rows.customers.text(row.customer),
          record: this.#rows.markOf(row),
        })),
        keys: keys.map((row) => ({ customer: this.#rows.customers.text(row.customer), record: keyOf(row) })),
      },
      version,
      limit,
    );
  }

  lastVersion(origin: string): number {
    const own = this.#rows.names.find(origin);
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
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) {
      return { records: { customer: identifier, cells: [], marks: [], keys: [] }, next: null };
    }
    const cells = after === null ? this.cellsOf(customer) : [];
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
