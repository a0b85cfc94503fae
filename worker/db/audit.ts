/** The audit log: who did what to what. A row is committed in one batch with the act it tells of. */
import { type SQL, sql } from 'drizzle-orm';
import type { IdPrefix } from '#worker/platform/ids';
import type { Db, Statement } from './database.ts';
import { auditLog } from './schema/operations.ts';

export interface AuditEntry {
  /** Null: beyond organisations. */
  readonly orgId: string | null;
  /** Null: the service itself. */
  readonly actorUserId: string | null;
  /** What was done, in the past tense: `api-key.created`, `version.deployed`. */
  readonly action: string;
  readonly targetId?: string | null;
  /** Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** A request's context will do. */
export interface AuditContext {
  readonly db: Db;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly newId: (prefix: IdPrefix) => string;
}

export function auditRow(ctx: AuditContext, entry: AuditEntry): Statement {
  return auditRowIf(ctx, sql`1`, entry);
}

/** A row that is written only where the condition holds: `changes() > 0` asks whether the statement before it did anything. */
export function auditRowIf({ db, now, newId }: AuditContext, condition: SQL, entry: AuditEntry): Statement {
  const detail = entry.detail === undefined ? null : JSON.stringify(entry.detail);
  return db
    .insert(auditLog)
    .select(
      sql`SELECT ${newId('aud')}, ${entry.orgId}, ${entry.actorUserId}, ${entry.action}, ${entry.targetId ?? null}, ${detail}, ${now} WHERE ${condition}`,
    );
}
