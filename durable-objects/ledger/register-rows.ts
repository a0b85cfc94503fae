/** The `register` table. */
import type { Register, RegisterName } from '#contracts/internal/ledger';
import { isAliasOrigin } from '#engine/ledger/alias-origin';
import type { LedgerRows } from './ledger-rows.ts';
import type { OpenRegister } from './ledger-store.ts';

export interface RegisterRow {
  readonly [column: string]: SqlStorageValue;
  readonly customer: number;
  readonly kind: string;
  readonly name: string;
  readonly origin: number;
  readonly stamp: number;
  readonly is_open: number;
  readonly until: number;
  readonly body: string;
  readonly version: number;
}

type OpenRow = Pick<RegisterRow, 'customer' | 'kind' | 'name' | 'origin' | 'until'>;

export class RegisterRows {
  readonly #sql: SqlStorage;
  readonly #rows: LedgerRows;

  constructor(rows: LedgerRows) {
    this.#sql = rows.sql;
    this.#rows = rows;
  }

  find(identifier: string, { kind, name }: RegisterName): Register[] {
    const customer = this.#rows.findCustomer(identifier);
    if (customer === null) return [];
    return this.#sql
      .exec<RegisterRow>(
        'SELECT * FROM register WHERE customer = ? AND kind = ? AND name = ?',
        ...[customer, kind, name],
      )
      .toArray()
      .map((row) => registerOf(row, this.#rows));
  }

  /** Those that a customer's readings depend on: open ones with what else was written under their names, and periods. */
  readOf(customer: number): Register[] {
    return this.#sql
      .exec<RegisterRow>(
        `SELECT * FROM register WHERE customer = ?1 AND (kind, name) IN
         (SELECT kind, name FROM register WHERE customer = ?1 AND is_open = 1)
         UNION ALL SELECT * FROM register WHERE customer = ?1 AND kind = 'period'`,
        customer,
      )
      .toArray()
      .map((row) => registerOf(row, this.#rows));
  }

  /** As LedgerStore.ownerOfHold. An alias's customer has the hold, too, under the origin of the alias. */
  ownerOfHold(name: string): string | null {
    const rows = this.#sql
      .exec<{ customer: number; origin: number }>(
        "SELECT customer, origin FROM register WHERE kind = 'hold' AND name = ?",
        name,
      )
      .toArray();
    const row = rows.find(({ origin }) => !isAliasOrigin(this.#rows.names.text(origin)));
    return row === undefined ? null : this.#rows.customers.text(row.customer);
  }

  /** As LedgerStore.openRegisters. */
  open(until: number): OpenRegister[] {
    return this.#sql
      .exec<OpenRow>(
        `SELECT customer, kind, name, origin, until FROM register AS one WHERE is_open = 1 AND until <= ?
         AND NOT EXISTS (SELECT 1 FROM register AS other WHERE other.customer = one.customer AND other.kind = one.kind
           AND other.name = one.name AND other.stamp > one.stamp)
         ORDER BY until`,
        until,
      )
      .toArray()
      .map(({ customer, kind, name, origin, until: ends }) => ({
        ...{ customer: this.#rows.customers.text(customer), kind, name },
        ...{ origin: this.#rows.names.text(origin), until: ends },
      }));
  }

  /** As LedgerStore.putRegister. */
  put(identifier: string, register: Register, relay: number | null): void {
    const { kind, name, origin, stamp, isOpen, until, body, version } = register;
    const customer = this.#rows.customers.number(identifier);
    if (!isOpen)
      this.#sql.exec(
        'UPDATE register SET is_open = 0 WHERE customer = ? AND kind = ? AND name = ? AND stamp < ? AND is_open = 1',
        ...[customer, kind, name, stamp],
      );
    // REPLACE would delete the row and insert another.
    this.#sql.exec(
      `INSERT INTO register (customer, kind, name, origin, stamp, is_open, until, body, version, relay)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET stamp = excluded.stamp, is_open = excluded.is_open, until = excluded.until,
         body = excluded.body, version = excluded.version, relay = excluded.relay`,
      customer,
      kind,
      name,
      this.#rows.names.number(origin),
      stamp,
      isOpen ? 1 : 0,
      until,
      body,
      version,
      relay,
    );
  }

  /** As LedgerStore.deleteRegisters. */
  delete(before: number, version: number, limit: number): number {
    return this.#sql
      .exec(
        `DELETE FROM register WHERE (customer, kind, name, origin) IN
         (SELECT customer, kind, name, origin FROM register
          WHERE is_open = 0 AND until < ?1 AND (relay IS NULL OR relay <= ?2)
            AND customer NOT IN (SELECT customer FROM link WHERE changed > carried)
          ORDER BY until LIMIT 0 + ?3) RETURNING 1`,
        ...[before, version, limit],
      )
      .toArray().length;
  }
}

export function registerOf(row: RegisterRow, { names }: LedgerRows): Register {
  const { kind, name, origin, stamp, is_open, until, body, version } = row;
  return { kind, name, origin: names.text(origin), stamp, isOpen: is_open === 1, until, body, version };
}
