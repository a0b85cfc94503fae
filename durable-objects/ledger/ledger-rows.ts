/**
 * The rows of a ledger's tables and the records that they hold. Long texts that repeat stand once and are numbered, so
 * making the one of the other needs the numbers.
 */
import type { CellRecord, KeyRecord, MarkRecord } from '#contracts/ledger';
import { migrate } from '../storage.ts';
import { NumberedNames } from './numbered-names.ts';
import { migrations } from './schema.ts';

export interface CellRow {
  readonly [column: string]: SqlStorageValue;
  readonly customer: number;
  readonly property: number;
  readonly origin: number;
  readonly start: number;
  readonly width: number;
  readonly amount: number;
  readonly version: number;
}

export interface MarkRow {
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

export interface KeyRow {
  readonly [column: string]: SqlStorageValue;
  readonly customer: number;
  readonly body: string;
  readonly version: number;
}

type OriginalKey = Omit<KeyRecord, 'version'>;

export class LedgerRows {
  readonly sql: SqlStorage;
  /** Of properties and origins. */
  readonly names: NumberedNames;
  readonly customers: NumberedNames;
  readonly #storage: DurableObjectStorage;
  #isMade = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.sql = storage.sql;
    this.names = new NumberedNames(storage.sql, 'name', 'text');
    this.customers = new NumberedNames(storage.sql, 'customer', 'identifier');
  }

  /** What is remembered may not be stored: a transaction has failed. */
  forget(): void {
    this.names.forget();
    this.customers.forget();
    this.#isMade = false;
  }

  get isMade(): boolean {
    return this.#isMade;
  }

  hasTables(): boolean {
    this.#isMade ||=
      this.sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'self'").toArray().length >
      0;
    return this.#isMade;
  }

  /** With the first thing that is stored, and not before. */
  make(): void {
    if (this.#isMade) return;
    migrate(this.#storage, migrations);
    this.#isMade = true;
  }

  /** Tables of an older version are brought up to date. */
  update(): void {
    migrate(this.#storage, migrations);
  }

  findCustomer(identifier: string): number | null {
    return this.hasTables() ? this.customers.find(identifier) : null;
  }

  cellOf({ property, origin, start, width, amount, version }: CellRow): CellRecord {
    return {
      propertyId: this.names.text(property),
      origin: this.names.text(origin),
      start,
      width,
      amount,
      version,
    };
  }

  markOf({ property, resource, origin, stamp, at, is_held, key, version }: MarkRow): MarkRecord {
    return {
      propertyId: this.names.text(property),
      resourceId: resource,
      origin: this.names.text(origin),
      stamp,
      at,
      isHeld: is_held === 1,
      key,
      version,
    };
  }
}

/** The body of a key's row. */
export function bodyOf({ version: _, ...key }: KeyRecord): string {
  return JSON.stringify(key satisfies OriginalKey);
}

export function keyOf({ body, version }: KeyRow): KeyRecord {
  return { ...(JSON.parse(body) as OriginalKey), version };
}
