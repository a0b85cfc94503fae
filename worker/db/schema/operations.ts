/** Operational tables: outbox, dead letters and audit log. */
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ActivityKind, AuditAction } from '#contracts/console/activity';
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

const SUBJECT = sql.raw("substr(action, 1, instr(action, '.') - 1)");
const KIND = sql`CASE ${SUBJECT} WHEN 'property' THEN 'feature' WHEN 'workflow-test' THEN 'workflow'
  WHEN 'jwt-integration' THEN 'integration' WHEN 'stripe-integration' THEN 'integration' WHEN 'invitation' THEN 'member'
  WHEN 'support-access' THEN 'support' WHEN 'sudo' THEN 'support' ELSE ${SUBJECT} END`;
const ACTOR_ID = sql`coalesce(actor_user_id, json_extract(actor_key, '$.id'), CASE action WHEN 'billing.plan-changed' THEN 'stripe'
  WHEN 'billing.subscription-changed' THEN 'stripe' ELSE 'service' END)`;
const PARENT_ID = sql`CASE ${SUBJECT} WHEN 'property' THEN json_extract(detail, '$.featureId')
  WHEN 'workflow-test' THEN json_extract(detail, '$.workflowId') WHEN 'api-key' THEN json_extract(detail, '$.environmentId') END`;

/** Who did what. Append-only; rows are deleted once R2 has them (`auditArchive`). The computed columns are those of the list's filters; their expressions are final, because rows are. */
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
    action: text('action').$type<AuditAction>().notNull(),
    /** What it was done to; null: the organisation itself. */
    targetId: text('target_id'),
    /** JSON; depends on the action. */
    detail: json<Record<string, unknown>>('detail'),
    /** When. */
    at: instant('at').notNull(),
    /** Computed: what the change is listed under (`ActivityKind`). */
    kind: text('kind').$type<ActivityKind>().generatedAlwaysAs(KIND),
    /** Computed: the user, the key, or else `stripe` or `service`. */
    actorId: text('actor_id').generatedAlwaysAs(ACTOR_ID),
    /** Computed: what a property, test or key belongs to, whose history has the change, too; null: nothing. */
    parentId: text('parent_id').generatedAlwaysAs(PARENT_ID),
  },
  (table) => [
    index('audit_log_org').on(table.orgId, table.at),
    index('audit_log_target').on(table.orgId, table.targetId, table.at, table.id),
    index('audit_log_kind').on(table.orgId, table.kind, table.at, table.id),
    index('audit_log_actor').on(table.orgId, table.actorId, table.at, table.id),
    index('audit_log_parent')
      .on(table.orgId, table.parentId, table.at, table.id)
      .where(sql`parent_id IS NOT NULL`),
  ],
);

/** Up to where the audit rows of an organisation are in R2: a trigger lets only these be deleted. */
export const auditArchive = sqliteTable('audit_archive', {
  /** The organisation; empty: rows outside every organisation. */
  orgId: text('org_id').primaryKey(),
  /** The last archived row's instant. */
  throughAt: instant('through_at').notNull(),
  /** The last archived row. */
  throughId: text('through_id').notNull(),
});

/** How many rows an organisation has in tables that have a budget. Triggers keep the totals. */
export const storedRows = sqliteTable(
  'stored_rows',
  {
    orgId: text('org_id').notNull(),
    /** The table. */
    kind: text('kind').$type<'audit_log' | 'provisioned_customer'>().notNull(),
    /** Rows that are stored now. */
    total: integer('total').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.kind] })],
);
