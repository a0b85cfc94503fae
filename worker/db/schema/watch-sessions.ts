/** Who watches events live. The organisation's event stream has the sockets. */
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from './columns.ts';

/** No foreign keys: the row of a deleted user or session says which stream still has a socket to close. */
export const watchSession = sqliteTable(
  'watch_session',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    userId: text('user_id').notNull(),
    /** The sign-in session. The watch session ends with it. */
    sessionId: text('session_id').notNull(),
    /** Null: all. */
    environmentId: text('environment_id'),
    /** Null: all. */
    integrationId: text('integration_id'),
    createdAt: instant('created_at').notNull(),
    /** Seven days after its creation. */
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('watch_session_user').on(table.userId, table.orgId)],
);
