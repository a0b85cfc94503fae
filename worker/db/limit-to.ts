import { type SQL, sql } from 'drizzle-orm';

/**
 * `LIMIT` with the number written out. SQLite prepares a statement again each time that a parameter of `LIMIT` is bound, which takes
 * longer than to run it: a customer's facts took twice as long.
 */
export function limitTo(rows: number): SQL {
  return sql.raw(`LIMIT ${rows}`);
}
