/** Operational tables: outbox, dead letters and audit log. */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, json } from './columns.ts';

/**
 * When an outbox row is sent again: after a minute, then after growing pauses of 15 minutes at most. SQLite uses the index of an
 * expression for the same expression only, so it has no parameters;
 * drizzle-kit takes a comma for the end of a column.
 */
export const outboxDueAt = sql`sent_at + CASE WHEN attempts < 15 THEN 60000 * attempts ELSE 900000 END`;

/** Messages to send, committed with their change and deleted by the consumer. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    type: text('type').notNull(),
    payload: json<unknown>('payload').notNull(),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at').notNull(),
    attempts: integer('attempts').notNull().default(1),
  },
  () => [index('outbox_due').on(outboxDueAt)],
);

/** Failed queue messages, kept until staff retry or discard them. */
export const deadLetter = sqliteTable('dead_letter', {
  id: text('id').primaryKey(),
  queue: text('queue').notNull(),
  body: json<unknown>('body').notNull(),
  attempts: integer('attempts').notNull(),
  diedAt: instant('died_at').notNull(),
});

/** Who did what. Append-only. */
export const auditLog = sqliteTable(
  'audit_log',
  {
    id: text('id').primaryKey(),
    /** Null: outside every organisation. No foreign key: the log outlives its subjects. */
    orgId: text('org_id'),
    /** Null: the service itself. */
    actorUserId: text('actor_user_id'),
    action: text('action').notNull(),
    targetId: text('target_id'),
    detail: json<Record<string, unknown>>('detail'),
    at: instant('at').notNull(),
  },
  (table) => [
    index('audit_log_org').on(table.orgId, table.at),
    index('audit_log_target').on(table.orgId, table.targetId, table.at, table.id),
  ],
);
