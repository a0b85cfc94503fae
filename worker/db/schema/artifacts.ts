/** Artifacts: immutable snapshots of the workspace. The content is in R2, addressed by its hash. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { instant, partOf } from './columns.ts';
import { organization } from './organisations.ts';

export const artifact = sqliteTable(
  'artifact',
  {
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    /** Null until frozen as a version. */
    number: integer('number'),
    /** SHA-256 of the content, which is in R2 under it. */
    hash: text('hash').notNull(),
    createdAt: instant('created_at').notNull(),
    createdByUserId: text('created_by_user_id'),
    /** Why the version was created, in its author's words. Null without one, and until frozen. */
    note: text('note'),
  },
  (table) => [
    uniqueIndex('artifact_org_number').on(table.orgId, table.number),
    uniqueIndex('artifact_org_hash').on(table.orgId, table.hash),
    index('artifact_org').on(table.orgId),
  ],
);
