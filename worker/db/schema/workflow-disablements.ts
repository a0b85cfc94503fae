/** Workflows that were switched off in an environment after repeated kills. The snapshot carries them to the replicas. */
import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from './columns.ts';
import { environment } from './environments.ts';
import { organization } from './organisations.ts';

export const workflowDisablement = sqliteTable(
  'workflow_disablement',
  {
    orgId: text('org_id')
      .notNull()
      .references(() => organization.id, { onDelete: 'cascade' }),
    environmentId: text('environment_id')
      .notNull()
      .references(() => environment.id, { onDelete: 'cascade' }),
    /** ID of a workflow in an artifact: the workflow itself may have been deleted since. */
    workflowId: text('workflow_id').notNull(),
    /** Why the last run was killed. */
    reason: text('reason').notNull(),
    disabledAt: instant('disabled_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.workflowId] })],
);
