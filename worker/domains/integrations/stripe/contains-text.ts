/** Condition: a column contains a text, in whichever case. Not LIKE: D1 takes patterns of 50 octets at most. */
import { type AnyColumn, type SQL, sql } from 'drizzle-orm';

export function containsText(column: AnyColumn, text: string): SQL {
  return sql`(instr(lower(${column}), lower(${text})) > 0 OR instr(${column}, ${text}) > 0)`;
}
