/** Column types shared by all tables. Instants are epoch milliseconds; JSON is stored as text. */
import { integer, text } from 'drizzle-orm/sqlite-core';

export const instant = (name: string) => integer(name);
export const flag = (name: string) => integer(name, { mode: 'boolean' });
export const json = <T>(name: string) => text(name, { mode: 'json' }).$type<T>();
/** Better Auth reads and writes Date objects. */
export const authInstant = (name: string) => integer(name, { mode: 'timestamp_ms' });
