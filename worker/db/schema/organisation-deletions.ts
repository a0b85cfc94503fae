/** Organisations that are to be deleted, and how far the deletion has come. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, json } from './columns.ts';

/** In their order. What each does is in domains/organisation-deletion/deletion-steps.ts. */
export const DELETION_STEPS = [
  'integrations',
  'messages',
  'subscription',
  'events',
  'archives',
  'objects',
  'purges',
  'rows',
] as const;
export type DeletionStep = (typeof DELETION_STEPS)[number];

/** An environment whose objects are to be deleted. */
export interface DeletedEnvironment {
  readonly id: string;
  /** Ledgers per data location. */
  readonly shards: number;
}

/** No foreign key: the row outlives the organisation until the last of its data is deleted. */
export const organisationDeletion = sqliteTable(
  'organisation_deletion',
  {
    orgId: text('org_id').primaryKey(),
    /** The owner who scheduled it. */
    requestedByUserId: text('requested_by_user_id').notNull(),
    /** When. */
    requestedAt: instant('requested_at').notNull(),
    /** When it starts. Owners can cancel it until then. */
    dueAt: instant('due_at').notNull(),
    /** Set: it has started and cannot be cancelled. */
    startedAt: instant('started_at'),
    /** All environments that the organisation ever had, as of the start. */
    environments: json<readonly DeletedEnvironment[]>('environments'),
    /** The step in progress. */
    step: text('step').$type<DeletionStep>().notNull().default('integrations'),
    /** How far the step has come; each step counts its own items. */
    position: integer('position').notNull().default(0),
    /** A run works on it until then, or pauses after a failure. */
    busyUntil: instant('busy_until').notNull().default(0),
    /** Consecutive failures of the step. */
    failures: integer('failures').notNull().default(0),
  },
  (table) => [index('organisation_deletion_due').on(table.dueAt)],
);
