/** Operational tables: outbox, dead letters and audit log. */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ActingKey } from '#contracts/console/api-keys';
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
    /** Of the message. */
    type: text('type').notNull(),
    /** JSON: the message. */
    payload: json<unknown>('payload').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The last time it was sent. */
    sentAt: instant('sent_at').notNull(),
    /** How often it was sent; it sets the pause. */
    attempts: integer('attempts').notNull().default(1),
  },
  () => [index('outbox_due').on(outboxDueAt)],
);

/** Failed queue messages, kept until staff retry or discard them. */
export const deadLetter = sqliteTable('dead_letter', {
  id: text('id').primaryKey(),
  /** The dead-letter queue that it came from. */
  queue: text('queue').notNull(),
  /** JSON: the message, or where its events are in R2. */
  body: json<unknown>('body').notNull(),
  /** Deliveries so far. */
  attempts: integer('attempts').notNull(),
  /** When it was given up last. */
  diedAt: instant('died_at').notNull(),
});

/** Who did what. Append-only. */
export const auditLog = sqliteTable(
  'audit_log',
  {
    id: text('id').primaryKey(),
    /** Null: outside every organisation. No foreign key: the log outlives its subjects. */
    orgId: text('org_id'),
    /** Null: a key, or the service itself. */
    actorUserId: text('actor_user_id'),
    /** JSON: the API key that did it, with its name at that time; null: nobody did it by API. */
    actorKey: json<ActingKey>('actor_key'),
    /** What was done, such as plan.version-created. */
    action: text('action').notNull(),
    /** What it was done to; null: the organisation itself. */
    targetId: text('target_id'),
    /** JSON; depends on the action. */
    detail: json<Record<string, unknown>>('detail'),
    /** When. */
    at: instant('at').notNull(),
  },
  (table) => [
    index('audit_log_org').on(table.orgId, table.at),
    index('audit_log_target').on(table.orgId, table.targetId, table.at, table.id),
  ],
);
