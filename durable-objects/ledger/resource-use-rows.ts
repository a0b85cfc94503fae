/** The `mark` table: resources in use. */
import type { ResourceUse } from '#contracts/internal/ledger';
import type { InUseCount } from '#engine/ledger/customer-meters';
import type { LedgerRows, ResourceUseRow } from './ledger-rows.ts';
import type { CustomerResource } from './ledger-store.ts';

export class ResourceUseRows {
  readonly #sql: SqlStorage;
  readonly #rows: LedgerRows;

  constructor(rows: LedgerRows) {
    this.#sql = rows.sql;
    this.#rows = rows;
  }

  countInUse(identifier: string, propertyId: string): InUseCount[] {
    const customer = this.#rows.findCustomer(identifier);
    const property = customer === null ? null : this.#rows.names.find(propertyId);
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

  find(identifier: string, propertyId: string, resourceId: string): ResourceUse[] {
    const customer = this.#rows.findCustomer(identifier);
    const property = customer === null ? null : this.#rows.names.find(propertyId);
    if (property === null) return [];
    return this.#sql
      .exec<ResourceUseRow>(
        'SELECT * FROM mark WHERE customer = ? AND property = ? AND resource = ?',
        customer,
        property,
        resourceId,
      )
      .toArray()
      .map((row) => this.#rows.resourceUseOf(row));
  }

  put(
    identifier: string,
    use: ResourceUse,
    usedBy: string | null,
    isKept: boolean,
    relay: number | null,
  ): void {
    const { propertyId, resourceId, origin, stamp, at, isHeld, key, version } = use;
    const place = [
      this.#rows.customers.number(identifier),
      this.#rows.names.number(propertyId),
      resourceId,
    ] as const;
    const own = this.#rows.names.number(origin);
    const winner = usedBy === null ? 0 : this.#rows.names.number(usedBy);
    this.#sql.exec(
      `INSERT OR REPLACE INTO mark
       (customer, property, resource, origin, stamp, at, is_held, key, counts, version, relay)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...place,
      own,
      stamp,
      at,
      isHeld ? 1 : 0,
      key,
      own === winner ? 1 : !isHeld && isKept ? 2 : 0,
      version,
      relay,
    );
    const counts = 'CASE WHEN origin = ?4 THEN 1 WHEN is_held = 0 AND ?5 THEN 2 ELSE 0 END';
    this.#sql.exec(
      `UPDATE mark SET counts = ${counts}
       WHERE customer = ?1 AND property = ?2 AND resource = ?3 AND counts <> ${counts}`,
      ...[...place, winner, isKept ? 1 : 0],
    );
  }

  releasedBefore(stamp: number, limit: number): CustomerResource[] {
    return this.#sql
      .exec<{ customer: number; property: number; resourceId: string }>(
        `SELECT customer, property, resource AS resourceId FROM mark
         WHERE is_held = 0 AND counts = 0 AND stamp > 0 AND stamp < ? ORDER BY stamp LIMIT 0 + ?`,
        stamp,
        limit,
      )
      .toArray()
      .map(({ customer, property, resourceId }) => ({
        customer: this.#rows.customers.text(customer),
        propertyId: this.#rows.names.text(property),
        resourceId,
      }));
  }

  delete(identifier: string, uses: readonly ResourceUse[]): void {
    for (const { propertyId, resourceId, origin } of uses) {
      this.#sql.exec(
        'DELETE FROM mark WHERE customer = ? AND property = ? AND resource = ? AND origin = ?',
        this.#rows.customers.number(identifier),
        this.#rows.names.number(propertyId),
        resourceId,
        this.#rows.names.number(origin),
      );
    }
  }
}
