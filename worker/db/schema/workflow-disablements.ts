/** Workflows that were switched off in an environment because too many of their runs were killed. The snapshot carries them to the replicas. */
import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, partOf } from './columns.ts';
import { environment } from './environments.ts';
import { organization } from './organisations.ts';

export const workflowDisablement = sqliteTable(
  'workflow_disablement',
  {
    orgId: partOf('org_id', () => organization.id),
    environmentId: partOf('environment_id', () => environment.id),
    /** ID of a workflow in an artifact: the workflow itself may have been deleted since. */
    workflowId: text('workflow_id').notNull(),
    /** Why the last run was killed. */
    reason: text('reason').notNull(),
    /** When. */
    disabledAt: instant('disabled_at').notNull(),
    /** When the workflow is tried again. */
    retryAt: instant('retry_at').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.workflowId] }),
    index('workflow_disablement_retry').on(table.retryAt),
  ],
);
