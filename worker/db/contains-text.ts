/** Text search in a column. */
import { type AnyColumn, type SQL, sql } from 'drizzle-orm';

/**
 * Condition: the column contains the text, ignoring the case of ASCII letters (SQLite's `lower` knows no others), so the text as typed is
 * compared, too. Not LIKE: D1 limits patterns to 50 bytes.
 */
export function containsText(column: AnyColumn, text: string): SQL {
  return sql`(instr(lower(${column}), lower(${text})) > 0 OR instr(${column}, ${text}) > 0)`;
}
