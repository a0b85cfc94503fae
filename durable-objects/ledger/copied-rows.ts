/**
 * From which locations customers were copied. Of a customer with records it is in the row of `customer`. One without any, who would
 * otherwise be asked for in every location after each eviction, is in the table `copied`: the last ones, so that identifiers that nobody
 * has do not fill the storage. Whoever is forgotten is copied again, which is only a call. Peers that push everything need neither.
 */
import type { Location } from '#contracts/public/locations';

/** A few megabytes. */
const MAX_WITHOUT_RECORDS = 50_000;

export class CopiedRows {
  readonly #sql: SqlStorage;
  readonly #limit: number;

  constructor(sql: SqlStorage, limit = MAX_WITHOUT_RECORDS) {
    this.#sql = sql;
    this.#limit = limit;
  }

  of(identifier: string): readonly Location[] {
    const { locations } = this.#sql
      .exec<{ locations: string }>(
        `SELECT coalesce(
           (SELECT copied_from FROM customer WHERE identifier = ?1 AND copied_from <> '[]'),
           (SELECT locations FROM copied WHERE customer = ?1), '[]') AS locations`,
        identifier,
      )
      .one();
    return JSON.parse(locations) as Location[];
  }

  /** @param customer the number of a customer with records */
  save(identifier: string, customer: number | null, locations: readonly Location[]): void {
    const text = JSON.stringify(locations);
    if (customer !== null) {
      this.#sql.exec('UPDATE customer SET copied_from = ? WHERE id = ?', text, customer);
      return;
    }
    const { id } = this.#sql
      .exec<{ id: number }>(
        `INSERT INTO copied (customer, locations) VALUES (?, ?)
         ON CONFLICT (customer) DO UPDATE SET locations = excluded.locations RETURNING id`,
        ...[identifier, text],
      )
      .one();
    this.#sql.exec('DELETE FROM copied WHERE id <= ?', id - this.#limit);
  }

  clear(): void {
    this.#sql.exec("UPDATE customer SET copied_from = '[]' WHERE copied_from <> '[]'");
    this.#sql.exec('DELETE FROM copied');
  }
}
