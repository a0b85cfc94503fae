/** Workflows: customers' own code. */
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { WorkflowType } from '#contracts/console/workflows';
import { flag, instant, partOf } from './columns.ts';
import { organization } from './organisations.ts';

export const workflow = sqliteTable(
  'workflow',
  {
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    name: text('name').notNull(),
    description: text('description'),
    /** Dynamic provisioning or feature behaviour. */
    type: text('type').$type<WorkflowType>().notNull(),
    /** Without a foreign key: the workflow of a deleted feature stays, and is not executed. */
    featureId: text('feature_id'),
    /** Whether versions contain it. */
    enabled: flag('enabled').notNull().default(true),
    /** TypeScript as last saved, even if it does not compile. */
    source: text('source').notNull().default(''),
    /** The source that `compiled` was made of. Null until a source compiles, like `compiled`. */
    compiledSource: text('compiled_source'),
    /** JavaScript as the editor compiled it. */
    compiled: text('compiled'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('workflow_org').on(table.orgId)],
);
