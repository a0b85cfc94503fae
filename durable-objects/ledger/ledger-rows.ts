/** Maps rows of the ledger's tables to records. Repeated texts (property ids, origins, customers) are interned. */
import type { ResourceUse, UsageBucket } from '#contracts/internal/ledger';
import { migrate } from '../storage.ts';
import { InternedTexts } from './interned-texts.ts';
import { migrations } from './schema.ts';

export interface BucketRow {
  readonly [column: string]: SqlStorageValue;
  readonly customer: number;
  readonly property: number;
  readonly origin: number;
  readonly start: number;
  readonly width: number;
  readonly amount: number;
  readonly version: number;
}

export interface ResourceUseRow {
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

export class LedgerRows {
  readonly sql: SqlStorage;
  /** Property ids, origins and values. */
  readonly names: InternedTexts;
  readonly customers: InternedTexts;
  readonly #storage: DurableObjectStorage;
  #isMade = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.sql = storage.sql;
    this.names = new InternedTexts(storage.sql, 'name', 'text');
    this.customers = new InternedTexts(storage.sql, 'customer', 'identifier', 'since');
  }

  /** Drops caches that may be ahead of the storage, after a failed transaction. */
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

  /** Creates the tables on the first write, so that reads leave no trace. */
  make(): void {
    if (this.#isMade) return;
    migrate(this.#storage, migrations);
    this.#isMade = true;
  }

  /** Migrates the tables of an earlier version. */
  update(): void {
    migrate(this.#storage, migrations);
  }

  findCustomer(identifier: string): number | null {
    return this.hasTables() ? this.customers.find(identifier) : null;
  }

  bucketOf({ property, origin, start, width, amount, version }: BucketRow): UsageBucket {
    return {
      propertyId: this.names.text(property),
      origin: this.names.text(origin),
      start,
      width,
      amount,
      version,
    };
  }

  resourceUseOf({
    property,
    resource,
    origin,
    stamp,
    at,
    is_held,
    key,
    version,
  }: ResourceUseRow): ResourceUse {
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
