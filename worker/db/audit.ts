/** Writes the audit log. The row is committed in the same batch as the change it records. */
import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { AuditAction } from '#contracts/console/activity';
import type { ActingKey } from '#contracts/console/api-keys';
import type { IdPrefix } from '#runtime/ids';
import type { Db, Statement } from './database.ts';
import { insertSelect, type RowSource } from './insert-select.ts';
import { auditLog } from './schema/operations.ts';

/** Where the change happens and who makes it. A member's scope fits. */
export interface AuditScope {
  /** Null: a change outside every organisation, e.g. of a user. */
  readonly orgId: string | null;
  /** Null: the service itself, e.g. a scheduled job. */
  readonly actor: { readonly userId: string } | { readonly key: ActingKey } | null;
  /** Committed with the change. */
  readonly receipt?: readonly Statement[] | undefined;
}

export interface AuditEntry {
  /** What was done, in the past tense: `api-key.created`, `version.deployed`. */
  readonly action: AuditAction;
  readonly targetId?: string | null;
  /** Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Unless it is the scope's. */
  readonly orgId?: string | null;
  /** The row is written only if this is true; `changes() > 0` is true if the previous statement of the batch changed a row. */
  readonly onlyIf?: SQL;
}

/** A request or work context satisfies this. */
export interface AuditContext {
  readonly db: Db;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly newId: (prefix: IdPrefix) => string;
}

export function auditRow(
  { db, now, newId }: AuditContext,
  { orgId, actor }: AuditScope,
  entry: AuditEntry,
): Statement {
  return insertSelect(
    db,
    auditLog,
    {
      id: newId('aud'),
      orgId: entry.orgId === undefined ? orgId : entry.orgId,
      actorUserId: actor !== null && 'userId' in actor ? actor.userId : null,
      actorKey: actor !== null && 'key' in actor ? actor.key : null,
      action: entry.action,
      targetId: entry.targetId ?? null,
      detail: entry.detail ?? null,
      at: now,
    },
    { where: entry.onlyIf ?? sql`1` },
  );
}

/** A row for each of a query's rows. */
export function auditRowsFrom(
  { db, now, newId }: AuditContext,
  { userId }: { readonly userId: string | null },
  entry: {
    readonly action: AuditAction;
    readonly orgId: SQL | string;
    readonly targetId: SQL;
    readonly detail: SQL;
  },
  source: RowSource,
): Statement {
  return insertSelect(
    db,
    auditLog,
    {
      // The time of a new ID, and other random digits for each row.
      id: sql`substr(${newId('aud')}, 1, 14) || lower(hex(randomblob(8)))`,
      actorUserId: userId,
      actorKey: null,
      at: now,
      ...entry,
    },
    source,
  );
}

/** The id of the user who made the latest change of something in an organisation. Undefined: the service itself, or unknown. */
export async function lastActor(db: Db, orgId: string, targetId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ userId: auditLog.actorUserId })
    .from(auditLog)
    .where(and(eq(auditLog.orgId, orgId), eq(auditLog.targetId, targetId)))
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(1);
  return row?.userId ?? undefined;
}
