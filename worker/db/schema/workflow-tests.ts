/** Saved tests of workflows, and which code their organisation has tried without deploying it. */
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { WorkflowTestStatus } from '#contracts/console/workflow-tests';
import { instant, json, partOf } from './columns.ts';
import { organization } from './organisations.ts';
import { workflow } from './workflows.ts';

export const workflowTest = sqliteTable(
  'workflow_test',
  {
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    workflowId: partOf('workflow_id', () => workflow.id),
    name: text('name').notNull(),
    /** JSON: what the code receives. */
    input: json<unknown>('input').notNull(),
    /** Of its random numbers. */
    seed: text('seed').notNull(),
    /** SHA-256 of input and seed: a workflow has one test for each. */
    inputHash: text('input_hash').notNull(),
    /** Null is JSON's null. */
    expected: json<unknown>('expected'),
    createdAt: instant('created_at').notNull(),
    createdByUserId: text('created_by_user_id'),
    /** Of the saved code. Null until the test has run on it. */
    status: text('status').$type<WorkflowTestStatus>(),
    /** Why the test did not pass. */
    message: text('message'),
    /** What the code returned, unless it failed or the result is too large. */
    result: json<unknown>('result'),
    /** SHA-256 of the compiled code that ran. */
    codeHash: text('code_hash'),
    /** When it last ran; null: not yet. */
    ranAt: instant('ran_at'),
  },
  (table) => [
    uniqueIndex('workflow_test_input').on(table.workflowId, table.inputHash),
    index('workflow_test_org').on(table.orgId),
  ],
);

/** The different codes of a day (UTC), each by its hash: the platform bills them. */
export const workflowTrialCode = sqliteTable(
  'workflow_trial_code',
  {
    orgId: partOf('org_id', () => organization.id),
    /** Start of the day. */
    dayAt: instant('day_at').notNull(),
    /** SHA-256 of the compiled code. */
    hash: text('hash').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.dayAt, table.hash] }),
    index('workflow_trial_code_day').on(table.dayAt),
  ],
);
