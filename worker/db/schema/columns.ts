/** Column types shared by all tables. Instants are epoch milliseconds; JSON is stored as text. */
import { type AnySQLiteColumn, integer, text } from 'drizzle-orm/sqlite-core';

export const instant = (name: string) => integer(name);
export const flag = (name: string) => integer(name, { mode: 'boolean' });
export const json = <T>(name: string) => text(name, { mode: 'json' }).$type<T>();
/** Names a row of another table, and is deleted with it. */
export const partOf = (name: string, owner: () => AnySQLiteColumn) =>
  text(name).notNull().references(owner, { onDelete: 'cascade' });
/** Better Auth reads and writes Date objects. */
export const authInstant = (name: string) => integer(name, { mode: 'timestamp_ms' });
